/** Texts about a day's hours and about the zones. */
import { NATIONAL_ZONE, type ZoneCode } from '../../market/zones.ts'
import { type Language, messages } from './language.ts'

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
    cheapestWindow: 'Cheapest three hours in a row',
    dearestWindow: 'Dearest two hours in a row',
    thanToday: 'today',
    thanYesterday: 'yesterday',
    above: (size: string, day: string) => `${size} above ${day}`,
    below: (size: string, day: string) => `${size} below ${day}`,
    same: (day: string) => `the same as ${day}`,
    levels: { low: 'cheap', normal: 'near the average', high: 'dear' },
    band: 'Band',
    start: 'Start',
    hour: 'Hour',
    quarter: 'Quarter',
    price: 'Price',
    table: 'Show as a table',
    chart: (day: string, low: string, high: string) =>
      `Prices of ${day}, from ${low} to ${high}. The table lists every value.`,
    partial: (count: number, expected: number) =>
      `${count} of ${expected} intervals are available; the source has not published the others, so no average is shown.`,
    changeDay: (hours: number) => `Daylight-saving change: this day has ${hours} hours.`,
    hoursOnly: 'Only hourly prices are available for this day.',
    notYet: (time: string) =>
      `Not published yet. The day-ahead result is usually published at about ${time} Rome time.`,
    late: 'Nothing has been published for this day.',
    bands: {
      F1: 'F1: Monday to Friday, 8 to 19',
      F2: 'F2: weekdays 7 to 8 and 19 to 23, Saturday 7 to 23',
      F3: 'F3: nights, Sundays and holidays',
    },
    zones: 'Market zones',
    zonesOf: (day: string) => `Daily price and difference from the PUN, ${day}`,
    onMap: 'The zones on a map, hour by hour',
    allHours: 'Every hour of a month or a year',
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
    cheapestWindow: 'Le tre ore di fila più convenienti',
    dearestWindow: 'Le due ore di fila più care',
    thanToday: 'oggi',
    thanYesterday: 'ieri',
    above: (size: string, day: string) => `${size} in più di ${day}`,
    below: (size: string, day: string) => `${size} in meno di ${day}`,
    same: (day: string) => `come ${day}`,
    levels: { low: 'conveniente', normal: 'vicino alla media', high: 'caro' },
    band: 'Fascia',
    start: 'Inizio',
    hour: 'Ora',
    quarter: 'Quarto',
    price: 'Prezzo',
    table: 'Mostra come tabella',
    chart: (day: string, low: string, high: string) =>
      `Prezzi di ${day}, da ${low} a ${high}. La tabella ha tutti i valori.`,
    partial: (count: number, expected: number) =>
      `Sono disponibili ${count} intervalli su ${expected}; la fonte non ha pubblicato gli altri, perciò manca la media.`,
    changeDay: (hours: number) => `Cambio dell’ora legale: questo giorno ha ${hours} ore.`,
    hoursOnly: 'Per questo giorno ci sono solo prezzi orari.',
    notYet: (time: string) =>
      `Non ancora pubblicato. L’esito del mercato del giorno prima esce di solito verso le ${time}, ora di Roma.`,
    late: 'Per questo giorno non è stato pubblicato nulla.',
    bands: {
      F1: 'F1: da lunedì a venerdì, 8–19',
      F2: 'F2: da lunedì a venerdì 7–8 e 19–23, sabato 7–23',
      F3: 'F3: notti, domeniche e festivi',
    },
    zones: 'Zone di mercato',
    zonesOf: (day: string) => `Prezzo giornaliero e differenza dal PUN, ${day}`,
    onMap: 'Le zone sulla mappa, ora per ora',
    allHours: 'Tutte le ore di un mese o di un anno',
    zone: 'Zona',
    spread: 'Rispetto al PUN',
    noZones: 'Nessun prezzo zonale pubblicato.',
  },
})

export const zoneNames = messages({
  en: {
    nord: 'North',
    cnor: 'Centre-North',
    csud: 'Centre-South',
    sud: 'South',
    cala: 'Calabria',
    sici: 'Sicily',
    sard: 'Sardinia',
  },
  it: {
    nord: 'Nord',
    cnor: 'Centro-Nord',
    csud: 'Centro-Sud',
    sud: 'Sud',
    cala: 'Calabria',
    sici: 'Sicilia',
    sard: 'Sardegna',
  },
})

export function zoneName(zone: ZoneCode, language: Language): string {
  return zone === NATIONAL_ZONE ? 'PUN' : zoneNames[language][zone]
}
