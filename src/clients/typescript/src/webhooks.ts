/** Verification of webhooks, which are signed according to Standard Webhooks 1.0. */
import { WebhookVerificationError } from './errors.ts'

export interface WebhookCall {
  /** The raw request body, before any parsing. */
  body: string | Uint8Array
  headers: Headers | Record<string, string | string[] | undefined>
  /** Signing secret, `whsec_…`, as returned when the alert or webhook was created. */
  secret: string
  /** Maximum difference between the timestamp of the webhook and the current time. Default: 300. */
  toleranceSeconds?: number
  /** Current Unix time. Default: the system clock. */
  nowSeconds?: number
}

/** Verifies a webhook and returns its parsed body, or throws `WebhookVerificationError`. Deduplicate by the header `webhook-id`. */
export async function verifyWebhook<T = Record<string, unknown>>(call: WebhookCall): Promise<T> {
  const { body, secret, toleranceSeconds = 300, nowSeconds = Date.now() / 1_000 } = call
  const header = (name: string) =>
    call.headers instanceof Headers ? (call.headers.get(name) ?? '') : String(call.headers[name] ?? '')
  const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')]
  if (!id || !/^\d+$/.test(timestamp) || Math.abs(nowSeconds - Number(timestamp)) > toleranceSeconds)
    throw new WebhookVerificationError('The webhook has no id, or its timestamp is outside the tolerance.')
  const key = await crypto.subtle.importKey(
    'raw',
    decode(secret.replace(/^whsec_/, '')),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  )
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  for (const signature of header('webhook-signature').split(' ')) {
    if (!signature.startsWith('v1,')) continue
    if (await crypto.subtle.verify('HMAC', key, decode(signature.slice(3)), signed)) return JSON.parse(text) as T
  }
  throw new WebhookVerificationError('No signature matches the body.')
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}
