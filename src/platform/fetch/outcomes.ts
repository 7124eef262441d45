/** The three ways in which a publisher gives no document, told apart by type because each needs another reaction. */

/** Not there yet, in the publisher's own words: ask again later, no alarm. */
export class NotYetPublished extends Error {
  override name = 'NotYetPublished'
}

/** The publisher could not be reached or would not answer now: time-out, refused connection, 429, 5xx, broken or endless body. */
export class SourceUnreachable extends Error {
  override name = 'SourceUnreachable'
  /** Whether asking again can help; false where only a change of ours or of theirs does (400, a foreign redirect). */
  readonly retryable: boolean
  /** How long the publisher asks to be left alone; undefined where it does not say. */
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, options: { retryable: boolean; retryAfterSeconds?: number | undefined }) {
    super(message)
    this.retryable = options.retryable
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** The publisher refuses our credentials: an operator must act, asking again only harms. */
export class SourceRefused extends Error {
  override name = 'SourceRefused'
}

/** The day's budget of requests is used up: go on tomorrow. Never reaches the publisher. */
export class BudgetSpent extends SourceUnreachable {
  override name = 'BudgetSpent'
}
