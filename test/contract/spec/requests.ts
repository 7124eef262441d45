/** What an endpoint cannot be asked without, by its path. Spec: "Parameters and payloads", "Request bodies". */
export const REQUIRED: Record<string, { query?: Record<string, string>; body?: unknown }> = {
  '/trading/backtest': {
    body: {
      asset: 'pun',
      strategy: 'sma_cross',
      from: '2026-10-15',
      to: '2026-11-20',
      params: { fast: 2, slow: 5 },
    },
  },
}
