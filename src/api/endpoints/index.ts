/** The site map: every endpoint under `/v1`, in the order in which the documentation shows them. */
import type { Endpoint } from '../http/endpoint.ts'
import { createAlert } from './alerts/create-alert.ts'
import { listAlerts } from './alerts/list-alerts.ts'
import { getBrentToday } from './brent/get-brent-today.ts'
import { createExport } from './bulk/create-export.ts'
import { deleteExport } from './bulk/delete-export.ts'
import { getBulk } from './bulk/get-bulk.ts'
import { getBulkFiles } from './bulk/get-bulk-files.ts'
import { getDataPackage } from './bulk/get-data-package.ts'
import { getExport } from './bulk/get-export.ts'
import { listBulkDatasets } from './bulk/list-datasets.ts'
import { listExports } from './bulk/list-exports.ts'
import { listChanges } from './changes/list-changes.ts'
import { streamChanges } from './changes/stream-changes.ts'
import { getCo2Today } from './co2/get-co2-today.ts'
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
import { getOfferStatistics } from './mercato-libero/get-offer-statistics.ts'
import { getPlans } from './plans/get-plans.ts'
import { getLatestPrice } from './prices/get-latest.ts'
import { getPricesSeries } from './prices/get-series.ts'
import { listAssets } from './prices/list-assets.ts'
import { getProvenance } from './provenance/get-provenance.ts'
import { getPsvToday } from './psv/get-psv-today.ts'
import { getNowAndNext } from './pun/get-now-and-next.ts'
import { getPunBands } from './pun/get-pun-bands.ts'
import { getPunHourly } from './pun/get-pun-hourly.ts'
import { getPunToday } from './pun/get-pun-today.ts'
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
import { getTtfToday } from './ttf/get-ttf-today.ts'
import { getUsage } from './usage/get-usage.ts'
import { changeAlert, changeWebhook } from './webhooks/change.ts'
import { createWebhook } from './webhooks/create-webhook.ts'
import { deleteAlert, deleteWebhook } from './webhooks/delete.ts'
import { getAlert, getWebhook } from './webhooks/get.ts'
import { listAlertDeliveries, listWebhookDeliveries } from './webhooks/list-deliveries.ts'
import { listWebhooks } from './webhooks/list-webhooks.ts'
import { replayAlertDelivery, replayWebhookDelivery } from './webhooks/replay-delivery.ts'
import { resumeAlert, resumeWebhook } from './webhooks/resume.ts'
import { rotateAlertSecret, rotateWebhookSecret } from './webhooks/rotate-secret.ts'
import { testAlert, testWebhook } from './webhooks/test.ts'
import { verifyAlert, verifyWebhook } from './webhooks/verify.ts'
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
  postSql,
  listChanges,
  streamChanges,
  createAlert,
  listAlerts,
  getAlert,
  changeAlert,
  deleteAlert,
  resumeAlert,
  testAlert,
  verifyAlert,
  rotateAlertSecret,
  listAlertDeliveries,
  replayAlertDelivery,
  createWebhook,
  listWebhooks,
  getWebhook,
  changeWebhook,
  deleteWebhook,
  resumeWebhook,
  testWebhook,
  verifyWebhook,
  rotateWebhookSecret,
  listWebhookDeliveries,
  replayWebhookDelivery,
  getTrackRecord, // before the paths in which it would be an asset
  getNextForecast,
  getForecast,
  getHourlyForecast,
  getForecastScenarios,
  listBulkDatasets,
  createExport, // before the paths in which it would be a dataset
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
