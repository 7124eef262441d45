/** Log lines for a person at a terminal: `14:30:05 sample offers stored (lists 62)`. */
import { stripVTControlCharacters } from 'node:util'
import type pino from 'pino'

/** Fields that are part of the line already, or only for log search. */
const NOT_SHOWN = new Set(['level', 'time', 'msg', 'name', 'requestId', 'job', 'err'])

interface Line extends Record<string, unknown> {
  level: string
  time: string
  msg?: string
  err?: { message?: string; stack?: string }
}

export function plainLines(write: (text: string) => void): pino.DestinationStream {
  return { write: (line) => write(`${plainLine(JSON.parse(line) as Line)}\n`) }
}

function plainLine(line: Line): string {
  const words = [new Date(line.time).toTimeString().slice(0, 8)]
  if (line.level !== 'info') words.push(line.level.toUpperCase())
  words.push(line.msg === 'request' ? requestOf(line) : `${line.msg ?? ''}${factsOf(line)}`)
  if (line.err !== undefined) words.push(line.err.stack ?? line.err.message ?? '')
  // Logged text may come from a client: it must not control the terminal.
  return stripVTControlCharacters(words.join(' '))
}

function requestOf({ method, url, status, durationMs }: Line): string {
  return `${method} ${url} ${status} in ${durationMs} ms`
}

function factsOf(line: Line): string {
  const facts = Object.entries(line).filter(([name]) => !NOT_SHOWN.has(name))
  const texts = facts.map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
  return texts.length === 0 ? '' : ` (${texts.join(', ')})`
}
