/** Texts around the content of every page. */
import { DISCLAIMER } from '../../api/contract/identity.ts'
import { messages } from './language.ts'

export const frameTexts = messages({
  en: {
    description: 'Italian wholesale energy prices: PUN, PSV, TTF, Brent and CO2, with sources, history and forecasts.',
    skip: 'Skip to content',
    navigation: 'Main',
    indices: 'Indices',
    home: 'Home',
    forecasts: 'Forecasts',
    offers: 'Offers',
    tools: 'Tools',
    docs: 'Docs',
    status: 'Status',
    api: 'API reference',
    language: 'Language',
    theme: 'Light or dark',
    syntheticLabel: 'Sample data',
    synthetic: 'These are synthetic sample values, not market prices.',
    syntheticWhy: 'No source is configured here, so synthetic figures show what the service does.',
    syntheticLink: 'What that means',
    disclaimer: DISCLAIMER,
    sources: 'Status of the sources',
    methodology: 'Methodology',
  },
  it: {
    description:
      'Prezzi all’ingrosso dell’energia in Italia: PUN, PSV, TTF, Brent e CO2, con fonti, storico e previsioni.',
    skip: 'Vai al contenuto',
    navigation: 'Principale',
    indices: 'Indici',
    home: 'Home',
    forecasts: 'Previsioni',
    offers: 'Offerte',
    tools: 'Strumenti',
    docs: 'Guida',
    status: 'Stato',
    api: 'Riferimento API',
    language: 'Lingua',
    theme: 'Chiaro o scuro',
    syntheticLabel: 'Dati di prova',
    synthetic: 'Questi sono valori di prova sintetici, non prezzi di mercato.',
    syntheticWhy: 'Qui non è configurata alcuna fonte: cifre fittizie mostrano che cosa offre il servizio.',
    syntheticLink: 'Che cosa significa',
    disclaimer:
      'I dati delle fonti restano soggetti alle condizioni delle fonti originali e sono ridistribuiti a solo scopo informativo. ' +
      'L’API non può essere rivenduta tal quale come servizio concorrente. Le previsioni sono stime statistiche, non consulenza finanziaria.',
    sources: 'Stato delle fonti',
    methodology: 'Metodologia',
  },
})
