/** What each endpoint returns: the contract's summary in English, and its translation. */
import type { Endpoint } from '../../api/http/endpoint.ts'
import type { Language } from './language.ts'

const ITALIAN: Readonly<Record<string, string>> = {
  getIndex: 'Elenco degli endpoint',
  getOpenapi: 'Documento OpenAPI 3.1',
  getToday: 'Tutti gli indici in una risposta',
  getPunToday: 'PUN di oggi',
  getPsvToday: 'Ultimo PSV',
  getTtfToday: 'Ultimo TTF',
  getBrentToday: 'Ultimo Brent',
  getCo2Today: 'Ultimo prezzo della CO2',
  getPunHourly: 'Prezzi di una zona per ora e quarto d’ora',
  getPunBands: 'Prezzi mensili di fasce, picco e fuori picco',
  getPunZones: 'Prezzi zonali di un giorno',
  getNowAndNext: 'Prezzo attuale e delle prossime ore',
  listFundamentals: 'Fondamentali disponibili',
  getFundamental: 'Valori di un fondamentale',
  getPricesSeries: 'Serie giornaliera di un indice',
  getSvcIndex: 'Indici del mercato libero',
  getOfferStatistics: 'Statistiche delle offerte del mercato libero',
  getNextForecast: 'Previsione del prossimo giorno di mercato',
  getForecast: 'Curva di previsione con il suo intervallo',
  getHourlyForecast: 'Prezzi pubblicati e previsti di una zona, per ora o quarto d’ora',
  getForecastScenarios: 'Proiezione mensile in tre scenari',
  getTrackRecord: 'Previsioni passate e prezzi effettivi',
  getBillEstimate: 'Stima di una bolletta',
  simulateMargin: 'Margine di un portafoglio',
  getTradingVitals: 'Spread e volatilità di un giorno',
  getTradingCorrelation: 'Correlazione dei rendimenti giornalieri',
  postTradingBacktest: 'Backtest di una strategia',
  postSql: 'Query sulle viste per analisti',
  listChanges: 'Che cosa è cambiato da un cursore in poi',
  streamChanges: 'I cambiamenti mentre avvengono',
  listAlerts: 'Avvisi di una chiave',
  createAlert: 'Crea un avviso',
  getAlert: 'Un avviso',
  deleteAlert: 'Elimina un avviso',
  resumeAlert: 'Riattiva un avviso',
  testAlert: 'Invia una chiamata di prova',
  verifyAlert: 'Verifica un destinatario',
  rotateAlertSecret: 'Sostituisci il segreto delle firme',
  listAlertDeliveries: 'Consegne di un avviso',
  replayAlertDelivery: 'Invia di nuovo un evento',
  getBulk: 'File completo di un dataset',
  getPlans: 'Piani e limiti',
  getUsage: 'Utilizzo di una chiave',
  getStatus: 'Aggiornamento dei dati',
}

/** A summary without a translation stays in English; a test names it. */
export function summaryOf({ id, summary }: Pick<Endpoint, 'id' | 'summary'>, language: Language): string {
  return language === 'it' ? (ITALIAN[id] ?? summary) : summary
}
