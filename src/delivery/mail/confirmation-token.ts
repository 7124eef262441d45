/** The token that proves receipt of a mail: 256 random bits, with a prefix that identifies it if it leaks. */

const CONFIRMATION_TOKEN_PREFIX = 'svc_confirm_'
/** How long a mailed token is valid. */
export const CONFIRMATION_HOURS = 24
const RANDOM_BYTES = 32
const WELL_FORMED = new RegExp(`^${CONFIRMATION_TOKEN_PREFIX}[\\w-]{43}$`)

/** A new token from a source of random bytes, such as `crypto.randomBytes`: `svc_confirm_` and 43 characters of base64url. */
export function makeConfirmationToken(randomBytes: (size: number) => Uint8Array): string {
  return CONFIRMATION_TOKEN_PREFIX + Buffer.from(randomBytes(RANDOM_BYTES)).toString('base64url')
}

export function isWellFormedConfirmationToken(text: string): boolean {
  return WELL_FORMED.test(text)
}
