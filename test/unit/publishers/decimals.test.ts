import { describe, expect, it } from 'vitest'
import { type DecimalMark, decimalMarkIn, readDecimal } from '../../../src/publishers/reading/decimals.ts'

describe('readDecimal', () => {
  it.each<[string, DecimalMark, number | string]>([
    ['101,234560', ',', 101.23456],
    ['-3,5', ',', -3.5],
    ['0,000000', ',', 0],
    ['17', ',', 17],
    ['1.234,56', ',', 1234.56],
    ['1.234.567,8', ',', 1234567.8],
    [' 12,5 ', ',', 12.5],
    ['101.23', ',', 'mixed_decimal_marks'],
    ['1.234', ',', 'mixed_decimal_marks'],
    ['12.34,56', ',', 'not_a_number'],
    ['1,234.56', ',', 'not_a_number'],
    ['101.23', '.', 101.23],
    ['17', '.', 17],
    ['5e-05', '.', 0.00005],
    ['101,23', '.', 'mixed_decimal_marks'],
    ['1.234,56', '.', 'mixed_decimal_marks'],
    ['n/a', '.', 'not_a_number'],
    ['NaN', '.', 'not_a_number'],
    ['Infinity', '.', 'not_a_number'],
    ['1e999', '.', 'not_a_number'],
    ['0x10', '.', 'not_a_number'],
    ['', ',', 'not_a_number'],
  ])('reads %j with the mark %j as %j', (text, mark, expected) => {
    expect(readDecimal(text, mark)).toBe(expected)
  })
})

describe('decimalMarkIn', () => {
  it.each([
    ['101,5', ','],
    ['1.234,5', ','],
    ['101.5', '.'],
    ['101', undefined],
    ['n.a.', undefined],
  ])('finds in %j the mark %j', (text, expected) => {
    expect(decimalMarkIn(text)).toBe(expected)
  })
})
