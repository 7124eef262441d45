/** Texts of the home page. */
import { messages } from './language.ts'

export const homeTexts = messages({
  title: ['Italian energy prices today', 'I prezzi dell’energia in Italia oggi'],
  lead: [
    'Wholesale electricity and gas, oil and carbon: each price with its source, its history, and forecasts with a public track record.',
    'Elettricità e gas all’ingrosso, petrolio e CO2: ogni prezzo con la sua fonte, il suo storico e previsioni i cui risultati sono pubblici.',
  ],
  bill: ['What did last month cost you?', 'Quanto hai speso il mese scorso?'],
  billUse: ['Use, kWh a month', 'Consumo, kWh al mese'],
  billSpread: ['Supplier’s spread on the PUN, €/kWh', 'Spread del fornitore sul PUN, €/kWh'],
  billShow: ['Show the bill', 'Mostra la bolletta'],
  indices: ['The five indices', 'I cinque indici'],
  use: ['Use the data', 'Usa i dati'],
  useLead: [
    'Everything here comes from an open API. The current prices need no key:',
    'Tutto ciò che vedi qui viene da un’API aperta. I prezzi attuali non richiedono una chiave:',
  ],
  useMore: ['All endpoints, plans and recipes are in the', 'Tutti gli endpoint, i piani e le ricette sono nella'],
  documentation: ['documentation', 'documentazione'],
  tryIt: ['try them in the browser', 'provali nel browser'],
  nextForecast: ['Next forecast', 'Prossima previsione'],
  forecastOf: [(day: string) => `PUN of ${day}, median`, (day) => `PUN, ${day}, mediana`],
  bandOf: [
    (low: string, high: string) => `80% band ${low} to ${high}`,
    (low, high) => `intervallo all’80% da ${low} a ${high}`,
  ],
  record: ['How accurate have forecasts been?', 'Quanto sono state accurate le previsioni?'],
  yesterday: ['Was yesterday’s right?', 'Quella di ieri era giusta?'],
})
