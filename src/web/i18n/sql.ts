/** Texts of the SQL editor. */
import { html } from '../html.ts'
import { messages } from './language.ts'

export const sqlTexts = messages({
  title: ['SQL', 'SQL'],
  lead: [
    html`A query on the views and functions for analysts, answered as rows and, where they have a time, as a chart. It needs a key of the Trading
plan.`,
    html`Una query sulle viste e funzioni per analisti, con le righe in risposta e, se hanno un orario, un grafico. Serve una chiave del piano
Trading.`,
  ],
  about: ['What each view and function is', 'Che cosa sono le viste e le funzioni'],
  off: [
    'This service uses a database server without a server for analysts, so queries are not answered here. Its operator can set',
    'Questo servizio usa un server di database senza un server per analisti, quindi qui le query non hanno risposta. Chi lo gestisce può impostare',
  ],
  query: ['Query', 'Query'],
  queryHint: [
    'One SELECT. Ctrl+Enter runs it. It is kept in the address, which you can save or share.',
    'Una SELECT. Ctrl+Invio la esegue. Resta nell’indirizzo, che puoi salvare o condividere.',
  ],
  key: ['Key', 'Chiave'],
  keyHint: [
    'Kept in this browser only, and sent to this service only.',
    'Resta solo in questo browser, e va solo a questo servizio.',
  ],
  explain: ['Explain', 'Spiega'],
  run: ['Run', 'Esegui'],
  more: ['Next rows', 'Righe successive'],
  csv: ['Download CSV', 'Scarica CSV'],
  stop: ['Stop', 'Ferma'],
  forget: ['Forget the key', 'Dimentica la chiave'],
  plan: ['Plan', 'Piano'],
  result: ['Rows', 'Righe'],
  views: ['Views', 'Viste'],
  functions: ['Functions', 'Funzioni'],
  examples: ['Examples', 'Esempi'],
  exampleNames: [
    {
      days: 'Prices of the last month, North',
      bands: 'Bands by month, PUN',
      spread: 'Spread of North and South by hour',
      level: 'Hours below 60 €/MWh',
    },
    {
      days: 'Prezzi dell’ultimo mese, Nord',
      bands: 'Fasce per mese, PUN',
      spread: 'Spread tra Nord e Sud per ora',
      level: 'Ore sotto 60 €/MWh',
    },
  ],
  needsKey: ['Enter a key of the Trading plan.', 'Inserisci una chiave del piano Trading.'],
  needsQuery: ['Enter a query.', 'Inserisci una query.'],
  /** Texts of the script, which fills in `{…}`. */
  script: [
    {
      running: 'Running…',
      stopped: 'Stopped.',
      rows: '{rows} rows in {seconds} s',
      first: 'the first {rows} are shown',
      truncated: 'there are more',
      line: 'Line {line}, character {column}: {message}',
      unreachable: 'The service cannot be reached.',
      saved: 'Saved.',
      forgotten: 'The key is no longer kept here.',
    },
    {
      running: 'In esecuzione…',
      stopped: 'Fermata.',
      rows: '{rows} righe in {seconds} s',
      first: 'si vedono le prime {rows}',
      truncated: 'ce ne sono altre',
      line: 'Riga {line}, carattere {column}: {message}',
      unreachable: 'Il servizio non è raggiungibile.',
      saved: 'Salvato.',
      forgotten: 'La chiave non è più conservata qui.',
    },
  ],
})
