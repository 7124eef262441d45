/** The specification's table of limits and its prices; two years of history are 731 days, a leap year included. */
export const SPEC_PLANS = [
  { name: 'Open', priceEurMonth: 0, requestsPerMinute: 60, requestsPerMonth: undefined, historyDepthDays: 30, formats: ['json'] },
  { name: 'Developer', priceEurMonth: 0, requestsPerMinute: 120, requestsPerMonth: 10_000, historyDepthDays: 731, formats: ['json', 'csv'] },
  { name: 'API', priceEurMonth: 99, requestsPerMinute: 600, requestsPerMonth: 100_000, historyDepthDays: 'complete', formats: ['json', 'csv'] },
  { name: 'Pro', priceEurMonth: 499, requestsPerMinute: 1_200, requestsPerMonth: 500_000, historyDepthDays: 'complete', formats: ['json', 'csv'] },
  { name: 'Trading', priceEurMonth: 999, requestsPerMinute: 3_000, requestsPerMonth: 2_000_000, historyDepthDays: 'complete', formats: ['json', 'csv'] },
  { name: 'Enterprise', priceEurMonth: undefined, requestsPerMinute: 10_000, requestsPerMonth: undefined, historyDepthDays: 'complete', formats: ['json', 'csv'] },
]
