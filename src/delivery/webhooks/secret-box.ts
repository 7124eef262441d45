/**
 * Encryption at rest for secrets that must be readable again: AES-256-GCM with the configured key. The text contains the id of its key,
 * so that keys can be rotated: `v1.<key id>.<base64url of nonce, tag and ciphertext>`.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { ConfigurationError } from '../../platform/configuration-error.ts'
import type { Secret } from '../../platform/secret.ts'

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

export interface SecretBox {
  /** `subject` identifies what the secret belongs to; decryption requires the same subject. */
  seal(plain: string, subject: string): string
  /** Throws if the text was encrypted with an unknown key, was changed, or belongs to another subject. */
  open(sealed: string, subject: string): string
}

/** `previous`: keys from before a rotation, used only to decrypt. Keys are 32 bytes in base64. */
export function secretBox(current: Secret, previous: readonly Secret[] = []): SecretBox {
  const keys = new Map([current, ...previous].map((secret) => keyOf(secret)).map((key) => [keyId(key), key]))
  const currentKey = keyOf(current)
  const currentId = keyId(currentKey)
  return {
    seal(plain, subject) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, currentKey, nonce).setAAD(Buffer.from(subject))
      const ciphertext = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return `v1.${currentId}.${Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64url')}`
    },
    open(sealed, subject) {
      const [version, id = '', text = ''] = sealed.split('.')
      const key = keys.get(id)
      if (version !== 'v1' || key === undefined)
        throw new ConfigurationError([
          `SECRETS_KEY_PREVIOUS must include the key ${id}, with which the secret of ${subject} is encrypted`,
        ])
      const bytes = Buffer.from(text, 'base64url')
      const nonce = bytes.subarray(0, NONCE_BYTES)
      const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
      const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(subject))
        .setAuthTag(tag)
      return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}

function keyOf(secret: Secret): Buffer {
  return Buffer.from(secret.reveal(), 'base64')
}

/** Identifies a key without revealing it: the first 8 digits of a hash of its 256 random bits. */
function keyId(key: Buffer): string {
  return createHash('sha256').update('secrets key').update(key).digest('hex').slice(0, 8)
}
