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

  it('returns true for a missing socket and false for a missing file', () => {
    expect(isDatabaseUnavailable(coded('ENOENT', { syscall: 'connect' }))).toBe(true)
    expect(isDatabaseUnavailable(coded('ENOENT', { syscall: 'open' }))).toBe(false)
  })

  it('returns true for a connection error of the queue client', () => {
    expect(isDatabaseUnavailable(new Error('Connection terminated unexpectedly'))).toBe(true)
  })

  it('returns true if the cause of an error is such an error', () => {
    expect(isDatabaseUnavailable(new Error('query failed', { cause: coded('ECONNRESET') }))).toBe(true)
    expect(isDatabaseUnavailable('ECONNRESET')).toBe(false)
  })
})
