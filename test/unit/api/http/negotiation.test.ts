import { describe, expect, it } from 'vitest'
import { matchesEtag } from '../../../../src/api/http/conditional.ts'
import { preferredEncoding } from '../../../../src/api/http/negotiate.ts'

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
