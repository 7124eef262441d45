import { describe, expect, it } from 'vitest'
import { isDatabaseUnavailable } from '../../../src/store/database-unavailable.ts'

const coded = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more })

describe('isDatabaseUnavailable', () => {
  it.each(['ECONNREFUSED', 'CONNECTION_CLOSED', 'CONNECT_TIMEOUT', '57P01', '57P03', '53300', '08006'])(
    '%s is',
    (code) => {
      expect(isDatabaseUnavailable(coded(code))).toBe(true)
    },
  )

  it.each(['23505', '42P01', '57014', 'ERR_ASSERTION'])('%s is not', (code) => {
    expect(isDatabaseUnavailable(coded(code))).toBe(false)
  })

  it('a missing socket is, a missing file is not', () => {
    expect(isDatabaseUnavailable(coded('ENOENT', { syscall: 'connect' }))).toBe(true)
    expect(isDatabaseUnavailable(coded('ENOENT', { syscall: 'open' }))).toBe(false)
  })

  it('what the queue’s client says is', () => {
    expect(isDatabaseUnavailable(new Error('Connection terminated unexpectedly'))).toBe(true)
  })

  it('what one of them caused is', () => {
    expect(isDatabaseUnavailable(new Error('query failed', { cause: coded('ECONNRESET') }))).toBe(true)
    expect(isDatabaseUnavailable('ECONNRESET')).toBe(false)
  })
})
