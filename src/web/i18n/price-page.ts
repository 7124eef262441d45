/** Texts of an index's page. */
import { article } from './italian.ts'
import { messages } from './language.ts'

export const pricePageTexts = messages({
  now: ['Latest price', 'Ultimo prezzo'],
  history: ['History', 'Storico'],
  range: ['Range', 'Periodo'],
  ranges: [
    { '30d': '30 days', '90d': '90 days', '1y': '1 year', '2y': '2 years', all: 'All' },
    { '30d': '30 giorni', '90d': '90 giorni', '1y': '1 anno', '2y': '2 anni', all: 'Tutto' },
  ],
  caption: [
    (code: string, from: string, to: string) => `${code}, daily prices from ${from} to ${to}`,
    (code, from, to) => `${code}, prezzi giornalieri ${article('dal', from)}${from} ${article('al', to)}${to}`,
  ],
  day: ['Market day', 'Giorno di mercato'],
  price: ['Price', 'Prezzo'],
  mean: ['Mean', 'Media'],
  lowest: ['Lowest', 'Minimo'],
  highest: ['Highest', 'Massimo'],
  days: ['Days with a price', 'Giorni con un prezzo'],
  ofDays: [(days: number) => `of ${days}`, (days) => `su ${days}`],
  noHistory: ['There are no prices in this range.', 'In questo periodo non c’è alcun prezzo.'],
  dailyMeans: [
    (days: number) => `Days with a daily mean only, no hours: ${days}.`,
    (days) => `Giorni di cui è nota solo la media, non le ore: ${days}.`,
  ],
  download: ['For programs', 'Per i programmi'],
  downloadMore: [
    (plan: string) =>
      `People save what the chart shows with the buttons above. Programs ask the API with a key; the ${plan} key is free and covers two years:`,
    (plan) =>
      `Ciò che il grafico mostra lo salvi con i pulsanti qui sopra. I programmi usano l’API con una chiave; quella ${plan} è gratuita e copre due anni:`,
  ],
  getKey: ['get a key', 'ottieni una chiave'],
  forecast: ['Forecast', 'Previsione'],
  forecastCaption: [
    (code: string) => `${code}: the forecast of the next 30 days, then the last 30 days`,
    (code) => `${code}: la previsione dei prossimi 30 giorni, poi gli ultimi 30`,
  ],
  issued: [
    (when: string, model: string) => `Issued ${when} by the model ${model}.`,
    (when, model) => `Emessa ${article('il', when)}${when} dal modello ${model}.`,
  ],
  computed: [
    (when: string, model: string) => `Computed ${when} by the model ${model}.`,
    (when, model) => `Calcolata ${article('il', when)}${when} dal modello ${model}.`,
  ],
  known: [(day: string) => `Uses prices up to ${day}.`, (day) => `Usa i prezzi fino ${article('al', day)}${day}.`],
  accuracy: [
    (mae: string, coverage: string, n: number) =>
      `Over the last ${n} scored days the mean absolute error is ${mae} €/MWh, and ${coverage} of prices fell inside the band.`,
    (mae, coverage, n) =>
      `Negli ultimi ${n} giorni valutati l’errore medio è di ${mae} €/MWh, e ${article('il', coverage)}${coverage} dei prezzi è caduto nell’intervallo.`,
  ],
  replay: [
    'These figures come from a replay of past days, since too few issued forecasts have been scored.',
    'Queste cifre vengono da una simulazione a posteriori, perché le previsioni emesse e valutate sono ancora poche.',
  ],
  noForecast: ['There is no forecast at the moment.', 'Al momento non c’è una previsione.'],
  trackRecord: ['Track record', 'Risultati delle previsioni'],
  methodology: ['How forecasts are made', 'Come nascono le previsioni'],
  hours: ['Hours of today and tomorrow', 'Le ore di oggi e di domani'],
  provenance: ['Where the figures come from', 'Da dove vengono le cifre'],
  publisher: ['Publisher', 'Fonte'],
  terms: ['Terms', 'Condizioni'],
  usual: ['Usually published', 'Pubblicazione abituale'],
  observed: ['Latest publication', 'Ultima pubblicazione'],
  fetched: ['Fetched', 'Acquisito'],
  imported: ['Imported', 'Importato'],
  complete: ['Completeness', 'Completezza'],
  whole: [(day: string) => `The latest day, ${day}, is complete.`, (day) => `L’ultimo giorno, ${day}, è completo.`],
  partial: [
    (day: string) => `The latest day, ${day}, is not complete.`,
    (day) => `L’ultimo giorno, ${day}, è incompleto.`,
  ],
  corrections: ['Corrections', 'Correzioni'],
  correctionsLead: [
    'A correction never overwrites: the earlier value remains, and as_of= on the API returns what was known at any instant.',
    'Una correzione non sovrascrive: il valore precedente resta, e as_of= nell’API restituisce ciò che era noto in qualsiasi istante.',
  ],
  noCorrections: [
    'No value of the last two years has been corrected.',
    'Nessun valore degli ultimi due anni è stato corretto.',
  ],
  corrected: ['Corrected', 'Corretto'],
  values: ['Values', 'Valori'],
  before: ['Before', 'Prima'],
  after: ['After', 'Dopo'],
  notWhole: ['incomplete', 'incompleto'],
})
