import { randomInt } from 'node:crypto'

/** A value that must never be printed: it shows itself as `[secret]` in logs, errors and JSON. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** The value itself, for the one place that needs it. */
  reveal(): string {
    return this.#value
  }

  toString(): string {
    return '[secret]'
  }

  toJSON(): string {
    return '[secret]'
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '[secret]'
  }
}

export const SECRETS_KEY_BYTES = 32

/** Whether the text is 32 bytes in base64, a key that secrets can be encrypted with. */
export function isSecretsKey(text: string): boolean {
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === SECRETS_KEY_BYTES && bytes.toString('base64') === text
}

/** A prefix and so many random digits and small letters: `randomId('exp_', 16)`. */
export function randomId(prefix: string, characters: number): string {
  return prefix + Array.from({ length: characters }, () => randomInt(36).toString(36)).join('')
}
