/**
 * The environment for a process of the product: the machine's, without what the test runner or the shell set for itself; metrics on a free
 * port, and neither trainings nor bulk files, which cost more than most starts.
 */
const KEPT = ['PATH', 'HOME', 'TMPDIR', 'TZ', 'LANG', 'NODE_COMPILE_CACHE']

export function productEnvironment(settings: Record<string, string>): Record<string, string> {
  const kept = KEPT.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { BULK_EXPORTS: 'off', FORECAST_TRAINING: 'off', METRICS_PORT: '0', ...Object.fromEntries(kept), ...settings }
}
