/** The specification's endpoints, row by row, plus Arrow. `/bulk/{dataset}` has no cache time: its URLs are signed for each response. */
import type { PlanName } from '../../../src/api/contract/plans.ts'

export interface SpecEndpoint {
  method: string
  path: string
  plan: PlanName
  cacheSeconds: number
  formats: string[]
  /** Status of a success; by default 200, or 204 for DELETE. */
  status?: number
}

type Row = [operation: string, plan: PlanName, cacheSeconds: number, formats: string, status?: number]

const ROWS: Row[] = [
  ['GET /today', 'Open', 900, 'json'],
  ['GET /pun/today', 'Open', 900, 'json'],
  ['GET /psv/today', 'Open', 900, 'json'],
  ['GET /ttf/today', 'Open', 900, 'json'],
  ['GET /brent/today', 'Open', 900, 'json'],
  ['GET /co2/today', 'Open', 900, 'json'],
  ['GET /prices/{asset}/series', 'Open', 3600, 'json csv arrow'],
  ['GET /pun/zones', 'Developer', 3600, 'json csv'],
  ['GET /pun/hourly', 'API', 3600, 'json csv arrow'],
  ['GET /svc-index', 'Open', 21600, 'json'],
  ['GET /mercato-libero/stats', 'API', 21600, 'json csv'],
  ['GET /forecast/{asset}/next', 'Developer', 3600, 'json'],
  ['GET /forecast/{asset}', 'API', 3600, 'json csv'],
  ['GET /forecast/{asset}/scenarios', 'Pro', 21600, 'json csv'],
  ['GET /tools/bill-estimate', 'Open', 21600, 'json'],
  ['POST /tools/margin-simulator', 'Pro', 0, 'json'],
  ['GET /trading/vitals', 'Trading', 900, 'json csv'],
  ['GET /trading/correlation', 'Trading', 3600, 'json'],
  ['POST /trading/backtest', 'Trading', 0, 'json'],
  ['POST /alerts', 'API', 0, 'json'],
  ['GET /bulk/{dataset}', 'Enterprise', 0, 'json'],
  // Not in that table: the index at the base URL, the OpenAPI document, and our additions.
  ['GET /', 'Open', 3600, 'json'],
  ['GET /openapi.json', 'Open', 3600, 'json'],
  ['GET /prices', 'Open', 3600, 'json'],
  ['GET /prices/{asset}/latest', 'Open', 900, 'json'],
  ['GET /bulk', 'Open', 21600, 'json'],
  ['GET /pun/bands', 'Developer', 3600, 'json csv arrow'],
  ['GET /pun/now-and-next', 'Open', 900, 'json csv'],
  ['POST /trading/battery', 'Trading', 0, 'json'],
  ['GET /tools/cheapest-window', 'Open', 900, 'json'],
  ['POST /bulk/exports', 'Enterprise', 0, 'json', 202],
  ['GET /bulk/exports', 'Enterprise', 0, 'json'],
  ['GET /bulk/exports/{id}', 'Enterprise', 0, 'json'],
  ['DELETE /bulk/exports/{id}', 'Enterprise', 0, 'json'],
  ['GET /bulk/{dataset}/datapackage.json', 'Enterprise', 0, 'json'],
  ['GET /bulk/{dataset}/files', 'Enterprise', 0, 'json'],
  ['GET /zones', 'Open', 21600, 'json'],
  ['GET /provenance', 'Developer', 3600, 'json'],
  ['GET /feeds/evcc', 'Developer', 900, 'json'],
  ['GET /feeds/emhass', 'Developer', 900, 'json'],
  ['GET /feeds/home-assistant', 'Developer', 900, 'json'],
  ['GET /feeds/calendar', 'Developer', 900, 'json ics'],
  ['GET /fundamentals', 'API', 3600, 'json'],
  ['GET /fundamentals/{series}', 'API', 900, 'json csv arrow'],
  ['GET /markets', 'API', 3600, 'json'],
  ['GET /markets/{market}/prices', 'API', 900, 'json csv arrow'],
  ['GET /markets/{market}/spreads', 'API', 3600, 'json csv arrow'],
  ['GET /forecast/track-record', 'Open', 3600, 'json csv'],
  ['GET /forecast/{asset}/hourly', 'API', 3600, 'json csv arrow'],
  ['GET /status', 'Open', 60, 'json'],
  ['GET /changes', 'Developer', 0, 'json'],
  ['GET /stream', 'API', 0, 'json'],
  ['POST /webhooks', 'API', 0, 'json', 201],
  ...['/alerts', '/webhooks'].flatMap((path): Row[] => [
    [`GET ${path}`, 'API', 0, 'json'],
    [`GET ${path}/{id}`, 'API', 0, 'json'],
    [`PATCH ${path}/{id}`, 'API', 0, 'json'],
    [`DELETE ${path}/{id}`, 'API', 0, 'json'],
    [`POST ${path}/{id}/resume`, 'API', 0, 'json'],
    [`POST ${path}/{id}/test`, 'API', 0, 'json'],
    [`POST ${path}/{id}/verify`, 'API', 0, 'json'],
    [`POST ${path}/{id}/rotate-secret`, 'API', 0, 'json'],
    [`GET ${path}/{id}/deliveries`, 'API', 0, 'json'],
    [`POST ${path}/{id}/deliveries/{delivery_id}/replay`, 'API', 0, 'json'],
  ]),
  ['GET /plans', 'Open', 21600, 'json'],
  ['POST /sql', 'Trading', 0, 'json csv arrow'],
  ['POST /keys/rotate', 'Developer', 0, 'json'],
  ['GET /usage', 'Developer', 0, 'json'],
]

export const SPEC_ENDPOINTS = ROWS.map(([operation, plan, cacheSeconds, formats, status]): SpecEndpoint => {
  const [method = '', path = ''] = operation.split(' ')
  return { method, path, plan, cacheSeconds, formats: formats.split(' '), ...(status && { status }) }
})
