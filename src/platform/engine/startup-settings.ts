/**
 * Which settings a client may ask for in its startup packet. All clients share the backend's one session, so a setting cannot belong
 * to one of them: a setting that would change an answer is refused; one that the session has already, or that has no effect here, is accepted.
 */

/** Name only, or without effect: nothing interrupts a running statement, and floats are always printed exactly. */
const WITHOUT_EFFECT = new Set([
  'user',
  'database',
  'application_name',
  'fallback_application_name',
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'extra_float_digits',
])

/** Values, in lower case, that say what the session has anyway. */
const SAME_AS_DEFAULT: Record<string, readonly string[]> = {
  client_encoding: ['utf8', 'utf-8', "'utf-8'", 'unicode', 'sql_ascii'],
  client_min_messages: ['warning'],
  datestyle: ['iso', 'iso, mdy'],
  options: [''],
  replication: ['false', 'off', '0'],
  timezone: ['utc', 'gmt', 'etc/utc'],
}

/** `name=value` of the first setting that cannot be granted. */
export function refusedSetting(settings: ReadonlyMap<string, string>): string | undefined {
  for (const [name, value] of settings) {
    const key = name.toLowerCase()
    const granted = WITHOUT_EFFECT.has(key) || SAME_AS_DEFAULT[key]?.includes(value.toLowerCase())
    if (!granted) return `${name}=${value}`
  }
  return undefined
}
