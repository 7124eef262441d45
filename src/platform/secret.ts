import { randomInt } from 'node:crypto'

/** A value that must never be printed: logs, errors and JSON show `[secret]`. */
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

/** Whether the text is 32 bytes in base64, a valid key for encrypting secrets. */
export function isSecretsKey(text: string): boolean {
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === SECRETS_KEY_BYTES && bytes.toString('base64') === text
}

/** Returns the prefix followed by random digits and lower-case letters: `randomId('exp_', 16)`. */
export function randomId(prefix: string, characters: number): string {
  return prefix + Array.from({ length: characters }, () => randomInt(36).toString(36)).join('')
}
