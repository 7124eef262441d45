import { expect, it } from 'vitest'
import { printable } from '../../../src/cli/print.ts'

it.each([
  ['a\x1b[2Jb', 'a\\u001b[2Jb'],
  ['one\nline\r', 'one\\u000aline\\u000d'],
  ['\x9b31m\x7f', '\\u009b31m\\u007f'],
  ['exe\u202egpj', 'exe\\u202egpj'],
  ['\u{e0041}', '\\udb40\\udc41'],
  ['Prezzi\tperò: 12,5 €/MWh … “x”', 'Prezzi\tperò: 12,5 €/MWh … “x”'],
])('%j is shown as %j', (text, shown) => {
  expect(printable(text)).toBe(shown)
})

it('JSON remains valid and parses to the same value', () => {
  const value = { name: 'a\x9b\u202e\u2028b' }
  expect(JSON.parse(printable(JSON.stringify(value)))).toEqual(value)
})
