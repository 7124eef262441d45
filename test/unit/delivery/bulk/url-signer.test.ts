import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { urlSigner } from '../../../../src/delivery/bulk/url-signer.ts'
import { Secret } from '../../../../src/platform/secret.ts'

const BASE_URL = new URL('https://energy.example/')
const NOW = Temporal.Instant.from('2026-11-21T10:00:00Z')
const UNTIL = NOW.add({ hours: 1 })
const NAME = 'pun-hourly-20261121T034107Z-5f0c1a2b.parquet'

const newKey = () => new Secret(randomBytes(32).toString('base64'))
const key = newKey()
const signed = new URL(urlSigner(key).sign(NAME, UNTIL, BASE_URL))
const given = {
  expires: signed.searchParams.get('expires') ?? '',
  signature: signed.searchParams.get('signature') ?? '',
}

/** The last of 43 letters encodes 4 bits; a lenient decoder ignores its other 2 bits. */
function withOtherLastBits(text: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return text.slice(0, -1) + letters[letters.indexOf(text.slice(-1)) + 1]
}

describe('a signed download URL', () => {
  it('contains the file name and the expiry, and no secret', () => {
    expect(signed.origin + signed.pathname).toBe(`https://energy.example/downloads/${NAME}`)
    expect(given.expires).toBe(String(UNTIL.epochMilliseconds / 1_000))
    expect(signed.href).not.toContain(key.reveal())
  })

  it('is valid in every process with the same key until it expires', () => {
    const other = urlSigner(key)
    expect(other.verify(NAME, given, NOW)).toBe('good')
    expect(other.verify(NAME, given, UNTIL.subtract({ milliseconds: 1 }))).toBe('good')
    expect(other.verify(NAME, given, UNTIL)).toBe('expired')
  })

  it('remains valid while its key is listed as a previous key', () => {
    expect(urlSigner(newKey(), [key]).verify(NAME, given, NOW)).toBe('good')
    expect(urlSigner(newKey()).verify(NAME, given, NOW)).toBe('forged')
  })

  it.each([
    ['another file', 'prices-daily-20261121T034107Z-5f0c1a2b.parquet', given],
    ['a later expiry', NAME, { ...given, expires: String(Number(given.expires) + 1) }],
    ['an expiry written otherwise', NAME, { ...given, expires: `0${given.expires}` }],
    ['an expiry that is no number', NAME, { ...given, expires: 'never' }],
    ['no signature', NAME, { ...given, signature: '' }],
    ['half a signature', NAME, { ...given, signature: given.signature.slice(0, 20) }],
    [
      'another letter',
      NAME,
      { ...given, signature: (given.signature.startsWith('A') ? 'B' : 'A') + given.signature.slice(1) },
    ],
    ['padding', NAME, { ...given, signature: `${given.signature}=` }],
    ['bits behind the end', NAME, { ...given, signature: withOtherLastBits(given.signature) }],
    ['a blank', NAME, { ...given, signature: `${given.signature} ` }],
    ['the other alphabet', NAME, { ...given, signature: Buffer.from(given.signature, 'base64url').toString('base64') }],
    ['hexadecimal digits', NAME, { ...given, signature: Buffer.from(given.signature, 'base64url').toString('hex') }],
    ['a name that runs into the expiry', `${NAME}\n${given.expires}`, given],
  ])('is rejected as forged with %s', (_what, name, altered) => {
    expect(urlSigner(key).verify(name, altered, NOW)).toBe('forged')
  })
})
