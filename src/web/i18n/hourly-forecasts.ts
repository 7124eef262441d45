/** Texts of the hourly forecasts. */

import { counted } from '../../market/counted.ts'
import { messages } from './language.ts'

export const hourlyForecastTexts = messages({
  title: ['Forecast by the hour', 'Previsioni per ora'],
  lead: [
    'Published prices of the day-ahead market, then the forecast of each coming hour with its 80% band, for the PUN and every market zone.',
    'I prezzi pubblicati del mercato del giorno prima, poi la previsione di ogni ora con il suo intervallo all’80%, per il PUN e ogni zona di mercato.',
  ],
  description: [
    'Hourly forecasts of the PUN and the Italian market zones for up to 7 days, with the 80% band and what they were made from.',
    'Previsioni orarie del PUN e delle zone di mercato fino a 7 giorni, con l’intervallo all’80% e i dati da cui nascono.',
  ],
  zone: ['Zone', 'Zona'],
  days: ['Days', 'Giorni'],
  dayCount: [(days: number) => counted(days, 'day'), (days) => counted(days, 'giorno', 'giorni')],
  national: ['PUN', 'PUN'],
  none: [
    'There is no hourly forecast of this zone yet: it needs 35 days of hourly prices.',
    'Di questa zona non c’è ancora una previsione oraria: servono 35 giorni di prezzi orari.',
  ],
  issued: [
    (instant: string, issue: string, day: string) => `Issued ${instant} (${issue}), from prices up to ${day}.`,
    (instant, issue, day) => `Emessa il ${instant} (${issue}), dai prezzi fino al ${day}.`,
  ],
  computed: [
    (instant: string, issue: string, day: string) => `Computed ${instant} (as ${issue}), from prices up to ${day}.`,
    (instant, issue, day) => `Calcolata il ${instant} (come ${issue}), dai prezzi fino al ${day}.`,
  ],
  issues: [
    { 'pre-auction': 'the issue before the auction', midday: 'the midday issue', evening: 'the evening issue' },
    {
      'pre-auction': 'emissione prima dell’asta',
      midday: 'emissione di mezzogiorno',
      evening: 'emissione della sera',
    },
  ],
  chart: [
    (from: string, to: string) =>
      `Prices from ${from} to ${to}: published, then forecast. The table lists every value.`,
    (from, to) => `Prezzi da ${from} a ${to}: prima pubblicati, poi previsti. La tabella ha tutti i valori.`,
  ],
  published: ['Published', 'Pubblicato'],
  median: ['Forecast, median', 'Previsione, mediana'],
  band: ['80% band', 'Intervallo all’80%'],
  kinds: [
    { published: 'published', forecast: 'forecast' },
    { published: 'pubblicato', forecast: 'previsto' },
  ],
  kind: ['Price', 'Prezzo'],
  start: ['Start', 'Inizio'],
  value: ['Price or median', 'Prezzo o mediana'],
  basis: ['What each day was made from', 'I dati dietro ogni giorno'],
  day: ['Day', 'Giorno'],
  mean: ['Mean', 'Media'],
  model: ['Model', 'Modello'],
  inputs: ['Inputs', 'Dati'],
  steps: [
    {
      everything: 'prices, load, wind, solar, neighbouring markets',
      'without-neighbours': 'prices, load, wind, solar',
      'usual-weather': 'prices, load, usual wind and solar',
      'without-weather': 'prices, load',
      'prices-only': 'prices alone',
    },
    {
      everything: 'prezzi, carico, vento, sole, mercati vicini',
      'without-neighbours': 'prezzi, carico, vento, sole',
      'usual-weather': 'prezzi, carico, vento e sole consueti',
      'without-weather': 'prezzi, carico',
      'prices-only': 'solo prezzi',
    },
  ],
  record: ['Errors of the last 30 days', 'Errori degli ultimi 30 giorni'],
  recordOf: [
    (mae: string, coverage: string, n: number) =>
      `Over ${counted(n, 'hour')} the mean absolute error is ${mae} €/MWh, and ${coverage} of prices fell inside the band.`,
    (mae, coverage, n) =>
      `Su ${counted(n, 'ora', 'ore')} l’errore assoluto medio è di ${mae} €/MWh; quota dei prezzi dentro l’intervallo: ${coverage}.`,
  ],
  noRecord: [
    'No issued hour of this zone has been scored yet.',
    'Nessuna ora emessa di questa zona è stata ancora valutata.',
  ],
  links: ['Track record of this zone:', 'Risultati di questa zona:'],
  methodology: ['How forecasts are made and scored', 'Come nascono le previsioni e come sono valutate'],
})
