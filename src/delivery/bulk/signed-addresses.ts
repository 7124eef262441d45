/**
 * URLs that open one file until an instant, without a key: `/downloads/<name>?expires=<seconds since 1970>&signature=<base64url>`.
 * The signature is an HMAC-SHA-256 over name and expiry under a key derived from SECRETS_KEY, so every process that has it agrees.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { DOWNLOADS_PATH } from '../../api/contract/bulk.ts'
import type { Secret } from '../../platform/secret.ts'

const KEY_PURPOSE = 'bulk download addresses'
const KEY_BYTES = 32

export interface SignedAddresses {
  sign(name: string, expiresAt: Temporal.Instant, baseUrl: URL): string
  /** Whether the signature is valid for this name and expiry; `expired` where that has passed. */
  verify(
    name: string,
    given: { expires: string; signature: string },
    now: Temporal.Instant,
  ): 'good' | 'expired' | 'forged'
}

/** `previous`: keys that URLs may still be signed with. */
export function signedAddresses(current: Secret, previous: readonly Secret[] = []): SignedAddresses {
  const keys = [current, ...previous].map(derivedKey)
  return {
    sign(name, expiresAt, baseUrl) {
      const expires = String(Math.floor(expiresAt.epochMilliseconds / 1_000))
      const url = new URL(`${DOWNLOADS_PATH}/${name}`, baseUrl)
      url.searchParams.set('expires', expires)
      url.searchParams.set('signature', signature(keys[0] as Buffer, name, expires))
      return url.href
    },
    verify(name, { expires, signature: given }, now) {
      const isOurs = keys.map((key) => signature(key, name, expires)).some((own) => isEqual(own, given))
      if (!isOurs) return 'forged'
      return Number(expires) * 1_000 > now.epochMilliseconds ? 'good' : 'expired'
    },
  }
}

function derivedKey(secret: Secret): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(secret.reveal(), 'base64'), '', KEY_PURPOSE, KEY_BYTES))
}

function signature(key: Buffer, name: string, expires: string): string {
  return createHmac('sha256', key).update(`${name}\n${expires}`).digest('base64url')
}

/** As texts: other texts of the same bytes, such as padded ones, are not accepted as a signature. */
function isEqual(own: string, given: string): boolean {
  const [a, b] = [Buffer.from(own), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}
