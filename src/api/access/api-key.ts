/**
 * The format of API keys: `svc_live_` and 32 characters of base62; the last six are the CRC-32 of the 26 before them, so
 * that a mistyped key is refused without a look-up. Only the SHA-256 of a key is ever stored; with 154 random bits it needs no salt.
 */
import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { randomId } from '../../platform/secret.ts'

const API_KEY_PREFIX = 'svc_live_'
const RANDOM_CHARACTERS = 26
const CHECKSUM_CHARACTERS = 6
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const WELL_FORMED = new RegExp(`^${API_KEY_PREFIX}[0-9A-Za-z]{${RANDOM_CHARACTERS + CHECKSUM_CHARACTERS}}$`)
/** Larger bytes are discarded: modulo 62 they would favour the first characters of the alphabet. */
const UNBIASED_BYTES = 248

/** A new key from a source of random bytes, such as `crypto.randomBytes`. */
export function makeApiKey(bytesOf: (size: number) => Uint8Array): string {
  let random = ''
  while (random.length < RANDOM_CHARACTERS) {
    for (const byte of bytesOf(RANDOM_CHARACTERS)) {
      if (byte < UNBIASED_BYTES && random.length < RANDOM_CHARACTERS) random += BASE62[byte % 62]
    }
  }
  return `${API_KEY_PREFIX}${random}${checksum(random)}`
}

/** Whether the text can be a key at all: length, alphabet and checksum. */
export function isWellFormedApiKey(text: string): boolean {
  if (!WELL_FORMED.test(text)) return false
  const split = text.length - CHECKSUM_CHARACTERS
  return text.slice(split) === checksum(text.slice(API_KEY_PREFIX.length, split))
}

/** The stored form of a key: its SHA-256 in hexadecimal. */
export function hashApiKey(key: string): string {
  return hash('sha256', key)
}

/** The display form of an issued key: `svc_live_Ab3…`. */
export function apiKeyHint(key: string): string {
  return `${key.slice(0, API_KEY_PREFIX.length + 3)}…`
}

interface NewKey {
  /** Shown once, stored nowhere. */
  key: string
  id: string
  sha256: string
  hint: string
}

/** Creates a key, together with the fields that are stored. */
export function newApiKey(): NewKey {
  const key = makeApiKey(randomBytes)
  return { key, id: randomId('key_', 12), sha256: hashApiKey(key), hint: apiKeyHint(key) }
}

function checksum(random: string): string {
  let rest = crc32(random)
  let text = ''
  for (let i = 0; i < CHECKSUM_CHARACTERS; i++) {
    text = `${BASE62[rest % 62]}${text}`
    rest = Math.floor(rest / 62)
  }
  return text
}
