/** Texts around the content of every page. */
import { DISCLAIMER } from '../../api/contract/identity.ts'
import { messages } from './language.ts'

export const frameTexts = messages({
  description: [
    'Italian wholesale energy prices: PUN, PSV, TTF, Brent and CO2, with sources, history and forecasts.',
    'Prezzi all’ingrosso dell’energia in Italia: PUN, PSV, TTF, Brent e CO2, con fonti, storico e previsioni.',
  ],
  skip: ['Skip to content', 'Vai al contenuto'],
  skipToFields: ['Skip to the fields', 'Vai ai campi'],
  navigation: ['Main', 'Principale'],
  home: ['Prices', 'Prezzi'],
  bill: ['Bill', 'Bolletta'],
  more: ['More', 'Altro'],
  local: ['On this page', 'In questa pagina'],
  forecasts: ['Forecasts', 'Previsioni'],
  offers: ['Offers', 'Offerte'],
  tools: ['Tools', 'Strumenti'],
  docs: ['Docs', 'Guida'],
  status: ['Status', 'Stato'],
  api: ['API reference', 'Riferimento API'],
  language: ['Language', 'Lingua'],
  theme: ['Light or dark', 'Chiaro o scuro'],
  mine: ['Mine', 'I miei dati'],
  change: ['change', 'modifica'],
  clear: ['clear', 'cancella'],
  syntheticLabel: ['Sample data', 'Dati di prova'],
  synthetic: ['Synthetic sample values, not prices.', 'Valori di prova sintetici, non prezzi.'],
  syntheticWhy: [
    'No source is configured here, so synthetic figures show what the service does.',
    'Qui non è configurata alcuna fonte: cifre fittizie mostrano che cosa offre il servizio.',
  ],
  syntheticLink: ['Details', 'Dettagli'],
  disclaimer: [
    DISCLAIMER,
    'I dati delle fonti restano soggetti alle condizioni delle fonti originali e sono ridistribuiti a solo scopo informativo. ' +
      'L’API non può essere rivenduta tal quale come servizio concorrente. Le previsioni sono stime statistiche, non consulenza finanziaria.',
  ],
  sources: ['Status of the sources', 'Stato delle fonti'],
  methodology: ['Methodology', 'Metodologia'],
})

/** The setting saved as "mine"; a number replaces #. */
export const mineTerms = messages({
  bands: ['by band + # €/kWh', 'a fasce + # €/kWh'],
  flat: ['F0 + # €/kWh', 'F0 + # €/kWh'],
  fixed: ['fixed # €/kWh', 'fisso # €/kWh'],
  use: ['# kWh a month', '# kWh al mese'],
})
