/** Required parameters and bodies by operation. Spec: "Parameters and payloads", "Request bodies". */
export const REQUIRED: Record<string, { query?: Record<string, string>; body?: unknown }> = {
  'GET /mercato-libero/stats': { query: { commodity: 'luce' } },
  'GET /tools/bill-estimate': { query: { commodity: 'luce', consumption: '2700' } },
  'GET /tools/cheapest-window': { query: { hours: '2' } },
  'POST /tools/margin-simulator': {
    body: {
      commodity: 'luce',
      spread_eur_kwh: 0.015,
      fixed_fee_eur_month: 10,
      portfolio: { customers: 1000, avg_consumption_kwh: 2700 },
    },
  },
  'POST /trading/backtest': {
    body: { asset: 'pun', strategy: 'sma_cross', from: '2026-10-15', to: '2026-11-20', params: { fast: 2, slow: 5 } },
  },
  'POST /trading/battery': { body: { from: '2026-11-21', to: '2026-11-21' } },
  'GET /provenance': { query: { date: '2026-11-21' } },
  'POST /keys/rotate': { body: { overlap_hours: 720 } },
  'POST /sql': { body: { sql: 'select 1 as one' } },
  'POST /alerts': {
    body: { asset: 'pun', condition: 'above', threshold: 150, webhook_url: 'https://hooks.example.com/energy' },
  },
  'POST /bulk/exports': { body: { dataset: 'pun-hourly', from: '2026-11-21', to: '2026-11-21', format: 'csv.gz' } },
  'PATCH /alerts/{id}': { body: { threshold: 160 } },
  'PATCH /webhooks/{id}': { body: { events: ['day.corrected'] } },
  'POST /webhooks': { body: { url: 'https://hooks.example.com/energy', events: ['day.published'] } },
}
