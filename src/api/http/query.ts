/**
 * Reads a query string strictly: a mistyped `form=` must not silently return the default month. Names must be known and not repeated,
 * and values neither empty nor too long. Known names and a length limit per value bound the whole query.
 */
import { invalidParameter } from '../contract/errors.ts'
import { excerpt } from './excerpt.ts'

const VALUE_LENGTH_MAX = 256

/** Returns the parameters by name, except those `ignored`: `readQuery('/x?unit=kwh', ['unit'])` is `{ unit: 'kwh' }`. Throws `invalid_parameter`. */
export function readQuery(
  url: string,
  known: readonly string[],
  ignored: readonly string[] = [],
): Record<string, string> {
  const start = url.indexOf('?')
  if (start < 0 || start === url.length - 1) return {}
  const text = url.slice(start + 1)
  const values: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(text)) {
    if (ignored.includes(name)) continue // read elsewhere
    checkParameter(name, value, known, Object.hasOwn(values, name))
    values[name] = value
  }
  if (text.includes('%')) refuseMalformedEncoding(text)
  return values
}

function checkParameter(name: string, value: string, known: readonly string[], isRepeated: boolean): void {
  if (!known.includes(name)) throw invalidParameter(excerpt(name), unknownProblem(known))
  if (isRepeated) throw invalidParameter(name, 'must be given only once')
  if (value === '') throw invalidParameter(name, 'must not be empty')
  if (value.length > VALUE_LENGTH_MAX)
    throw invalidParameter(name, `must be at most ${VALUE_LENGTH_MAX} characters long`)
}

function unknownProblem(known: readonly string[]): string {
  if (known.length === 0) return 'is not a parameter of this endpoint, which has none'
  return `is not a parameter of this endpoint, which has ${known.join(', ')}`
}

/** Throws for the first parameter with `%ZZ` or broken UTF-8, which URLSearchParams accepts as they are. */
function refuseMalformedEncoding(text: string): void {
  for (const pair of text.split('&')) {
    try {
      decodeURIComponent(pair)
    } catch {
      const [name = ''] = pair.split('=', 1)
      throw invalidParameter(excerpt(name), 'contains malformed percent-encoding')
    }
  }
}
