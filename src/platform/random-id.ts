import { randomInt } from 'node:crypto'

/** A prefix and so many random digits and small letters: `randomId('exp_', 16)`. */
export function randomId(prefix: string, characters: number): string {
  return prefix + Array.from({ length: characters }, () => randomInt(36).toString(36)).join('')
}
