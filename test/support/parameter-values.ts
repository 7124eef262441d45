/** Values for the parameters of an OpenAPI document: valid ones, edge cases, and values that no parameter of this API accepts. */
import type { Parameter } from './operations.ts'

export function validValues({ name, schema }: Parameter): string[] {
  const values = schema.enum ?? (schema.example === undefined ? [] : [String(schema.example)])
  if (values.length === 0) throw new Error(`the document has neither values nor an example of ${name}`)
  return values.map(String)
}

/** Well-formed edge cases; whether they are accepted depends on the parameter. */
export function edgeValues({ schema }: Parameter): string[] {
  if (schema.format === 'date') return ['0001-01-01', '1582-10-10', '2026-03-29', '2026-10-25', '9999-12-31']
  if (schema.format === 'date-time')
    return [
      '2026-10-25T02:30:00+01:00',
      '2026-10-25T02:30:00.123456789Z',
      '0001-01-01T00:00:00+14:00',
      '9999-12-31T23:59:59-14:00',
    ]
  if (schema.type === 'number') return ['0', '0.0', '0.000000001', '007', '999999999.5', '1000000000', '1000000001']
  return []
}

/** Values that no parameter accepts, by the name of their fault. */
export function hostileValues(parameter: Parameter): Record<string, string> {
  const [valid = ''] = validValues(parameter)
  const swapped = swapCase(valid)
  return {
    empty: '',
    blank: ' ',
    'of the wrong type': '-1e3',
    'another word': 'undefined',
    'with a space': `${valid} `,
    'with a line break': `${valid}\r\nSet-Cookie: a=b`,
    'with a zero byte': `${valid}\0`,
    'in wide characters': [...valid].map(widen).join(''),
    'with SQL behind it': `${valid}'; drop table price_intervals; --`,
    SQL: "' or 1=1 --",
    'a path': '../../etc/passwd',
    JSON: '{"$ne":null}',
    'a list': `${valid},${valid}`,
    '10 kB long': 'x'.repeat(10_000),
    '10 kB of digits': '1'.repeat(10_000),
    ...(schemaDistinguishesCase(parameter) && swapped !== valid ? { 'in the wrong case': swapped } : {}),
    ...(parameter.schema.format?.startsWith('date')
      ? {
          'in other digits': valid.replace(/\d/g, (digit) => String.fromCodePoint(0x0660 + Number(digit))),
          'an impossible day': valid.replace(/^\d{4}-\d{2}-\d{2}/, '2026-02-30'),
          'the year 0': valid.replace(/^\d{4}/, '0000'),
          'a year of six digits': `+01${valid}`,
          'in another order': valid.split('-').reverse().join('/'),
        }
      : {}),
  }
}

/** Case-insensitive values. */
const ASSETS_AND_ZONES = ['pun', 'nord', 'IT']

function schemaDistinguishesCase({ schema }: Parameter): boolean {
  return schema.enum !== undefined && !schema.enum.some((value) => ASSETS_AND_ZONES.includes(String(value)))
}

function swapCase(text: string): string {
  return text.toLowerCase() === text ? text.toUpperCase() : text.toLowerCase()
}

/** Maps ASCII to its full-width form, which some software folds back: `pun` becomes `ｐｕｎ`. */
function widen(character: string): string {
  return character > ' ' && character < '\x7f'
    ? String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfee0)
    : character
}
