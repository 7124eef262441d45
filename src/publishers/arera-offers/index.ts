/**
 * Retail offers from the open data of the regulator's offers portal, published every day: the free market's offers as XML,
 * the offers on standard terms (PLACET), parameters and monthly indices as CSV. Formats and traps: README.md.
 */
import { type TextHead, textDocument } from '../documents.ts'
import { publisher } from '../publisher.ts'
import { ROOT } from './codes.ts'
import { connectOffersPortal } from './fetch.ts'
import { type NamedFile, readFileName } from './file-name.ts'
import { DATASETS } from './offer.ts'
import { parseFreeMarket } from './parse-free-market.ts'
import { INDEX_MONTHS_BEGINNING, parseIndexMonths } from './parse-index-months.ts'
import { PARAMETERS_HEADER, parseParameters } from './parse-parameters.ts'
import { parsePlacet, readPlacetHeader } from './parse-placet.ts'

export const areraOffers = publisher({
  id: 'arera-offers',
  name: 'Portale Offerte (ARERA, Acquirente Unico S.p.A.)',
  url: 'https://www.ilportaleofferte.it',
  terms: 'Creative Commons Attribution 4.0: free to use when the portal is named as the source.',
  redistributable: true,
  priority: 10,
  delivers: 'retail offers',
  offerLists: DATASETS,
  publishes: { days: 0, time: '01:05' }, // between 22:30 and 23:05 UTC of the evening before: by 00:05 in winter
  lateAt: { days: 0, time: '10:00' },
  fetching: {
    readFrom: 'the daily XML and CSV files of the offers portal, 30 MB a day',
    askFrom: { days: 0, time: '00:10' },
    pausesMinutes: [30, 60],
    historyFrom: '2026-01-01', // a day has 30 MB: a longer past only if the operator asks for it
    politeness: { minIntervalMs: 5_000, requestsPerDay: 200 }, // five files of up to 20 MB: a browser would not be faster
    connect: connectOffersPortal,
  },
  documents: [
    textDocument({
      kind: 'free-market-offers-xml',
      about: "XML of the free market's offers; the day is in the name, `PO_…_YYYYMMDD`, or `--day` says it",
      recognise: ({ root }) => root === ROOT,
      async *parse(text, _found, head) {
        yield* parseFreeMarket(text, named(head))
      },
    }),
    textDocument({
      kind: 'placet-offers-csv',
      about: 'CSV of the offers on standard terms, named in the same way',
      recognise: ({ firstLine = '' }) => readPlacetHeader(firstLine),
      async *parse(text, header, head) {
        yield* parsePlacet(text, header, named(head))
      },
    }),
    textDocument({
      kind: 'offer-parameters-csv',
      about: 'CSV of regulated parameters, named in the same way',
      recognise: ({ firstLine = '' }) => firstLine.trim() === PARAMETERS_HEADER,
      async *parse(text, _found, head) {
        yield* parseParameters(text, head.fileName, named(head))
      },
    }),
    textDocument({
      kind: 'index-months-csv',
      about: 'CSV of the monthly averages of indices',
      recognise: ({ firstLine = '' }) => firstLine.startsWith(INDEX_MONTHS_BEGINNING) && firstLine,
      parse: parseIndexMonths,
    }),
  ],
})

/** Checked when the document is read: a name without a day is a fault of the portal's document. */
function named({ fileName, hints: { day } }: TextHead): NamedFile {
  return readFileName(fileName, day)
}
