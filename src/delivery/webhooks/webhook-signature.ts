/**
 * Signatures of webhook calls. There are two schemes: `X-SVC-Signature`, the hexadecimal HMAC-SHA256 of the raw body keyed
 * with the secret's text (spec, "Events", rule 1), and Standard Webhooks 1.0, `v1,<base64>` over `id.timestamp.body` keyed with the
 * decoded secret, which also stops replays.
 */
import { createHmac } from 'node:crypto'

const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** `whsec_` and 32 random bytes in base64, from a source such as `crypto.randomBytes`. */
export function makeSigningSecret(randomBytes: (size: number) => Uint8Array): string {
  return SECRET_PREFIX + Buffer.from(randomBytes(SECRET_BYTES)).toString('base64')
}

/** 64 lowercase hexadecimal digits. */
export function svcSignature(secret: string, body: string): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}

/** `v1,<base64>`; the timestamp is in whole seconds since 1970. */
export function standardSignature(secret: string, message: { id: string; timestamp: number; body: string }): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  const signed = `${message.id}.${message.timestamp}.${message.body}`
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}
