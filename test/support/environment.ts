/**
 * The environment of a product process: the machine's, without the variables that the test runner or the shell set. Metrics use a free
 * port; training and bulk files are off, since they cost more than most starts.
 */
const INHERITED_VARIABLES = ['PATH', 'HOME', 'TMPDIR', 'TZ', 'LANG', 'NODE_COMPILE_CACHE']

export function productEnvironment(settings: Record<string, string>): Record<string, string> {
  const kept = INHERITED_VARIABLES.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { BULK_EXPORTS: 'off', FORECAST_TRAINING: 'off', METRICS_PORT: '0', ...Object.fromEntries(kept), ...settings }
}
