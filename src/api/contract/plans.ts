/** The plans, in ascending order. Spec: "Plans", "Limits". Enforcement, headers, OpenAPI and docs read this table. */

export const PLAN_NAMES = ['Open', 'Developer', 'API', 'Pro', 'Trading', 'Enterprise'] as const
export type PlanName = (typeof PLAN_NAMES)[number]

/** `complete`: every stored day. */
export type HistoryDepthDays = number | 'complete'

/** Response formats of an endpoint. */
export const FORMATS = ['json', 'csv', 'arrow', 'ics'] as const
export type Format = (typeof FORMATS)[number]
/** Formats of the daily series, each with the lowest plan that includes it. */
export const SERIES_FORMATS = ['json', 'csv', 'arrow'] as const satisfies readonly Format[]
export type SeriesFormat = (typeof SERIES_FORMATS)[number]

export interface Plan {
  name: PlanName
  /** € a month, VAT excluded; undefined if on request. */
  priceEurMonth: number | undefined
  /** Per IP on Open, per key elsewhere. Enterprise: the default of a key without an agreed figure. */
  requestsPerMinute: number
  /** Undefined: no quota. */
  requestsPerMonth: number | undefined
  /** How far back a daily series reaches, counted from today. */
  historyDepthDays: HistoryDepthDays
  /** Formats of the daily series. */
  formats: readonly SeriesFormat[]
  /** Maximum number of months of a scenario forecast; undefined if the plan does not include it. */
  scenarioMonthsMax: number | undefined
  bulk: boolean
  /** Concurrent event streams per key, in each API process. */
  streamsMax: number
  /** Change webhooks per key. */
  webhooksMax: number
}

export const PLANS: Record<PlanName, Plan> = {
  Open: {
    name: 'Open',
    priceEurMonth: 0,
    requestsPerMinute: 60,
    requestsPerMonth: undefined,
    historyDepthDays: 30,
    formats: ['json'],
    scenarioMonthsMax: undefined,
    bulk: false,
    streamsMax: 0,
    webhooksMax: 0,
  },
  Developer: {
    name: 'Developer',
    priceEurMonth: 0,
    requestsPerMinute: 120,
    requestsPerMonth: 10_000,
    historyDepthDays: 731,
    formats: ['json', 'csv'],
    scenarioMonthsMax: undefined,
    bulk: false,
    streamsMax: 0,
    webhooksMax: 0,
  },
  API: {
    name: 'API',
    priceEurMonth: 99,
    requestsPerMinute: 600,
    requestsPerMonth: 100_000,
    historyDepthDays: 'complete',
    formats: SERIES_FORMATS,
    scenarioMonthsMax: undefined,
    bulk: false,
    streamsMax: 5,
    webhooksMax: 5,
  },
  Pro: {
    name: 'Pro',
    priceEurMonth: 499,
    requestsPerMinute: 1200,
    requestsPerMonth: 500_000,
    historyDepthDays: 'complete',
    formats: SERIES_FORMATS,
    scenarioMonthsMax: 12,
    bulk: false,
    streamsMax: 20,
    webhooksMax: 20,
  },
  Trading: {
    name: 'Trading',
    priceEurMonth: 999,
    requestsPerMinute: 3000,
    requestsPerMonth: 2_000_000,
    historyDepthDays: 'complete',
    formats: SERIES_FORMATS,
    scenarioMonthsMax: 12,
    bulk: false,
    streamsMax: 50,
    webhooksMax: 50,
  },
  Enterprise: {
    name: 'Enterprise',
    priceEurMonth: undefined,
    requestsPerMinute: 10_000,
    requestsPerMonth: undefined,
    historyDepthDays: 'complete',
    formats: SERIES_FORMATS,
    scenarioMonthsMax: 24,
    bulk: true,
    streamsMax: 200,
    webhooksMax: 200,
  },
}

/** Limits of the pages and their CSV files without a key, more generous than those of the Open plan: they are for people, and programs need a key. */
export const PAGES = {
  /** Per IP, counted separately from the API. */
  requestsPerMinute: 300,
  /** Applies to charts of days; the page of hours has every stored year. */
  historyDepthDays: 3_653,
  /** Open home pages per IP address that wait for tomorrow's prices, in each API process. */
  streamsMax: 20,
} as const satisfies Partial<Plan>

/** Whether a caller with the plan `held` may use a feature of the plan `needed`: plans are ascending. */
export function planIncludes(held: PlanName, needed: PlanName): boolean {
  return PLAN_NAMES.indexOf(held) >= PLAN_NAMES.indexOf(needed)
}

/** The lowest plan that matches: `lowestPlan(({ bulk }) => bulk)` is `Enterprise`. */
export function lowestPlan(has: (plan: Plan) => boolean): PlanName {
  const found = PLAN_NAMES.find((name) => has(PLANS[name]))
  if (found === undefined) throw new Error('no plan matches')
  return found
}
