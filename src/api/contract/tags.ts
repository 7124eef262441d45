/** Groups of endpoints, in the order of the documentation. Every endpoint belongs to one of them. */
export const TAGS = {
  'Current prices': 'The latest price of each index.',
  History: 'Daily prices over an interval.',
  'Day-ahead market': 'Zones, hours and quarter-hours.',
  Fundamentals: 'Load, generation, forecasts of them, prices of neighbours and weather.',
  'Retail offers': 'Indices and statistics of free-market offers, never of a single supplier.',
  Forecasts: 'The next day, curves with bands, scenarios, and the track record.',
  Tools: 'Calculations on current prices.',
  Feeds: 'Prices in the shapes that home automation reads.',
  Trading: 'Spreads, volatility, correlations, backtests and SQL.',
  Changes: 'What happened, to keep a copy in step: a list to resume from, and a stream.',
  Alerts: 'Thresholds whose crossing is sent to a webhook.',
  Webhooks: 'Addresses that are called about changes.',
  Bulk: 'The full history of a dataset in one file, in files by year, or what you order of it.',
  'Plans and status': 'What each plan includes, what a key has used, how fresh the data are.',
  Description: 'What the service offers, for programs.',
} as const

export type Tag = keyof typeof TAGS
