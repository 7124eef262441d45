/** Results of the gas market (MGP-GAS): the PSV of a gas day from the session of the day before. */
import { z } from 'zod'
import { USUAL_PUBLICATION } from '../../market/forecast-scope.ts'
import { textDocument, workbookDocument } from '../documents.ts'
import { API_LOGIN, API_VARIABLES, DOWNLOAD_VARIABLES, SITE_POLITENESS } from '../gme/fetch.ts'
import { GME, isGasJson, isGasXml, isGmeXml } from '../gme/gme.ts'
import { publisher } from '../publisher.ts'
import { connectGmeMgas } from './fetch.ts'
import { findGasYear, parseGasSessions, parseGasYear, parseGmeGas } from './parse.ts'

export const gmeMgas = publisher({
  ...GME,
  id: 'gme-mgas',
  delivers: 'PSV',
  assets: ['PSV'],
  publishes: USUAL_PUBLICATION.PSV, // the session before the gas day ends in the evening, weekends included
  lateAt: { days: -1, time: '23:00' },
  fetching: {
    readFrom: 'the API, else the JSON behind the public pages or (`GME_GAS_FORM=zip`) the download',
    pausesMinutes: [10, 15, 30],
    historyFrom: '2025-01-01',
    politeness: SITE_POLITENESS,
    variables: {
      ...API_VARIABLES,
      ...DOWNLOAD_VARIABLES,
      GME_GAS_FORM: z
        .enum(['pages', 'zip'])
        .default('pages')
        .describe('`pages` or `zip`: how the gas market is read without the API'),
    },
    together: API_LOGIN,
    connect: connectGmeMgas,
  },
  documents: [
    textDocument({
      kind: 'gme-gas-xml',
      about: 'XML of sessions of MGP-GAS: the PSV of the next gas day is the weighted mean of continuous trading',
      daysAfterName: 1,
      recognise: ({ root, xml = '' }) => isGmeXml(root) && isGasXml(xml),
      parse: parseGmeGas,
    }),
    textDocument({
      kind: 'gme-gas-json',
      about: 'the same as JSON, of the API and of the public pages',
      daysAfterName: 1,
      recognise: ({ json = '' }) => isGasJson(json),
      parse: parseGasSessions,
    }),
    workbookDocument({
      kind: 'gme-gas-workbook',
      about: 'the workbook of a gas year (`Annotermico_…xlsx`)',
      recognise: findGasYear,
      parse: parseGasYear,
    }),
  ],
})
