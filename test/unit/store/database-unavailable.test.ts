import { describe, expect, it } from 'vitest'
import { isDatabaseUnavailable } from '../../../src/store/database-unavailable.ts'

const coded = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more })

describe('isDatabaseUnavailable', () => {
  it.each(['ECONNREFUSED', 'CONNECTION_CLOSED', 'CONNECT_TIMEOUT', '57P01', '57P03', '53300', '08006'])(
    'returns true for %s',
    (code) => {
      expect(isDatabaseUnavailable(coded(code))).toBe(true)
    },
  )

  it.each(['23505', '42P01', '57014', 'ERR_ASSERTION'])('returns false for %s', (code) => {
    expect(isDatabaseUnavailable(coded(code))).toBe(false)
  })

  it.each<[string, boolean, unknown]>([
    ['a missing socket', true, coded('ENOENT', { syscall: 'connect' })],
    ['a missing file', false, coded('ENOENT', { syscall: 'open' })],
    ['a connection error of the queue client', true, new Error('Connection terminated unexpectedly')],
    ['an error with such a cause', true, new Error('query failed', { cause: coded('ECONNRESET') })],
    ['text', false, 'ECONNRESET'],
  ])('for %s returns %s', (_name, isUnavailable, err) => {
    expect(isDatabaseUnavailable(err)).toBe(isUnavailable)
  })
})
