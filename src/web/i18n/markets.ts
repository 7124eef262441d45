/** Texts of the page of intraday and imbalance prices. */
import type { Market } from '../../market/markets.ts'
import { messages } from './language.ts'

export const marketTexts = messages({
  title: ['After the day-ahead market', 'Dopo il mercato del giorno prima'],
  lead: [
    'What a zone paid in the day-ahead auction, in the intraday markets and for imbalances, in one chart.',
    'Quanto ha pagato una zona nell’asta del giorno prima, nei mercati infragiornalieri e per gli sbilanciamenti, in un solo grafico.',
  ],
  zone: ['Zone', 'Zona'],
  date: ['Day', 'Giorno'],
  show: ['Show', 'Mostra'],
  none: ['Nothing is stored of this day in this zone.', 'Di questo giorno in questa zona non c’è nulla.'],
  next: [
    'Intraday and imbalance prices are fetched once SOURCES names gme-intraday and terna-imbalance, or imported as files.',
    'I prezzi infragiornalieri e di sbilanciamento si scaricano quando SOURCES nomina gme-intraday e terna-imbalance, o si importano da file.',
  ],
  startsAt: ['From', 'Dalle'],
  dayAhead: ['Day-ahead', 'Giorno prima'],
  markets: [
    { 'mi-a1': 'MI-A1', 'mi-a2': 'MI-A2', 'mi-a3': 'MI-A3', xbid: 'XBID', imbalance: 'Imbalance' },
    { 'mi-a1': 'MI-A1', 'mi-a2': 'MI-A2', 'mi-a3': 'MI-A3', xbid: 'XBID', imbalance: 'Sbilanciamento' },
  ],
  imbalanceOf: [
    (macrozone: string) => `Imbalance, macrozone ${macrozone}`,
    (macrozone) => `Sbilanciamento, macrozona ${macrozone}`,
  ],
  preliminary: [
    'The imbalance prices of this day are preliminary: the final ones will replace them.',
    'I prezzi di sbilanciamento di questo giorno sono preliminari: saranno sostituiti da quelli definitivi.',
  ],
  macrozone: [
    (name: 'macro-nord' | 'macro-sud') =>
      `Imbalances of this zone are settled in the macrozone ${name === 'macro-nord' ? 'North' : 'South'}, at one price for surplus and shortage.`,
    (name) =>
      `Gli sbilanciamenti di questa zona si regolano nella macrozona ${name === 'macro-nord' ? 'Nord' : 'Sud'}, a un prezzo unico per eccessi e ammanchi.`,
  ],
  cost: ['What deviating cost', 'Quanto è costato sbilanciarsi'],
  costLead: [
    'Mean of the final imbalance price minus the day-ahead price, by month and hour of the day: above zero, buying the shortfall cost more than buying a day ahead; below zero, a surplus earned less.',
    'Media del prezzo di sbilanciamento definitivo meno il prezzo del giorno prima, per mese e ora del giorno: sopra zero comprare l’ammanco è costato più che comprarlo il giorno prima; sotto zero un eccesso ha reso meno.',
  ],
  month: ['Month', 'Mese'],
  sources: ['Sources', 'Fonti'],
})

export type ShownMarket = Extract<Market, 'mi-a1' | 'mi-a2' | 'mi-a3' | 'xbid' | 'imbalance'>
