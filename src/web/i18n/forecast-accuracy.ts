/** Texts of calibration, of errors by weekday and hour, of past forecasts of a day, and of replays. */

import { counted } from '../../market/counted.ts'
import { article } from './italian.ts'
import { messages } from './language.ts'

export const accuracyTexts = messages({
  en: {
    replay: 'Replay:',
    replayLead: (days: number) =>
      `forecasts recomputed afterwards for ${days} past days, using only the data known then. No issued forecast has been scored here yet; as soon as some are, they take its place.`,
    basisReplay: (n: number) => `From the replay of ${counted(n, 'day')}.`,
    basisIssued: (n: number) => `From ${counted(n, 'day')} forecast as issued.`,
    basisHours: (n: number, isReplay: boolean) =>
      `From the hours of ${counted(n, 'day')}${isReplay ? ' of the replay' : ''}.`,
    calibration: 'Is the band right?',
    calibrationLead:
      'The price should fall inside the band on four days of five: months well below the line had bands too narrow, months above it too wide.',
    month: 'Month',
    inside: 'Inside the band',
    insideShort: 'Inside',
    days: 'Days',
    target: 'target, 80%',
    byWeekday: 'Error by weekday',
    weekday: 'Weekday',
    weekdays: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
    byHour: 'Error by hour',
    hour: 'Hour',
    ours: 'Ours, mean error',
    naive: 'Naive, mean error',
    models: 'Beside the naive forecast and LEAR',
    modelsLead:
      'On the 366 days of 2024, real prices of the PUN, the next day: each issue made again with only what was known then. LEAR is the standard model of the literature.',
    model: 'Model',
    modelNames: { 'pun-ensemble': 'Ours', lear: 'LEAR', 'conformal-walk': 'Naive' },
    mae: 'Mean error',
    unit: '€/MWh',
    cards: 'How the models are made and measured',
    none: 'Nothing has been forecast and scored yet.',
  },
  it: {
    replay: 'Simulazione a posteriori:',
    replayLead: (days: number) =>
      `previsioni ricalcolate per ${days} giorni passati con i soli dati allora noti. Qui nessuna previsione emessa è stata ancora valutata; appena ce ne sono, prendono il suo posto.`,
    basisReplay: (n: number) => `Dalla simulazione a posteriori di ${counted(n, 'giorno', 'giorni')}.`,
    basisIssued: (n: number) => `Da ${n} ${n === 1 ? 'giorno previsto come emesso' : 'giorni previsti come emessi'}.`,
    basisHours: (n: number, isReplay: boolean) =>
      `Dalle ore di ${counted(n, 'giorno', 'giorni')}${isReplay ? ' della simulazione a posteriori' : ''}.`,
    calibration: 'L’intervallo è giusto?',
    calibrationLead:
      'Il prezzo dovrebbe cadere nell’intervallo quattro giorni su cinque: i mesi ben sotto la linea avevano intervalli troppo stretti, quelli sopra troppo larghi.',
    month: 'Mese',
    inside: 'Nell’intervallo',
    insideShort: 'Dentro',
    days: 'Giorni',
    target: 'obiettivo, 80%',
    byWeekday: 'Errore per giorno della settimana',
    weekday: 'Giorno',
    weekdays: ['lunedì', 'martedì', 'mercoledì', 'giovedì', 'venerdì', 'sabato', 'domenica'],
    byHour: 'Errore per ora',
    hour: 'Ora',
    ours: 'Nostra, errore medio',
    naive: 'Ingenua, errore medio',
    models: 'Accanto alla previsione ingenua e a LEAR',
    modelsLead:
      'Sui 366 giorni del 2024, prezzi reali del PUN, il giorno dopo: ogni emissione rifatta con i soli dati allora noti. LEAR è il modello di riferimento della letteratura.',
    model: 'Modello',
    modelNames: { 'pun-ensemble': 'Nostro', lear: 'LEAR', 'conformal-walk': 'Ingenuo' },
    mae: 'Errore medio',
    unit: '€/MWh',
    cards: 'Come sono fatti e misurati i modelli',
    none: 'Nulla è stato ancora previsto e valutato.',
  },
})

export const pastForecastTexts = messages({
  en: {
    title: 'Was the forecast right?',
    lead: 'What was forecast for a day, one issue after another, and the price that came.',
    description:
      'For any past day: what each forecast of PUN, PSV and TTF said about it, and how far it was from the price.',
    index: 'Index',
    day: 'Day',
    recent: 'Recent days',
    today: 'Today',
    ago: 'Days before',
    show: 'Show',
    issuedBefore: (days: number) => `${counted(days, 'day')} before`,
    said: (when: string, p50: string, low: string, high: string, day: string) =>
      `The forecast of ${when} said ${p50} €/MWh for ${day}, 80% band ${low} to ${high}.`,
    right: (price: string, error: string) => `The price was ${price} €/MWh: inside the band, the error ${error}.`,
    wrong: (price: string, error: string) => `The price was ${price} €/MWh: outside the band, the error ${error}.`,
    open: 'The price is not known yet.',
    nearest: (days: number) => `Nothing was issued on that day; shown is the issue of ${counted(days, 'day')} before.`,
    noForecast: 'There is no forecast of this day.',
    curve: (when: string) => `The curve of ${when}, and the prices that came`,
    all: (day: string) => `Every forecast of ${day}`,
    allLead: 'The last before the day first.',
    issued: 'Issued',
    model: 'Model',
    replayed: 'replay',
    isReplay: 'This is from a replay: recomputed afterwards with only the data known then.',
    record: 'Track record',
  },
  it: {
    title: 'La previsione era giusta?',
    lead: 'Che cosa era previsto per un giorno, un’emissione dopo l’altra, e il prezzo effettivo.',
    description:
      'Per ogni giorno passato: che cosa ne diceva ciascuna previsione di PUN, PSV e TTF, e quanto era lontana dal prezzo.',
    index: 'Indice',
    day: 'Giorno',
    recent: 'Giorni recenti',
    today: 'Oggi',
    ago: 'Giorni prima',
    show: 'Mostra',
    issuedBefore: (days: number) => `${counted(days, 'giorno', 'giorni')} prima`,
    said: (when: string, p50: string, low: string, high: string, day: string) =>
      `La previsione ${article('del', when)}${when} diceva ${p50} €/MWh per ${day}, intervallo all’80% da ${low} a ${high}.`,
    right: (price: string, error: string) =>
      `Il prezzo è stato ${price} €/MWh: dentro l’intervallo, con un errore di ${error}.`,
    wrong: (price: string, error: string) =>
      `Il prezzo è stato ${price} €/MWh: fuori dall’intervallo, con un errore di ${error}.`,
    open: 'Il prezzo non è ancora noto.',
    nearest: (days: number) =>
      `Quel giorno non è stato emesso nulla; qui c’è l’emissione di ${counted(days, 'giorno', 'giorni')} prima.`,
    noForecast: 'Di questo giorno non c’è una previsione.',
    curve: (when: string) => `La curva ${article('del', when)}${when} e i prezzi effettivi`,
    all: (day: string) => `Tutte le previsioni di ${day}`,
    allLead: 'Dall’ultima prima del giorno alla più vecchia.',
    issued: 'Emessa',
    model: 'Modello',
    replayed: 'simulazione',
    isReplay: 'È una simulazione a posteriori: ricalcolata con i soli dati allora noti.',
    record: 'Risultati delle previsioni',
  },
})
