/** Texts of the documentation’s home page: the purpose of each page in a line. */
import { type Language, messages } from './language.ts'

export const docsTexts = messages({
  title: ['Documentation', 'Documentazione'],
  lead: [
    'Prices as JSON, CSV and SQL. The current ones need no key: paste this into a terminal.',
    'I prezzi in JSON, CSV e SQL. Quelli attuali non richiedono una chiave: incolla questo in un terminale.',
  ],
  now: [
    'The price of this hour and the next ones, to run appliances when energy is cheap, needs no key either:',
    'Anche il prezzo di quest’ora e delle successive, per accendere gli apparecchi quando l’energia costa meno, non richiede una chiave:',
  ],
  groups: [
    {
      start: 'Start',
      use: 'Use',
      understand: 'Understand',
    },
    {
      start: 'Inizia',
      use: 'Usa i dati',
      understand: 'Approfondisci',
    },
  ],
  pages: [
    {
      'quick-start': ['Quick start', 'From the first call to a year of prices, with curl, JavaScript and Python.'],
      authentication: ['Authentication', 'Send, rotate and revoke a key; authentication errors.'],
      'developer-key': ['Get a Developer key', 'Free, by e-mail, in a minute.'],
      limits: ['Limits', 'The limits of each plan, and how requests are counted.'],
      plans: ['Plans', 'What each plan unlocks, endpoint by endpoint.'],
      usage: ['Your key', 'What it has used, its alerts and webhooks, and how to replace it.'],
      trading: ['Trading page', 'Spreads, volatility, correlations and a backtest with sliders.'],
      reference: ['API reference', 'Every operation with its parameters, limits and errors, code in three languages.'],
      api: ['Swagger UI', 'The OpenAPI document, also for operations that change something.'],
      clients: ['Clients', 'JavaScript, Python, the command line, assistants, Grafana, Jupyter: five lines each.'],
      recipes: ['Recipes', 'Ten questions answered in JavaScript and Python, with what they print.'],
      errors: ['Errors', 'Every code, what it means, what to do.'],
      answers: ['Response formats', 'UTC timestamps, CSV dialects, problem details (RFC 9457).'],
      'in-step': ['Keep a copy up to date', 'A change feed, server-sent events and webhooks.'],
      webhooks: ['Webhooks', 'Alerts that call you: verification in four languages, test vectors.'],
      bands: ['Bands and months', 'Monthly prices of F1, F2, F3, peak and off-peak, as bills use them.'],
      integrations: ['Home automation', 'Feeds for evcc, Home Assistant, EMHASS and calendars; the cheapest window.'],
      spreadsheets: ['Spreadsheets', 'Google Sheets, Excel and LibreOffice, always up to date.'],
      fundamentals: ['Fundamentals', 'Load, generation, wind, sun and neighbours, with what was known when.'],
      bulk: ['Bulk files', 'The whole history in one file: layouts of CSV and Parquet.'],
      sql: ['Write a query', 'SQL in the browser with a key: rows, a chart, CSV.'],
      lake: [
        'Files by year, Iceberg',
        'Parquet by year and zone with nightly updates, and tables for Spark, Trino and others.',
      ],
      analysts: ['SQL for analysts', 'Every view and column, with recipes for psql, Excel and Python.'],
      widgets: ['Cards and attribution', 'Prices to embed, and the line that names the source.'],
      methodology: ['Forecasts', 'How they are made, scored and stored, and how to verify that nothing was rewritten.'],
      'methodology-trading': ['Trading indicators', 'Spreads, volatility, correlation and backtests, with every rule.'],
      'offer-indices': ['Offer indices', 'Every rule behind the indices and statistics of retail offers.'],
      growing: [
        'Scaling',
        'From one machine to several processes, replicas and object storage, with the capacity of each.',
      ],
      'sample-data': ['Synthetic sample data', 'What a service without sources shows, and how it labels it.'],
      changes: ['Changelog', 'Changes by version.'],
    },
    {
      'quick-start': ['Primi passi', 'Dalla prima chiamata a un anno di prezzi, con curl, JavaScript e Python.'],
      authentication: ['Autenticazione', 'Inviare, sostituire e revocare una chiave; errori di autenticazione.'],
      'developer-key': ['Ottieni una chiave Developer', 'Gratuita, per e-mail, in un minuto.'],
      limits: ['Limiti', 'I limiti di ogni piano e come si contano le richieste.'],
      plans: ['Piani', 'Che cosa apre ogni piano, endpoint per endpoint.'],
      usage: ['La tua chiave', 'Che cosa ha usato, i suoi avvisi e webhook, e come sostituirla.'],
      trading: ['Pagina di trading', 'Spread, volatilità, correlazioni e un backtest con i cursori.'],
      reference: ['Riferimento API', 'Ogni operazione con parametri, limiti ed errori, codice in tre linguaggi.'],
      api: ['Swagger UI', 'Il documento OpenAPI, anche per le operazioni che modificano qualcosa.'],
      clients: ['Client', 'JavaScript, Python, riga di comando, assistenti, Grafana, Jupyter: cinque righe ciascuno.'],
      recipes: ['Ricette', 'Dieci domande risolte in JavaScript e Python, con ciò che stampano.'],
      errors: ['Errori', 'Ogni codice, che cosa significa e che cosa fare.'],
      answers: ['Formati delle risposte', 'Orari in UTC, varianti del CSV, problem details (RFC 9457).'],
      'in-step': ['Tenere aggiornata una copia', 'Elenco delle modifiche, server-sent events e webhook.'],
      webhooks: ['Webhook', 'Avvisi che chiamano il tuo server: verifica in quattro linguaggi, vettori di prova.'],
      bands: ['Fasce e mesi', 'Prezzi mensili di F1, F2, F3, picco e fuori picco, come nelle bollette.'],
      integrations: ['Domotica', 'Feed per evcc, Home Assistant, EMHASS e calendari; la finestra più economica.'],
      spreadsheets: ['Fogli di calcolo', 'Google Sheets, Excel e LibreOffice, sempre aggiornati.'],
      fundamentals: [
        'Fondamentali',
        'Carico, produzione, vento, sole e mercati vicini, con ciò che era noto e quando.',
      ],
      bulk: ['File completi', 'Tutto lo storico in un file: struttura di CSV e Parquet.'],
      sql: ['Scrivi una query', 'SQL nel browser con una chiave: righe, un grafico, CSV.'],
      lake: [
        'File per anno, Iceberg',
        'Parquet per anno e zona con aggiornamenti notturni, e tabelle per Spark, Trino e altri.',
      ],
      analysts: ['SQL per analisti', 'Ogni vista e colonna, con ricette per psql, Excel e Python.'],
      widgets: ['Schede e attribuzione', 'Prezzi da incorporare, e la riga che indica la fonte.'],
      methodology: [
        'Previsioni',
        'Come sono fatte, valutate e conservate, e come verificare che nulla sia stato riscritto.',
      ],
      'methodology-trading': ['Indicatori di trading', 'Spread, volatilità, correlazione e backtest, con ogni regola.'],
      'offer-indices': [
        'Indici delle offerte',
        'Ogni regola degli indici e delle statistiche delle offerte al dettaglio.',
      ],
      growing: [
        'Scalabilità',
        'Da una macchina a più processi, repliche e object storage, con la capacità di ogni passo.',
      ],
      'sample-data': ['Dati di prova sintetici', 'Che cosa mostra un servizio senza fonti, e come lo segnala.'],
      changes: ['Novità', 'Le modifiche per versione.'],
    },
  ],
})

/** Purpose of a document, from the index of the documentation; model cards have none. */
export function purposeOf(path: string, language: Language): string | undefined {
  const pages: Record<string, string[]> = docsTexts[language].pages
  return pages[path.replace(/^.*\/docs\//, '')]?.[1]
}
