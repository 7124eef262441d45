/** The types that fetchers see of the outbound HTTP client. */
import type { Secret } from '../config/secrets.ts'

export interface HttpRequest {
  /** Without credentials: this is what appears in logs and as the address of the document. */
  url: URL
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  /** Sent but never shown. */
  secretHeaders?: Record<string, Secret>
  /** Added to the query when it is sent, never shown. */
  secretQuery?: Record<string, Secret>
  body?: string | Secret
  signal: AbortSignal
  maxBytes?: number
  /** Asks only for what changed since the last accepted document of that address. */
  conditional?: boolean
  /** Statuses beside 200 that are answers to the caller: ENTSO-E says "nothing yet" with 400. */
  accept?: readonly number[]
  /** What a status that is no answer means; undefined leaves it to the client. The text is the body's beginning, secrets taken out. */
  meaningOf?: (status: number, text: string) => Error | undefined
}

export interface HttpAnswer {
  status: number
  /** Lower-case names. */
  headers: Record<string, string>
  /** Decompressed. */
  bytes: Buffer
  receivedAt: Temporal.Instant
}

export interface HttpClient {
  /** Undefined where a conditional request found nothing changed. Fails with the types of outcomes.ts. */
  send(request: HttpRequest): Promise<HttpAnswer | undefined>
}
