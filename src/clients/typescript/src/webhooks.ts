/** Webhooks are signed as Standard Webhooks 1.0. */
import { WebhookVerificationError } from './errors.ts'

export interface WebhookCall {
  /** The raw body, before any parser. */
  body: string | Uint8Array
  headers: Headers | Record<string, string | string[] | undefined>
  /** `whsec_…`, as it was shown when the alert was created. */
  secret: string
  /** How far the call's time may be off. Default: 300. */
  toleranceSeconds?: number
  /** Default: the clock's. */
  nowSeconds?: number
}

/** The content of an authentic call; throws `WebhookVerificationError` otherwise. Recognise repeats by the header `webhook-id`. */
export async function verifyWebhook<T = Record<string, unknown>>(call: WebhookCall): Promise<T> {
  const { body, secret, toleranceSeconds = 300, nowSeconds = Date.now() / 1_000 } = call
  const header = (name: string) =>
    call.headers instanceof Headers ? (call.headers.get(name) ?? '') : String(call.headers[name] ?? '')
  const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')]
  if (!id || !/^\d+$/.test(timestamp) || Math.abs(nowSeconds - Number(timestamp)) > toleranceSeconds)
    throw new WebhookVerificationError('The call has no id, or its time is too far off.')
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
  throw new WebhookVerificationError('No signature of the call fits.')
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}
