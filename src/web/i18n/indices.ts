/** The five indices in words. */
import type { AssetCode } from '../../market/assets.ts'
import { counted } from '../../market/counted.ts'
import { article } from './italian.ts'
import { type Language, messages } from './language.ts'

interface IndexTexts {
  /** Short, for a card. */
  what: string
  /** A sentence or two, for the index's page. */
  about: string
}

const en: Record<AssetCode, IndexTexts> = {
  PUN: {
    what: 'Electricity, Italy',
    about:
      'The PUN is the national price of electricity on the Italian day-ahead market. The price of a day is the mean of its hours, and since ' +
      'October 2025 of its quarter-hours. It is published shortly before 13:00 for the following day.',
  },
  PSV: {
    what: 'Natural gas, Italy',
    about: 'The PSV is the virtual trading point of the Italian gas network. The price is that of the next gas day.',
  },
  TTF: {
    what: 'Natural gas, Europe',
    about: 'The TTF is the Dutch gas hub, the reference for gas in Europe. It has a price on trading days only.',
  },
  Brent: {
    what: 'Crude oil, Europe',
    about:
      'Brent is the reference price of crude oil in Europe, free on board, in dollars a barrel. It has a price on trading days only.',
  },
  CO2: {
    what: 'Emission allowances, EU',
    about:
      'The price of the right to emit a tonne of CO2, as settled at the auctions of the EU emissions trading system. There are no auctions ' +
      'at weekends and on holidays.',
  },
}

const it: Record<AssetCode, IndexTexts> = {
  PUN: {
    what: 'Energia elettrica, Italia',
    about:
      'Il PUN è il prezzo nazionale dell’energia elettrica sul mercato del giorno prima. Il prezzo di un giorno è la media delle sue ore e, da ottobre ' +
      '2025, dei suoi quarti d’ora. È pubblicato poco prima delle 13:00 per il giorno seguente.',
  },
  PSV: {
    what: 'Gas naturale, Italia',
    about: 'Il PSV è il punto di scambio virtuale della rete gas italiana. Il prezzo è quello del giorno gas seguente.',
  },
  TTF: {
    what: 'Gas naturale, Europa',
    about:
      'Il TTF è il mercato olandese, riferimento del gas in Europa. Ha un prezzo solo nei giorni di contrattazione.',
  },
  Brent: {
    what: 'Petrolio greggio, Europa',
    about:
      'Il Brent è il prezzo di riferimento del petrolio in Europa, franco a bordo, in dollari al barile. Ha un prezzo solo nei giorni di contrattazione.',
  },
  CO2: {
    what: 'Quote di emissione, UE',
    about:
      'Il prezzo del diritto di emettere una tonnellata di CO2, come fissato alle aste del sistema europeo di scambio delle quote. Nei fine settimana ' +
      'e nei giorni festivi non ci sono aste.',
  },
}

export const indexTexts: Record<Language, Record<AssetCode, IndexTexts>> = { en, it }

export const priceTexts = messages({
  marketDay: ['Market day', 'Giorno di mercato'],
  published: ['Published', 'Pubblicato'],
  source: ['Source', 'Fonte'],
  sinceYesterday: [(day: string) => `vs ${day}`, (day) => `rispetto ${article('al', day)}${day}`],
  noPrevious: ['no earlier price in the last 30 days', 'nessun prezzo precedente negli ultimi 30 giorni'],
  imported: ['Imported', 'Importato'],
  missing: ['No price is stored.', 'Nessun prezzo in archivio.'],
  age: [
    (days: number) => `not up to date: ${counted(days, 'day')} old`,
    (days) => `non aggiornato: risale a ${counted(days, 'giorno', 'giorni')} fa`,
  ],
  end: [(days: string) => `Prices end on ${days}.`, (days) => `I prezzi finiscono ${article('il', days)}${days}.`],
  endDay: [
    (day: string, codes: string) => (codes === '' ? day : `${day} (${codes})`),
    (day, codes) => (codes === '' ? day : `${day} (${codes})`),
  ],
  nothingOf: [
    (codes: string) => `No price of ${codes} is stored.`,
    (codes) => `Nessun prezzo di ${codes} in archivio.`,
  ],
  whenNext: ['When the next is due', 'Quando è attesa la prossima pubblicazione'],
  nothingNewer: ['The source has published nothing newer.', 'La fonte non ha pubblicato nulla di più recente.'],
  forecastStart: [
    (first: string, last: string) =>
      `The forecast begins on ${first}: prices end on ${last}. It was computed afterwards and is in no ledger.`,
    (first, last) =>
      `La previsione inizia ${article('il', first)}${first}: i prezzi finiscono ${article('il', last)}${last}. È stata calcolata a posteriori e non è in alcun registro.`,
  ],
  toContinue: ['For newer prices, restart the service with', 'Per prezzi più recenti riavvia il servizio con'],
  orImport: ['or import newer files with', 'oppure importa file più recenti con'],
  trend: [
    (from: string, to: string, low: string, high: string) => `From ${from} to ${to}: lowest ${low}, highest ${high}`,
    (from, to, low, high) => `${article('Dal', from)}${from} ${article('al', to)}${to}: minimo ${low}, massimo ${high}`,
  ],
  dailyMean: ['Only the mean of the day is known, not its hours.', 'È nota solo la media del giorno, non le sue ore.'],
  today: ['Today', 'Oggi'],
})
