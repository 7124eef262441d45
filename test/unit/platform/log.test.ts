import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createLogger, lineWriter, logDestination, redactUrl, SECRET_FIELDS } from '../../../src/platform/log.ts'
import { withRequestId } from '../../../src/platform/request-id.ts'
import { scratchFolderOfFile } from '../../support/scratch-folder.ts'

const folder = await scratchFolderOfFile()

function lines(write: (log: ReturnType<typeof createLogger>) => void): Record<string, unknown>[] {
  let written = ''
  write(createLogger({ level: 'info', destination: { write: (line: string) => (written += line) } }))
  return parseLines(written)
}

function parseLines(text: string): Record<string, unknown>[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

describe('the log', () => {
  it('has a level, an ISO time and the request id', () => {
    const [inside, outside] = lines((log) => {
      withRequestId('abcd1234', () => log.info({ a: 1 }, 'inside'))
      log.info('outside')
    })
    expect(inside).toMatchObject({ level: 'info', a: 1, msg: 'inside', requestId: 'abcd1234' })
    expect(inside?.time).toMatch(/^\d{4}-\d{2}-\d{2}T[\d:.]{12}Z$/)
    expect(outside).not.toHaveProperty('requestId')
  })

  it.each(SECRET_FIELDS)('redacts the field %s at any depth, including lists and errors', (field) => {
    const secret = { [field]: 's3cret' }
    const places = [
      secret,
      { a: secret },
      { a: { b: secret } },
      { a: { b: { c: secret } } },
      { list: [{ id: 1 }, secret] },
      { a: { list: [secret] } },
      { [field]: ['s3cret'] },
      { [field]: { deeper: 's3cret' } },
      { err: Object.assign(new Error('failed'), secret) },
      { err: new Error('failed', { cause: Object.assign(new Error('why'), secret) }) },
    ]
    const written = lines((log) => {
      for (const place of places) log.warn(place, 'a line')
    })
    expect(written).toHaveLength(places.length)
    for (const line of written) expect(JSON.stringify(line)).not.toContain('s3cret')
    for (const line of written.slice(0, -2)) expect(JSON.stringify(line)).toContain('[redacted]')
  })

  it.each(['svc_live_s3cret', 'svc_confirm_s3-cret', 'postgres://somebody:s3cret@db.example/prices'])(
    'redacts secrets in messages: %s',
    (text) => {
      const several = new AggregateError([new Error(`first ${text}`)], 'both')
      const written = lines((log) => {
        log.warn(`got ${text}`)
        log.warn({ detail: { seen: [text] } }, 'a line')
        log.error({ err: new Error(`outer ${text}`, { cause: new Error(`inner ${text}`) }) })
        log.error({ err: several })
        log.child({ about: text }).info('a line')
      })
      expect(written).toHaveLength(5)
      for (const line of written) {
        expect(JSON.stringify(line)).not.toMatch(/s3-?cret/)
        expect(JSON.stringify(line)).toContain('[redacted]')
      }
    },
  )
})

describe('log output', () => {
  it('has lines of the logger and of the line writer in order, encoded in UTF-8', async () => {
    const file = path.join(folder, 'log')
    const log = createLogger({ level: 'info', destination: logDestination(file) })
    const write = lineWriter(log)
    for (let i = 0; i < 100; i++) {
      log.info({ i }, '€/MWh')
      write('info', `"i":${i},"msg":"request"`)
    }
    await new Promise((resolve) => log.flush(resolve))
    expect(parseLines(await readFile(file, 'utf8')).map(({ i, msg }) => [i, msg])).toEqual(
      Array.from({ length: 200 }, (_, n) => [Math.floor(n / 2), n % 2 === 0 ? '€/MWh' : 'request']),
    )
  })

  it('is complete when the process exits immediately', async () => {
    const program = `
      import { createLogger, lineWriter } from '${new URL('../../../src/platform/log.ts', import.meta.url)}'
      const log = createLogger({ level: 'info' })
      log.info('first')
      lineWriter(log)('info', '"msg":"second"')
      process.exit(0)`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
    expect(parseLines(stdout).map(({ msg }) => msg)).toEqual(['first', 'second'])
  })
})

describe('an error', () => {
  it('is logged with its code and causes, but without attached objects', () => {
    const client = { processID: 7, secretKey: 5_559_557, connectionParameters: { password: 's3cret' } }
    const cause = Object.assign(new Error('read ECONNRESET'), { client })
    const err = Object.assign(new Error('lost', { cause }), { code: '08006', client })
    const several = new AggregateError([Object.assign(new Error('first'), { client }), new Error('second')], 'both')
    const written = lines((log) => {
      log.error({ err }, 'queue error')
      log.error({ err: several })
      log.error(err)
    })
    expect(written[0]).toMatchObject({ msg: 'queue error', err: { message: 'lost: read ECONNRESET', code: '08006' } })
    expect(JSON.stringify(written[0])).toContain('log.test.ts')
    expect(JSON.stringify(written[1])).toMatch(/first.*second/)
    expect(JSON.stringify(written)).not.toMatch(/5559557|s3cret|client/)
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
    ['/v1/x?%4bEy=anything', '/v1/x?%4bEy=[redacted]'],
    ['/v1/x?%256bey=anything', '/v1/x?%256bey=[redacted]'],
    ['/downloads/a?%73ignature=abc', '/downloads/a?%73ignature=[redacted]'],
    ['/v1/x?T%6fken=abc&a=1', '/v1/x?T%6fken=[redacted]&a=1'],
    ['/v1/x?unit=svc%5Flive%5Fabc123&a=1', '/v1/x?unit=[redacted]&a=1'],
    ['/v1/%73vc%5flive%5fabc%31%32%33/x', '/v1/[redacted]/x'],
    ['/v1/x?a=svc%255Flive%255Fabc%2531', '/v1/x?a=[redacted]'],
    ['/v1/x?a=SVC_LIVE_abc', '/v1/x?a=[redacted]'],
    ['/%73vc_confirm_a-B%5F9/x', '/[redacted]/x'],
    ['/v1/x?a=%20b&date=2026%2D11', '/v1/x?a=%20b&date=2026%2D11'],
  ])('%s', (url, redacted) => {
    expect(redactUrl(url)).toBe(redacted)
  })
})
