/** Signs short texts with HMAC-SHA-256 and a key derived from SECRETS_KEY per purpose; all processes with that SECRETS_KEY agree. */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Secret } from './secret.ts'

const KEY_BYTES = 32

interface TextSigner {
  /** The signature in base64url. */
  sign(text: string): string
  isValidSignature(text: string, signature: string): boolean
}

/** `previous`: earlier keys whose signatures are still accepted. */
export function textSigner(purpose: string, current: Secret, previous: readonly Secret[] = []): TextSigner {
  const derive = (secret: Secret) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(secret.reveal(), 'base64'), '', purpose, KEY_BYTES))
  const key = derive(current)
  const keys = [key, ...previous.map(derive)]
  const sign = (by: Buffer, text: string) => createHmac('sha256', by).update(text).digest('base64url')
  return {
    sign: (text) => sign(key, text),
    isValidSignature: (text, given) => keys.map((by) => isEqual(sign(by, text), given)).includes(true),
  }
}

/** Compares the encoded texts, not their bytes, so that variants such as padded ones are refused. */
function isEqual(own: string, given: string): boolean {
  const [a, b] = [Buffer.from(own), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}
