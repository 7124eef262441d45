/** Texts of the page of plans. */
import type { Tag } from '../../api/contract/tags.ts'
import { messages } from './language.ts'

const italianTags: Record<Tag, string> = {
  'Current prices': 'Prezzi attuali',
  History: 'Storico',
  'Day-ahead market': 'Mercato del giorno prima',
  Fundamentals: 'Fondamentali',
  'Retail offers': 'Offerte al dettaglio',
  Forecasts: 'Previsioni',
  Tools: 'Strumenti',
  Feeds: 'Feed',
  Trading: 'Trading',
  Changes: 'Cambiamenti',
  Alerts: 'Avvisi',
  Webhooks: 'Webhook',
  Bulk: 'File completi',
  'Plans and status': 'Piani e stato',
  Description: 'Descrizione',
}
const englishTags = Object.fromEntries(Object.keys(italianTags).map((tag) => [tag, tag])) as Record<Tag, string>

export const planTexts = messages({
  en: {
    title: 'Plans',
    lead: 'What each plan unlocks, endpoint by endpoint: the table that the service enforces. Each plan has everything of those before it.',
    compare: 'Side by side',
    endpoints: 'Endpoints',
    unlocks: (count: number, isFirst: boolean) => (isFirst ? `${count}` : count === 0 ? 'no more' : `${count} more`),
    noMore: 'No further endpoints: higher limits.',
    noMoreBulk: 'No further endpoints: limits as agreed, longer scenarios, bulk files of every dataset.',
    open: 'Without a key.',
    developer: 'With a free key.',
    getKey: 'Get one',
    byOperator: 'With a key from the operator.',
    price: (euro: string) => `${euro} € a month, VAT excluded.`,
    onRequest: 'Price on request.',
    has: (minute: string, month: string, history: string) =>
      `${minute} requests a minute, ${month}; daily history: ${history}.`,
    month: (count: string) => `${count} a month`,
    noMonth: 'no monthly quota',
    counted: 'How requests are counted',
    usage: 'What a key has used',
    tags: englishTags,
  },
  it: {
    title: 'Piani',
    lead: 'Che cosa apre ogni piano, endpoint per endpoint: la tabella che il servizio applica. Ogni piano ha tutto ciò che hanno i precedenti.',
    compare: 'A confronto',
    endpoints: 'Endpoint',
    unlocks: (count: number, isFirst: boolean) =>
      isFirst ? `${count}` : count === 0 ? 'nessuno in più' : `${count} in più`,
    noMore: 'Nessun endpoint in più: limiti più alti.',
    noMoreBulk: 'Nessun endpoint in più: limiti concordati, scenari più lunghi, file completi di ogni dataset.',
    open: 'Senza chiave.',
    developer: 'Con una chiave gratuita.',
    getKey: 'Ottienila',
    byOperator: 'Con una chiave rilasciata dall’operatore.',
    price: (euro: string) => `${euro} € al mese, IVA esclusa.`,
    onRequest: 'Prezzo su richiesta.',
    has: (minute: string, month: string, history: string) =>
      `${minute} richieste al minuto, ${month}; storico giornaliero: ${history}.`,
    month: (count: string) => `${count} al mese`,
    noMonth: 'nessuna quota mensile',
    counted: 'Come si contano le richieste',
    usage: 'Che cosa ha usato una chiave',
    tags: italianTags,
  },
})
