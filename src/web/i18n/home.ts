/** Texts of the home page. */
import { messages } from './language.ts'

export const homeTexts = messages({
  en: {
    title: 'Italian energy prices today',
    lead: 'Wholesale electricity and gas, oil and carbon: each price with its source, its history, and forecasts with a public track record.',
    indices: 'The five indices',
    use: 'Use the data',
    useLead: 'Everything here comes from an open API. The current prices need no key:',
    useMore: 'All endpoints, plans and recipes are in the',
    documentation: 'documentation',
    tryIt: 'try them in the browser',
    nextForecast: 'Next forecast',
    forecastOf: (day: string) => `PUN of ${day}, median`,
    bandOf: (low: string, high: string) => `80 % band ${low} to ${high}`,
    record: 'How accurate have forecasts been?',
  },
  it: {
    title: 'I prezzi dell’energia in Italia oggi',
    lead: 'Elettricità e gas all’ingrosso, petrolio e CO2: ogni prezzo con la sua fonte, il suo storico e previsioni i cui risultati sono pubblici.',
    indices: 'I cinque indici',
    use: 'Usa i dati',
    useLead: 'Tutto ciò che vedi qui viene da un’API aperta. I prezzi attuali non richiedono una chiave:',
    useMore: 'Tutti gli endpoint, i piani e le ricette sono nella',
    documentation: 'documentazione',
    tryIt: 'provali nel browser',
    nextForecast: 'Prossima previsione',
    forecastOf: (day: string) => `PUN, ${day}, mediana`,
    bandOf: (low: string, high: string) => `intervallo all’80% da ${low} a ${high}`,
    record: 'Quanto sono state accurate le previsioni?',
  },
})
