/** Reasons why a publisher delivers no document: one type each, since each needs a different reaction. */

/** Not published yet, according to the publisher: try again later, no alarm. */
export class NotYetPublished extends Error {
  override name = 'NotYetPublished'
}

/** The publisher could not be reached or did not respond: time-out, refused connection, 429, 5xx, broken or endless body. */
export class SourceUnreachable extends Error {
  override name = 'SourceUnreachable'
  /** Whether a retry can help; false if only a change here or at the publisher can (400, a redirect to another host). */
  readonly retryable: boolean
  /** The wait that the publisher requests; undefined if none. */
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, options: { retryable: boolean; retryAfterSeconds?: number | undefined }) {
    super(message)
    this.retryable = options.retryable
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** The publisher refuses the credentials: an operator must act, and retries would only do harm. */
export class SourceRefused extends Error {
  override name = 'SourceRefused'
}

/** The daily request budget is used up: continue tomorrow. Nothing is sent to the publisher. */
export class BudgetSpent extends SourceUnreachable {
  override name = 'BudgetSpent'
}

const SHOWN_CHARACTERS = 200

/** The publisher's message as text: without markup and line breaks, shortened. */
function shownText(text: string): string {
  const plain = text
    .replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return plain.length > SHOWN_CHARACTERS ? `${plain.slice(0, SHOWN_CHARACTERS)}…` : plain
}

/** 401 and 403 refuse the credentials; 408, 429 and 5xx are temporary; anything else is final. */
export function meaningOfStatus(status: number, text: string, retryAfterSeconds: number | undefined): Error {
  const words = shownText(text)
  const message = `answers ${status}${words === '' ? '' : ` (${words})`}`
  if (status === 401 || status === 403) return new SourceRefused(message)
  const retryable = status === 408 || status === 429 || status >= 500
  return new SourceUnreachable(message, { retryable, retryAfterSeconds: retryable ? retryAfterSeconds : undefined })
}
