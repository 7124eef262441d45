import { redactKeys } from '../../platform/log.ts'

const LENGTH_MAX = 60
/** Control, format and unassigned characters, and the line separators: they do not belong in a message or a log. */
const UNPRINTABLE = /[\p{C}\u2028\u2029]/gu

/** A client's input, safe to repeat in a message: printable, without keys, and at most 60 characters. `excerpt('a\nb')` is `a�b`. */
export function excerpt(text: string): string {
  const characters = [
    ...redactKeys(text)
      .slice(0, 2 * LENGTH_MAX)
      .replace(UNPRINTABLE, '\uFFFD'),
  ]
  return characters.length <= LENGTH_MAX ? characters.join('') : `${characters.slice(0, LENGTH_MAX - 1).join('')}…`
}
