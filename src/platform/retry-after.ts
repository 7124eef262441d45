const HTTP_DATE = /^[A-Z][a-z]{2}, /

/** `Retry-After` as whole seconds from now: a number of them, or a date; undefined where it is absent or unreadable. */
export function retryAfterSeconds(header: string | undefined, now: Temporal.Instant): number | undefined {
  const text = header?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const atMs = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(atMs) ? undefined : Math.max(0, Math.ceil((atMs - now.epochMilliseconds) / 1000))
}
