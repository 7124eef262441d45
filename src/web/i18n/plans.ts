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
  title: ['Plans', 'Piani'],
  lead: [
    'What each plan unlocks, endpoint by endpoint: the table that the service enforces. Each plan has everything of those before it.',
    'Che cosa apre ogni piano, endpoint per endpoint: la tabella che il servizio applica. Ogni piano ha tutto ciò che hanno i precedenti.',
  ],
  compare: ['Side by side', 'A confronto'],
  endpoints: ['Endpoints', 'Endpoint'],
  unlocks: [
    (count: number, isFirst: boolean) => (isFirst ? `${count}` : count === 0 ? 'no more' : `${count} more`),
    (count, isFirst) => (isFirst ? `${count}` : count === 0 ? 'nessuno in più' : `${count} in più`),
  ],
  noMore: ['No further endpoints: higher limits.', 'Nessun endpoint in più: limiti più alti.'],
  noMoreBulk: [
    'No further endpoints: limits as agreed, longer scenarios, bulk files of every dataset.',
    'Nessun endpoint in più: limiti concordati, scenari più lunghi, file completi di ogni dataset.',
  ],
  open: ['Without a key.', 'Senza chiave.'],
  developer: ['With a free key.', 'Con una chiave gratuita.'],
  getKey: ['Get one', 'Ottienila'],
  byOperator: ['With a key from the operator.', 'Con una chiave rilasciata dall’operatore.'],
  price: [(euro: string) => `${euro} € a month, VAT excluded.`, (euro) => `${euro} € al mese, IVA esclusa.`],
  onRequest: ['Price on request.', 'Prezzo su richiesta.'],
  has: [
    (minute: string, month: string, history: string) =>
      `${minute} requests a minute, ${month}; daily history: ${history}.`,
    (minute, month, history) => `${minute} richieste al minuto, ${month}; storico giornaliero: ${history}.`,
  ],
  month: [(count: string) => `${count} a month`, (count) => `${count} al mese`],
  noMonth: ['no monthly quota', 'nessuna quota mensile'],
  counted: ['How requests are counted', 'Come si contano le richieste'],
  usage: ['What a key has used', 'Che cosa ha usato una chiave'],
  tags: [englishTags, italianTags],
})
