/** The site map: every endpoint under `/v1`, in the order in which the documentation shows them. */

import type { Endpoint } from '../http/endpoint.ts'
import { createExport, deleteExport, getExport, listExports } from './bulk/exports.ts'
import { getBulk, getBulkFiles, getDataPackage, listBulkDatasets } from './bulk/files.ts'
import { listChanges } from './changes/list-changes.ts'
import { streamChanges } from './changes/stream-changes.ts'
import { getBrentToday, getCo2Today, getPsvToday, getPunToday, getTtfToday } from './daily-prices.ts'
import { getCalendarFeed } from './feeds/get-calendar-feed.ts'
import { getEmhassFeed } from './feeds/get-emhass-feed.ts'
import { getEvccFeed } from './feeds/get-evcc-feed.ts'
import { getHomeAssistantFeed } from './feeds/get-home-assistant-feed.ts'
import { getForecast } from './forecast/get-forecast.ts'
import { getForecastScenarios } from './forecast/get-forecast-scenarios.ts'
import { getHourlyForecast } from './forecast/get-hourly-forecast.ts'
import { getNextForecast } from './forecast/get-next-forecast.ts'
import { getTrackRecord } from './forecast/get-track-record.ts'
import { getFundamental } from './fundamentals/get-fundamental.ts'
import { listFundamentals } from './fundamentals/list-fundamentals.ts'
import { getIndex } from './get-index.ts'
import { getOpenapi } from './get-openapi.ts'
import { rotateKey } from './keys/rotate-key.ts'
import { getMarketPrices } from './markets/get-market-prices.ts'
import { getMarketSpreads } from './markets/get-market-spreads.ts'
import { listMarkets } from './markets/list-markets.ts'
import { getOfferStatistics } from './mercato-libero/get-offer-statistics.ts'
import { getPlans } from './plans/get-plans.ts'
import { getLatestPrice } from './prices/get-latest.ts'
import { getPricesSeries } from './prices/get-series.ts'
import { listAssets } from './prices/list-assets.ts'
import { getProvenance } from './provenance/get-provenance.ts'
import { getNowAndNext } from './pun/get-now-and-next.ts'
import { getPunBands } from './pun/get-pun-bands.ts'
import { getPunHourly } from './pun/get-pun-hourly.ts'
import { getPunZones } from './pun/get-pun-zones.ts'
import { postSql } from './sql/post-sql.ts'
import { getStatus } from './status/get-status.ts'
import { getSvcIndex } from './svc-index/get-svc-index.ts'
import { getToday } from './today/get-today.ts'
import { getBillEstimate } from './tools/get-bill-estimate.ts'
import { getCheapestWindow } from './tools/get-cheapest-window.ts'
import { postMarginSimulator } from './tools/post-margin-simulator.ts'
import { getTradingCorrelation } from './trading/get-correlation.ts'
import { getTradingVitals } from './trading/get-vitals.ts'
import { postTradingBacktest } from './trading/post-backtest.ts'
import { postTradingBattery } from './trading/post-battery.ts'
import { getUsage } from './usage/get-usage.ts'
import { ALERT_ENDPOINTS } from './webhooks/alerts.ts'
import { WEBHOOK_ENDPOINTS } from './webhooks/webhooks.ts'
import { listZones } from './zones/list-zones.ts'

export const endpoints: readonly Endpoint[] = [
  getToday,
  getPunToday,
  getPsvToday,
  getTtfToday,
  getBrentToday,
  getCo2Today,
  getLatestPrice,
  listAssets,
  getPricesSeries,
  getPunZones,
  getPunHourly,
  getPunBands,
  getNowAndNext,
  listZones,
  listFundamentals,
  getFundamental,
  listMarkets,
  getMarketPrices,
  getMarketSpreads,
  getSvcIndex,
  getOfferStatistics,
  getBillEstimate,
  getCheapestWindow,
  postMarginSimulator,
  getEvccFeed,
  getEmhassFeed,
  getHomeAssistantFeed,
  getCalendarFeed,
  getTradingVitals,
  getTradingCorrelation,
  postTradingBacktest,
  postTradingBattery,
  postSql,
  listChanges,
  streamChanges,
  ...ALERT_ENDPOINTS,
  ...WEBHOOK_ENDPOINTS,
  getTrackRecord, // before `/forecast/{asset}`, which would match its path
  getNextForecast,
  getForecast,
  getHourlyForecast,
  getForecastScenarios,
  listBulkDatasets,
  createExport, // before `/bulk/{dataset}`, which would match its path
  listExports,
  getExport,
  deleteExport,
  getBulk,
  getBulkFiles,
  getDataPackage,
  getStatus,
  getProvenance,
  getPlans,
  getUsage,
  rotateKey,
  getIndex,
  getOpenapi,
]
