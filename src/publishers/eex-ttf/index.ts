/** Settlement of the TTF day-ahead product, or the neutral gas price. */
import { z } from 'zod'
import { USUALLY_PUBLISHED } from '../../market/forecast-scope.ts'
import { isTradingDay } from '../../market/trading-days.ts'
import { textDocument } from '../documents.ts'
import { UnreadableDocument } from '../faults.ts'
import { assetNamedBy } from '../price-csv/columns.ts'
import { publisher } from '../publisher.ts'
import { NGP_BEGINNING } from './codes.ts'
import { connectEexTtf } from './fetch.ts'
import { parseNgp, readNgpHeader } from './parse-ngp.ts'
import { parseSettlementTable } from './parse-table.ts'

export const eexTtf = publisher({
  id: 'eex-ttf',
  name: 'European Energy Exchange AG (EEX)',
  url: 'https://www.eex.com',
  terms: 'No open licence: shown for information only, not to be redistributed without the consent of EEX.',
  redistributable: false,
  priority: 10,
  delivers: 'TTF day-ahead settlement',
  assets: ['TTF'],
  publishes: USUALLY_PUBLISHED.TTF, // settlement of the last trading day before delivery
  lateAt: { days: -1, time: '22:00' },
  publishesOn: isTradingDay,
  // Deliveries after a weekend or a holiday are separate products.
  expects: (day) => isTradingDay(day) && isTradingDay(day.subtract({ days: 1 })),
  fetching: {
    readFrom:
      'the public table, or (`EEX_TTF_FORM=ngp`) the neutral gas price; neither reaches back more than some weeks',
    pausesMinutes: [10, 20, 30, 60],
    historyFrom: '2020-01-01',
    politeness: { minIntervalMs: 2_000, requestsPerDay: 200 }, // 60 requests a minute are allowed
    variables: {
      EEX_TTF_FORM: z
        .enum(['table', 'ngp'])
        .default('table')
        .describe('`table` of settlements, or `ngp`: the neutral gas price'),
    },
    connect: connectEexTtf,
  },
  documents: [
    textDocument({
      kind: 'eex-ngp-csv',
      about: 'CSV of the TTF neutral gas price, final values only',
      windows1252: NGP_BEGINNING, // for the sign of the euro in some editions; all else is ASCII
      recognise: ({ firstLine = '' }) => firstLine.startsWith(NGP_BEGINNING) && readNgpHeader(firstLine),
      parse: parseNgp,
    }),
    textDocument({
      kind: 'eex-table-json',
      about: "JSON tables of day-ahead settlements, with `--asset ttf` or `ttf` in the file's name",
      recognise({ json = '', fileName, hints: { asset } }) {
        if (!/"header"\s*:\s*\[/.test(json)) return false
        if ((asset ?? assetNamedBy(fileName)?.toLowerCase()) === 'ttf') return true
        const detail = 'does not say which market its settlements are for: pass --asset ttf'
        throw new UnreadableDocument('document', detail)
      },
      parse: parseSettlementTable,
    }),
  ],
})
