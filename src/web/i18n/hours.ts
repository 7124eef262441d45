/** Texts about a day's hours and about the zones. */
import { NATIONAL_ZONE, type ZoneCode } from '../../market/zones.ts'
import { type Language, messages } from './language.ts'

export const hourTexts = messages({
  now: ['Now', 'Adesso'],
  until: [(time: string) => `until ${time}`, (time) => `fino alle ${time}`],
  showIn: ['Show in', 'Mostra in'],
  wholesale: [
    'The wholesale price, without losses, network charges and taxes',
    'Il prezzo all’ingrosso, senza perdite, oneri di rete e imposte',
  ],
  onBill: ['What it makes on your bill', 'Quanto pesa sulla tua bolletta'],
  cheapestNext: ['Cheapest from now on', 'Le ore più convenienti da adesso'],
  lasting: ['For', 'Per'],
  countHours: [
    (count: number) => (count === 1 ? '1 hour' : `${count} hours`),
    (count) => (count === 1 ? '1 ora' : `${count} ore`),
  ],
  before: ['before', 'entro'],
  anyTime: ['any time', 'qualsiasi ora'],
  find: ['Find', 'Trova'],
  noWindow: ['The published prices have no such hours.', 'I prezzi pubblicati non hanno ore così.'],
  toQuarter: ['to the quarter-hour', 'al quarto d’ora'],
  lessThanNow: [(share: string) => `${share} less than now`, (share) => `${share} in meno di adesso`],
  today: ['Today', 'Oggi'],
  lastDay: ['Last day stored', 'Ultimo giorno in archivio'],
  tomorrow: ['Tomorrow', 'Domani'],
  hourly: ['PUN by the hour', 'PUN per ora'],
  quarters: ['PUN by the quarter-hour', 'PUN per quarto d’ora'],
  showHours: ['Hours', 'Ore'],
  showQuarters: ['Quarter-hours', 'Quarti d’ora'],
  detail: ['Detail', 'Dettaglio'],
  average: ['Average', 'Media'],
  lowest: ['Lowest', 'Minimo'],
  highest: ['Highest', 'Massimo'],
  cheapest: ['Cheapest hours', 'Ore più convenienti'],
  cheapestWindow: ['Cheapest three hours in a row', 'Le tre ore di fila più convenienti'],
  dearestWindow: ['Dearest two hours in a row', 'Le due ore di fila più care'],
  thanToday: ['today', 'oggi'],
  thanYesterday: ['yesterday', 'ieri'],
  dayBefore: ['The day before', 'Il giorno prima'],
  scaleStarts: [(from: string) => `scale from ${from}`, (from) => `scala da ${from}`],
  thanDayBefore: ['the day before', 'il giorno prima'],
  above: [(size: string, day: string) => `${size} above ${day}`, (size, day) => `${size} in più di ${day}`],
  below: [(size: string, day: string) => `${size} below ${day}`, (size, day) => `${size} in meno di ${day}`],
  same: [(day: string) => `the same as ${day}`, (day) => `come ${day}`],
  levels: [
    { low: 'cheap', normal: 'near the average', high: 'dear' },
    { low: 'conveniente', normal: 'vicino alla media', high: 'caro' },
  ],
  band: ['Band', 'Fascia'],
  start: ['Start', 'Inizio'],
  hour: ['Hour', 'Ora'],
  quarter: ['Quarter', 'Quarto'],
  price: ['Price', 'Prezzo'],
  table: ['Show as a table', 'Mostra come tabella'],
  chart: [
    (day: string, low: string, high: string) =>
      `Prices of ${day}, from ${low} to ${high}. The table lists every value.`,
    (day, low, high) => `Prezzi di ${day}, da ${low} a ${high}. La tabella ha tutti i valori.`,
  ],
  partial: [
    (count: number, expected: number) =>
      `${count} of ${expected} intervals are available; the source has not published the others, so no average is shown.`,
    (count, expected) =>
      `Sono disponibili ${count} intervalli su ${expected}; la fonte non ha pubblicato gli altri, perciò manca la media.`,
  ],
  changeDay: [
    (hours: number) => `Daylight-saving change: this day has ${hours} hours.`,
    (hours) => `Cambio dell’ora legale: questo giorno ha ${hours} ore.`,
  ],
  hoursOnly: ['Only hourly prices are available for this day.', 'Per questo giorno ci sono solo prezzi orari.'],
  overdue: [
    (time: string) => `The day-ahead result is late: it is usually published at about ${time} Rome time.`,
    (time) => `L’esito del mercato del giorno prima è in ritardo: di solito esce verso le ${time}, ora di Roma.`,
  ],
  notYet: [
    (time: string) => `Not published yet. The day-ahead result is usually published at about ${time} Rome time.`,
    (time) =>
      `Non ancora pubblicato. L’esito del mercato del giorno prima esce di solito verso le ${time}, ora di Roma.`,
  ],
  late: ['Nothing has been published for this day.', 'Per questo giorno non è stato pubblicato nulla.'],
  bands: [
    {
      F1: 'F1: Monday to Friday, 8 to 19',
      F2: 'F2: weekdays 7 to 8 and 19 to 23, Saturday 7 to 23',
      F3: 'F3: nights, Sundays and holidays',
    },
    {
      F1: 'F1: da lunedì a venerdì, 8–19',
      F2: 'F2: da lunedì a venerdì 7–8 e 19–23, sabato 7–23',
      F3: 'F3: notti, domeniche e festivi',
    },
  ],
  zones: ['Market zones', 'Zone di mercato'],
  zonesOf: [
    (day: string) => `Daily price and difference from the PUN, ${day}`,
    (day) => `Prezzo giornaliero e differenza dal PUN, ${day}`,
  ],
  spreads: ['Differences between the zones last week', 'Differenze tra le zone nella settimana scorsa'],
  onMap: ['The zones on a map, hour by hour', 'Le zone sulla mappa, ora per ora'],
  allHours: ['Every hour of a month or a year', 'Tutte le ore di un mese o di un anno'],
  zone: ['Zone', 'Zona'],
  noZones: ['No zonal prices are published.', 'Nessun prezzo zonale pubblicato.'],
})

export const zoneNames = messages({
  nord: ['North', 'Nord'],
  cnor: ['Centre-North', 'Centro-Nord'],
  csud: ['Centre-South', 'Centro-Sud'],
  sud: ['South', 'Sud'],
  cala: ['Calabria', 'Calabria'],
  sici: ['Sicily', 'Sicilia'],
  sard: ['Sardinia', 'Sardegna'],
})

export function zoneName(zone: ZoneCode, language: Language): string {
  return zone === NATIONAL_ZONE ? 'PUN' : zoneNames[language][zone]
}
