import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { matchesEtag } from '../../../../src/api/http/conditional.ts'
import { chooseFormat, preferredEncoding } from '../../../../src/api/http/negotiate.ts'

describe('chooseFormat', () => {
  it.each([
    [undefined, 'json'],
    ['*/*', 'json'],
    ['text/csv', 'csv'],
    ['text/csv; charset=utf-8', 'csv'],
    ['TEXT/CSV;Charset="UTF-8";header=present', 'csv'],
    ['application/json;q=0.5, text/csv; charset=utf-8; q=0.9', 'csv'],
    ['application/json, text/csv;charset=utf-8; q=0.9', 'json'],
    ['application/json;q=0.8, text/csv;q=0.9;charset=utf-8', 'csv'],
    ['text/csv;charset=utf-8;q=0', 'json'],
    ['text/html', 'json'],
  ])('%s selects %s', (accept, format) => {
    const req = { headers: { accept } } as IncomingMessage
    expect(chooseFormat(['json', 'csv'], undefined, req)).toBe(format)
  })
})

describe('preferredEncoding', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0.5, gzip;q=0.9', 'gzip'],
    ['br;q=0, gzip;q=0', 'identity'],
    ['BR', 'br'],
    ['*', 'gzip'],
    ['deflate', 'identity'],
    ['gzip;q=many', 'identity'],
    ['identity;q=1, *;q=0', 'identity'],
  ])('%s selects %s', (header, encoding) => {
    expect(preferredEncoding(header)).toBe(encoding)
  })
})

describe('matchesEtag', () => {
  it.each([
    [undefined, false],
    ['"a"', true],
    ['"b"', false],
    ['W/"a"', true],
    ['"b", "a"', true],
    ['"b",W/"a" ', true],
    ['*', true],
    ['a', false],
    ['', false],
  ])('%s against "a" is %s', (header, matches) => {
    expect(matchesEtag(header, '"a"')).toBe(matches)
  })
})
