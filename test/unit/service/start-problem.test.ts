import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '../../../src/platform/configuration-error.ts'
import { startProblem } from '../../../src/service/start-problem.ts'
import { connectDatabase } from '../../../src/store/database.ts'
import { migrate } from '../../../src/store/migrate.ts'
import { freePort } from '../../support/free-port.ts'

describe('a start problem that the operator can fix', () => {
  it('is reported for an unreachable database, with its address but not its password', async () => {
    const port = await freePort()
    await using database = connectDatabase({ url: `postgres://user:secret@127.0.0.1:${port}/energy`, poolSize: 1 })
    const err = await migrate(database).catch((reason: unknown) => reason)
    expect(startProblem(err)).toBe(`The database cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}`)
  })

  it.each([
    [new ConfigurationError(['PORT: is not a number']), /^The configuration cannot be used:\n {2}- PORT/],
    [coded('password authentication failed for user "api"', { code: '28P01' }), /: password authentication failed/],
    [coded('', { code: 'ECONNREFUSED' }, ['connect ::1', 'connect 127.0.0.1']), /: connect ::1; connect 127\.0\.0\.1$/],
    [coded('could not extend file', { code: '53100' }), /^The disk is full: could not extend file\. Free some space/],
    [coded('database or disk is full', { code: 'ERR_SQLITE_ERROR', errcode: 13 }), /^The disk is full: database or/],
    [
      new Error('migration 0001-a failed', { cause: coded('could not extend file', { code: '53100' }) }),
      /^The disk is full: could not extend file\. Free/,
    ],
    [new SuppressedError(new Error('Aborted()'), coded('no room', { code: 'ENOSPC' })), /^The disk is full: no room/],
    [coded('read ECONNRESET', { code: 'ECONNRESET' }), /^The connection was lost: read ECONNRESET\. Is/],
    [
      coded('denied', { code: 'EACCES', syscall: 'mkdir', path: '/data' }),
      /^The folder \/data cannot be made \(EACCES\): make it .*DATA_DIR/,
    ],
  ])('is reported in a sentence: %s', (err, sentence) => {
    expect(startProblem(err)).toMatch(sentence)
  })

  const internalErrors = [new TypeError('x is not a function'), coded('no such column', { code: '42703' }), 'text']
  it.each([...internalErrors, undefined])('does not include the internal error %s', (err) => {
    expect(startProblem(err)).toBeUndefined()
  })
})

function coded(message: string, about: object, of?: string[]): Error {
  const err = of ? new AggregateError(of.map((one) => new Error(one))) : new Error(message)
  return Object.assign(err, about)
}
