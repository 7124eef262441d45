/**
 * URLs that open one file without a key until they expire: `/downloads/<name>?expires=<seconds since 1970>&signature=<base64url>`.
 * The signature covers name and expiry.
 */
import { DOWNLOADS_PATH } from '../../api/contract/bulk.ts'
import type { Secret } from '../../platform/secret.ts'
import { textSigner } from '../../platform/text-signer.ts'

const KEY_PURPOSE = 'bulk download addresses'

export interface UrlSigner {
  sign(name: string, expiresAt: Temporal.Instant, baseUrl: URL): string
  /** Verifies the signature of this name and expiry; `expired` if it is valid but the expiry has passed. */
  verify(
    name: string,
    given: { expires: string; signature: string },
    now: Temporal.Instant,
  ): 'good' | 'expired' | 'forged'
}

/** `previous`: former keys, whose signatures are still accepted. */
export function urlSigner(current: Secret, previous: readonly Secret[] = []): UrlSigner {
  const signer = textSigner(KEY_PURPOSE, current, previous)
  return {
    sign(name, expiresAt, baseUrl) {
      const expires = String(Math.floor(expiresAt.epochMilliseconds / 1_000))
      const url = new URL(`${DOWNLOADS_PATH}/${name}`, baseUrl)
      url.searchParams.set('expires', expires)
      url.searchParams.set('signature', signer.sign(`${name}\n${expires}`))
      return url.href
    },
    verify(name, { expires, signature }, now) {
      if (!signer.isValidSignature(`${name}\n${expires}`, signature)) return 'forged'
      return Number(expires) * 1_000 > now.epochMilliseconds ? 'good' : 'expired'
    },
  }
}
