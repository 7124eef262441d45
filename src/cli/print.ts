/**
 * How commands print. What they print may hold names that others chose, of files, of entries of archives, of columns, and a terminal
 * obeys control characters: they are shown as JSON would write them (`\u001b`), so what is JSON stays it.
 */

/** Controls and what is invisible, such as marks that turn the direction of text around; a tab does no harm. */
const OBEYED = /(?!\t)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** `a\u001b[2Jb` for text that would clear the screen. */
export function printable(text: string): string {
  return text.replace(OBEYED, (character) => character.split('').map(escaped).join(''))
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Each text is one line, whatever it holds. */
export function print(...lines: string[]): void {
  for (const line of lines) console.log(printable(line))
}

/** The same on standard error. */
export function printError(...lines: string[]): void {
  for (const line of lines) console.error(printable(line))
}
