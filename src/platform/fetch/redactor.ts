/** Removes secrets from text written by others: an error page may repeat the key it refuses. */
import type { Secret } from '../secret.ts'

const REDACTED = '[redacted]'
/** Shorter values would match ordinary words. */
const CHARACTERS_MIN = 4

export class Redactor {
  readonly #values = new Set<string>()

  /** Redacts the values from now on, verbatim and as encoded in a query or in JSON. */
  add(...secrets: Secret[]): void {
    for (const secret of secrets) {
      const value = secret.reveal()
      if (value.length < CHARACTERS_MIN) continue
      for (const form of [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]) this.#values.add(form)
    }
  }

  scrub(text: string): string {
    let scrubbed = text
    for (const value of this.#values) scrubbed = scrubbed.replaceAll(value, REDACTED)
    return scrubbed
  }
}
