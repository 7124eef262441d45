/**
 * Prints the output of commands. It may contain names chosen by others (of files, archive entries, columns), and terminals interpret
 * control characters. These are printed as JSON escapes (`\u001b`), so JSON output stays valid.
 */

/** Control and invisible characters, such as those that change the direction of text; tabs are harmless. */
const CONTROL_CHARACTERS = /(?!\t)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Escapes such characters: `a\u001b[2Jb` instead of text that would clear the screen. */
export function printable(text: string): string {
  return text.replace(CONTROL_CHARACTERS, (character) => character.split('').map(escapeUnit).join(''))
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Prints each text as one line, even if it contains line breaks. */
export function print(...lines: string[]): void {
  for (const line of lines) console.log(printable(line))
}

/** Like `print`, on standard error. */
export function printError(...lines: string[]): void {
  for (const line of lines) console.error(printable(line))
}
