import { expect, it } from 'vitest'
import { createLogger } from '../../../src/platform/log.ts'
import { plainLines } from '../../../src/platform/plain-log.ts'

it('a plain log line is readable, without fields meant for programs', () => {
  let text = ''
  const log = createLogger({ level: 'info', destination: plainLines((line) => (text += line)) })
  log.info({ lists: 62, requestId: 'x' }, 'sample offers stored')
  log.warn({ name: 'http', method: 'GET', url: '/v1/x', status: 404, durationMs: 0.7 }, 'request')
  log.error({ err: new Error('no room at postgres://a:secret@host') }, 'job failed')
  log.info({ word: '\u001b[2Jx' }, 'a client sent')
  const lines = text.replace(/\d\d:\d\d:\d\d/g, '12:00:00').split('\n')
  expect(lines[0]).toBe('12:00:00 sample offers stored (lists 62)')
  expect(lines[1]).toBe('12:00:00 WARN GET /v1/x 404 in 0.7 ms')
  expect(lines[2]).toBe('12:00:00 ERROR job failed Error: no room at postgres://a:[redacted]@host')
  expect(lines.at(-2)).toBe('12:00:00 a client sent (word x)')
})
