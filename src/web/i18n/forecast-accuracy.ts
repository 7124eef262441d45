/** Texts about calibration, errors by weekday and hour, past forecasts of a day, and replays. */

import { counted } from '../../market/counted.ts'
import { article } from './italian.ts'
import { messages } from './language.ts'

export const accuracyTexts = messages({
  replay: ['Replay:', 'Simulazione a posteriori:'],
  replayLead: [
    (days: number) =>
      `forecasts recomputed afterwards for ${days} past days, using only the data known then. No issued forecast has been scored here yet; as soon as some are, they take its place.`,
    (days) =>
      `previsioni ricalcolate per ${days} giorni passati con i soli dati allora noti. Qui nessuna previsione emessa è stata ancora valutata; appena ce ne sono, prendono il suo posto.`,
  ],
  basisReplay: [
    (n: number) => `From the replay of ${counted(n, 'day')}.`,
    (n) => `Dalla simulazione a posteriori di ${counted(n, 'giorno', 'giorni')}.`,
  ],
  basisIssued: [
    (n: number) => `From ${counted(n, 'day')} forecast as issued.`,
    (n) => `Da ${n} ${n === 1 ? 'giorno previsto come emesso' : 'giorni previsti come emessi'}.`,
  ],
  basisHours: [
    (n: number, isReplay: boolean) => `From the hours of ${counted(n, 'day')}${isReplay ? ' of the replay' : ''}.`,
    (n, isReplay) =>
      `Dalle ore di ${counted(n, 'giorno', 'giorni')}${isReplay ? ' della simulazione a posteriori' : ''}.`,
  ],
  calibration: ['Is the band right?', 'L’intervallo è giusto?'],
  calibrationLead: [
    'The price should fall inside the band on four days of five: months well below the line had bands too narrow, months above it too wide.',
    'Il prezzo dovrebbe cadere nell’intervallo quattro giorni su cinque: i mesi ben sotto la linea avevano intervalli troppo stretti, quelli sopra troppo larghi.',
  ],
  month: ['Month', 'Mese'],
  inside: ['Inside the band', 'Nell’intervallo'],
  insideShort: ['Inside', 'Dentro'],
  days: ['Days', 'Giorni'],
  target: ['target, 80%', 'obiettivo, 80%'],
  byWeekday: ['Error by weekday', 'Errore per giorno della settimana'],
  weekday: ['Weekday', 'Giorno'],
  weekdays: [
    ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
    ['lunedì', 'martedì', 'mercoledì', 'giovedì', 'venerdì', 'sabato', 'domenica'],
  ],
  byHour: ['Error by hour', 'Errore per ora'],
  hour: ['Hour', 'Ora'],
  ours: ['Ours, mean error', 'Nostra, errore medio'],
  naive: ['Naive, mean error', 'Ingenua, errore medio'],
  models: ['Beside the naive forecast and LEAR', 'Accanto alla previsione ingenua e a LEAR'],
  modelsLead: [
    'On the 366 days of 2024, real prices of the PUN, the next day: each issue made again with only what was known then. LEAR is the standard model of the literature.',
    'Sui 366 giorni del 2024, prezzi reali del PUN, il giorno dopo: ogni emissione rifatta con i soli dati allora noti. LEAR è il modello di riferimento della letteratura.',
  ],
  model: ['Model', 'Modello'],
  modelNames: [
    { 'pun-ensemble': 'Ours', lear: 'LEAR', 'conformal-walk': 'Naive' },
    { 'pun-ensemble': 'Nostro', lear: 'LEAR', 'conformal-walk': 'Ingenuo' },
  ],
  mae: ['Mean error', 'Errore medio'],
  unit: ['€/MWh', '€/MWh'],
  cards: ['How the models are made and measured', 'Come sono fatti e misurati i modelli'],
  none: ['Nothing has been forecast and scored yet.', 'Nulla è stato ancora previsto e valutato.'],
})

export const pastForecastTexts = messages({
  title: ['Was the forecast right?', 'La previsione era giusta?'],
  lead: [
    'Each forecast issued for a day, in order of issue, and the actual price.',
    'Ogni previsione emessa per un giorno, in ordine di emissione, e il prezzo effettivo.',
  ],
  description: [
    'For any past day: what each forecast of PUN, PSV and TTF said about it, and how far it was from the price.',
    'Per ogni giorno passato: che cosa ne diceva ciascuna previsione di PUN, PSV e TTF, e quanto era lontana dal prezzo.',
  ],
  index: ['Index', 'Indice'],
  day: ['Day', 'Giorno'],
  recent: ['Recent days', 'Giorni recenti'],
  today: ['Today', 'Oggi'],
  ago: ['Days before', 'Giorni prima'],
  show: ['Show', 'Mostra'],
  issuedBefore: [
    (days: number) => `${counted(days, 'day')} before`,
    (days) => `${counted(days, 'giorno', 'giorni')} prima`,
  ],
  said: [
    (when: string, p50: string, low: string, high: string, day: string) =>
      `The forecast of ${when} said ${p50} €/MWh for ${day}, 80% band ${low} to ${high}.`,
    (when, p50, low, high, day) =>
      `La previsione ${article('del', when)}${when} diceva ${p50} €/MWh per ${day}, intervallo all’80% da ${low} a ${high}.`,
  ],
  right: [
    (price: string, error: string) => `The price was ${price} €/MWh: inside the band, the error ${error}.`,
    (price, error) => `Il prezzo è stato ${price} €/MWh: dentro l’intervallo, con un errore di ${error}.`,
  ],
  wrong: [
    (price: string, error: string) => `The price was ${price} €/MWh: outside the band, the error ${error}.`,
    (price, error) => `Il prezzo è stato ${price} €/MWh: fuori dall’intervallo, con un errore di ${error}.`,
  ],
  open: ['The price is not known yet.', 'Il prezzo non è ancora noto.'],
  nearest: [
    (days: number) => `Nothing was issued on that day; shown is the issue of ${counted(days, 'day')} before.`,
    (days) =>
      `Quel giorno non è stato emesso nulla; qui c’è l’emissione di ${counted(days, 'giorno', 'giorni')} prima.`,
  ],
  noForecast: ['There is no forecast of this day.', 'Di questo giorno non c’è una previsione.'],
  curve: [
    (when: string) => `The curve of ${when}, and the prices that came`,
    (when) => `La curva ${article('del', when)}${when} e i prezzi effettivi`,
  ],
  all: [(day: string) => `Every forecast of ${day}`, (day) => `Tutte le previsioni di ${day}`],
  allLead: ['The last before the day first.', 'Dall’ultima prima del giorno alla più vecchia.'],
  issued: ['Issued', 'Emessa'],
  model: ['Model', 'Modello'],
  replayed: ['replay', 'simulazione'],
  isReplay: [
    'This is from a replay: recomputed afterwards with only the data known then.',
    'È una simulazione a posteriori: ricalcolata con i soli dati allora noti.',
  ],
  record: ['Track record', 'Risultati delle previsioni'],
})
