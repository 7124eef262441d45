/** Texts about a day's hours and about the zones. */
import { messages } from './language.ts'

export const hourTexts = messages({
  en: {
    today: 'Today',
    tomorrow: 'Tomorrow',
    hourly: 'PUN by the hour',
    quarters: 'PUN by the quarter-hour',
    showHours: 'Hours',
    showQuarters: 'Quarter-hours',
    detail: 'Detail',
    average: 'Average',
    lowest: 'Lowest',
    highest: 'Highest',
    cheapest: 'Cheapest hours',
    band: 'Band',
    start: 'Start',
    hour: 'Hour',
    quarter: 'Quarter',
    price: 'Price',
    table: 'Show as a table',
    chart: (day: string, low: string, high: string) =>
      `Prices of ${day}, from ${low} to ${high}. The table has every value.`,
    partial: (count: number, expected: number) =>
      `${count} of ${expected} intervals are there; the others are missing at the source, so no average is given.`,
    changeDay: (hours: number) => `The clocks change: this day has ${hours} hours.`,
    hoursOnly: 'For this day there are hours only.',
    notYet: (time: string) => `Not published yet. The day-ahead result usually comes at about ${time} in Rome.`,
    late: 'Nothing has been published for this day.',
    bands: {
      F1: 'F1: Monday to Friday, 8 to 19',
      F2: 'F2: weekdays 7 to 8 and 19 to 23, Saturday 7 to 23',
      F3: 'F3: nights, Sundays and holidays',
    },
    zones: 'Market zones',
    zonesOf: (day: string) => `Daily price and distance from the PUN, ${day}`,
    zone: 'Zone',
    spread: 'Against PUN',
    noZones: 'No zonal prices are published.',
  },
  it: {
    today: 'Oggi',
    tomorrow: 'Domani',
    hourly: 'PUN per ora',
    quarters: 'PUN per quarto d’ora',
    showHours: 'Ore',
    showQuarters: 'Quarti d’ora',
    detail: 'Dettaglio',
    average: 'Media',
    lowest: 'Minimo',
    highest: 'Massimo',
    cheapest: 'Ore più convenienti',
    band: 'Fascia',
    start: 'Inizio',
    hour: 'Ora',
    quarter: 'Quarto',
    price: 'Prezzo',
    table: 'Mostra come tabella',
    chart: (day: string, low: string, high: string) =>
      `Prezzi di ${day}, da ${low} a ${high}. La tabella ha tutti i valori.`,
    partial: (count: number, expected: number) =>
      `Sono presenti ${count} intervalli su ${expected}; gli altri mancano alla fonte, perciò non si dà una media.`,
    changeDay: (hours: number) => `Cambia l’ora: questo giorno ha ${hours} ore.`,
    hoursOnly: 'Per questo giorno ci sono solo le ore.',
    notYet: (time: string) => `Non ancora pubblicato. L’esito del mercato arriva di solito verso le ${time} di Roma.`,
    late: 'Per questo giorno non è stato pubblicato nulla.',
    bands: {
      F1: 'F1: da lunedì a venerdì, 8–19',
      F2: 'F2: da lunedì a venerdì 7–8 e 19–23, sabato 7–23',
      F3: 'F3: notti, domeniche e festivi',
    },
    zones: 'Zone di mercato',
    zonesOf: (day: string) => `Prezzo del giorno e distanza dal PUN, ${day}`,
    zone: 'Zona',
    spread: 'Rispetto al PUN',
    noZones: 'Nessun prezzo zonale è pubblicato.',
  },
})

export const zoneNames = messages({
  en: { nord: 'North', cnor: 'Centre-North', csud: 'Centre-South', sud: 'South', sici: 'Sicily', sard: 'Sardinia' },
  it: { nord: 'Nord', cnor: 'Centro-Nord', csud: 'Centro-Sud', sud: 'Sud', sici: 'Sicilia', sard: 'Sardegna' },
})
