import { describe, expect, it } from 'vitest'
import { toCsv } from '../../../../src/api/http/csv-table.ts'

const one = (value: string | number | undefined) => toCsv({ columns: ['v'], rows: [{ v: value }] })

describe('toCsv', () => {
  it('writes a header, semicolons and CRLF, without a byte order mark', () => {
    const rows = [
      { zone: 'nord', value: 118.43 },
      { zone: 'sud', value: undefined },
    ]
    expect(toCsv({ columns: ['zone', 'value'], rows })).toBe('zone;value\r\nnord;118,43\r\nsud;\r\n')
  })

  it.each([
    [1234567.891, '1234567,891'],
    [-0.5, '-0,5'],
    [0, '0'],
    [1e-7, '0,0000001'],
    [1e21, '1000000000000000000000'],
  ])('writes %d as %s', (value, cell) => {
    expect(one(value)).toBe(`v\r\n${cell}\r\n`)
  })

  it.each([
    ['plain', 'plain'],
    ['€/MWh', '€/MWh'],
    ['a;b', '"a;b"'],
    ['say "x"', '"say ""x"""'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['=1+1', `"'=1+1"`],
    ['@cmd', `"'@cmd"`],
    ['-2+3', `"'-2+3"`],
    ['+39 02', `"'+39 02"`],
    ['\t=1', `"'\t=1"`],
    ['=a"b', `"'=a""b"`],
    ['-12,5', '-12,5'],
    ['+3', '+3'],
  ])('writes the text %j as %s', (text, cell) => {
    expect(one(text)).toBe(`v\r\n${cell}\r\n`)
  })

  it('refuses NaN and infinities', () => {
    expect(() => one(Number.NaN)).toThrow(RangeError)
  })
})
