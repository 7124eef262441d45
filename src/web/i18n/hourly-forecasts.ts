/** Texts of the hourly forecasts. */

import { counted } from '../../market/counted.ts'
import { messages } from './language.ts'

export const hourlyForecastTexts = messages({
  en: {
    title: 'Forecast by the hour',
    lead: 'Published prices of the day-ahead market, then the forecast of each coming hour with its 80 % band, for the PUN and every market zone.',
    description:
      'Hourly forecasts of the PUN and the Italian market zones for up to 7 days, with the 80 % band and what they were made from.',
    zone: 'Zone',
    days: 'Days',
    dayCount: (days: number) => counted(days, 'day'),
    national: 'PUN',
    none: 'There is no hourly forecast of this zone yet: it needs 35 days of hourly prices.',
    issued: (instant: string, issue: string, day: string) => `Issued ${instant} (${issue}), from prices up to ${day}.`,
    computed: (instant: string, issue: string, day: string) =>
      `Computed ${instant} (as ${issue}), from prices up to ${day}.`,
    issues: { 'pre-auction': 'the issue before the auction', midday: 'the midday issue', evening: 'the evening issue' },
    chart: (from: string, to: string) =>
      `Prices from ${from} to ${to}: published, then forecast. The table lists every value.`,
    published: 'Published',
    median: 'Forecast, median',
    band: '80 % band',
    kinds: { published: 'published', forecast: 'forecast' },
    kind: 'Price',
    start: 'Start',
    value: 'Price or median',
    basis: 'What each day was made from',
    day: 'Day',
    mean: 'Mean',
    model: 'Model',
    inputs: 'Inputs',
    steps: {
      everything: 'prices, load, wind, solar, neighbouring markets',
      'without-neighbours': 'prices, load, wind, solar',
      'usual-weather': 'prices, load, usual wind and solar',
      'without-weather': 'prices, load',
      'prices-only': 'prices alone',
    },
    record: 'Errors of the last 30 days',
    recordOf: (mae: string, coverage: string, n: number) =>
      `Over ${counted(n, 'hour')} the mean absolute error is ${mae} €/MWh, and ${coverage} of prices fell inside the band.`,
    noRecord: 'No issued hour of this zone has been scored yet.',
    links: 'Track record of this zone:',
    methodology: 'How forecasts are made and scored',
  },
  it: {
    title: 'Previsioni per ora',
    lead: 'I prezzi pubblicati del mercato del giorno prima, poi la previsione di ogni ora con il suo intervallo all’80%, per il PUN e ogni zona di mercato.',
    description:
      'Previsioni orarie del PUN e delle zone di mercato fino a 7 giorni, con l’intervallo all’80% e i dati da cui nascono.',
    zone: 'Zona',
    days: 'Giorni',
    dayCount: (days: number) => counted(days, 'giorno', 'giorni'),
    national: 'PUN',
    none: 'Di questa zona non c’è ancora una previsione oraria: servono 35 giorni di prezzi orari.',
    issued: (instant: string, issue: string, day: string) =>
      `Emessa il ${instant} (${issue}), dai prezzi fino al ${day}.`,
    computed: (instant: string, issue: string, day: string) =>
      `Calcolata il ${instant} (come ${issue}), dai prezzi fino al ${day}.`,
    issues: {
      'pre-auction': 'emissione prima dell’asta',
      midday: 'emissione di mezzogiorno',
      evening: 'emissione della sera',
    },
    chart: (from: string, to: string) =>
      `Prezzi da ${from} a ${to}: prima pubblicati, poi previsti. La tabella ha tutti i valori.`,
    published: 'Pubblicato',
    median: 'Previsione, mediana',
    band: 'Intervallo all’80%',
    kinds: { published: 'pubblicato', forecast: 'previsto' },
    kind: 'Prezzo',
    start: 'Inizio',
    value: 'Prezzo o mediana',
    basis: 'I dati dietro ogni giorno',
    day: 'Giorno',
    mean: 'Media',
    model: 'Modello',
    inputs: 'Dati',
    steps: {
      everything: 'prezzi, carico, vento, sole, mercati vicini',
      'without-neighbours': 'prezzi, carico, vento, sole',
      'usual-weather': 'prezzi, carico, vento e sole consueti',
      'without-weather': 'prezzi, carico',
      'prices-only': 'solo prezzi',
    },
    record: 'Errori degli ultimi 30 giorni',
    recordOf: (mae: string, coverage: string, n: number) =>
      `Su ${counted(n, 'ora', 'ore')} l’errore assoluto medio è di ${mae} €/MWh; quota dei prezzi dentro l’intervallo: ${coverage}.`,
    noRecord: 'Nessuna ora emessa di questa zona è stata ancora valutata.',
    links: 'Risultati di questa zona:',
    methodology: 'Come nascono le previsioni e come sono valutate',
  },
})
