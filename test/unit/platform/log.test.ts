import { describe, expect, it } from 'vitest'
import { createLogger, redactUrl } from '../../../src/platform/log.ts'
import { withRequestId } from '../../../src/platform/request-id.ts'

function lines(write: (log: ReturnType<typeof createLogger>) => void): Record<string, unknown>[] {
  const written: string[] = []
  write(createLogger({ level: 'info', destination: { write: (line: string) => written.push(line) } }))
  return written.map((line) => JSON.parse(line))
}

describe('the log', () => {
  it('has level, ISO time, and the request it belongs to', () => {
    const [inside, outside] = lines((log) => {
      withRequestId('abcd1234', () => log.info({ a: 1 }, 'inside'))
      log.info('outside')
    })
    expect(inside).toMatchObject({ level: 'info', a: 1, msg: 'inside', requestId: 'abcd1234' })
    expect(inside?.time).toMatch(/^\d{4}-\d{2}-\d{2}T[\d:.]{12}Z$/)
    expect(outside).not.toHaveProperty('requestId')
  })

  it('holds no secret', () => {
    const written = lines((log) =>
      log.warn({
        authorization: 'Bearer s3cret',
        headers: { authorization: 's3cret' },
        alert: { signing_secret: 's3cret' },
      }),
    )
    expect(JSON.stringify(written)).not.toContain('s3cret')
  })
})

describe('redactUrl', () => {
  it.each([
    ['/v1/today', '/v1/today'],
    ['/v1/x?format=csv&key=svc_live_abc&unit=kwh', '/v1/x?format=csv&key=[redacted]&unit=kwh'],
    ['/v1/x?key=anything', '/v1/x?key=[redacted]'],
    ['/downloads/a.parquet?expires=1&signature=abc', '/downloads/a.parquet?expires=1&signature=[redacted]'],
    ['/v1/x?%6Bey=anything', '/v1/x?%6Bey=[redacted]'],
    ['/v1/x?KEY=anything', '/v1/x?KEY=[redacted]'],
    ['/v1/svc_live_abc123', '/v1/[redacted]'],
    ['/v1/x?monkey=1', '/v1/x?monkey=1'],
    ['/developer-key/confirm?token=svc_confirm_a-B_9', '/developer-key/confirm?token=[redacted]'],
    [
      '/developer-key/confirm?Token=x&%74oken=svc_confirm_a-B_9',
      '/developer-key/confirm?Token=[redacted]&%74oken=[redacted]',
    ],
    ['/svc_confirm_a-B_9/x', '/[redacted]/x'],
  ])('%s', (url, redacted) => {
    expect(redactUrl(url)).toBe(redacted)
  })
})
