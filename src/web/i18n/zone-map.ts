/** Texts of the map of zones. */
import { messages } from './language.ts'

export const zoneMapTexts = messages({
  title: ['Market zones', 'Zone di mercato'],
  lead: [
    'The seven market zones hour by hour: where power is dear or cheap, and the difference from the PUN.',
    'Le sette zone di mercato ora per ora: dove l’elettricità costa di più o di meno, e la differenza dal PUN.',
  ],
  day: ['Market day', 'Giorno di mercato'],
  wholeDay: ['the whole day', 'tutto il giorno'],
  measure: ['Figures', 'Valori'],
  measures: [
    { difference: 'Difference from the PUN', price: 'Price' },
    { difference: 'Differenza dal PUN', price: 'Prezzo' },
  ],
  show: ['Show', 'Mostra'],
  none: ['No prices are published for this day.', 'Per questo giorno non è pubblicato alcun prezzo.'],
  chart: [
    'Map of the market zones. The table below has every figure.',
    'Mappa delle zone di mercato. La tabella qui sotto ha tutti i valori.',
  ],
  even: ['as the PUN', 'come il PUN'],
  more: [(amount: string) => `${amount} and more`, (amount) => `${amount} e oltre`],
  table: ['Zones by hour', 'Zone per ora'],
  tableLead: ['Prices; the shade is the difference from the PUN.', 'I prezzi; la tinta è la differenza dal PUN.'],
  hour: ['From', 'Dalle'],
  against: ['against the PUN', 'rispetto al PUN'],
  source: ['Source', 'Fonte'],
  map: [
    'Map: MapSVG, CC BY 4.0, simplified; zones are drawn along the borders of regions.',
    'Mappa: MapSVG, CC BY 4.0, semplificata; le zone seguono i confini delle regioni.',
  ],
})
