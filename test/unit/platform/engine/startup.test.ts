import { describe, expect, test } from 'vitest'
import { parseStartupPacket, refusedSetting } from '../../../../src/platform/engine/handshake.ts'

function packet(code: number, body = ''): Buffer {
  const bytes = Buffer.from(`\0\0\0\0\0\0\0\0${body}`)
  bytes.writeInt32BE(bytes.length, 0)
  bytes.writeInt32BE(code, 4)
  return bytes
}

test.each([
  ['SSLRequest', packet(80877103), { kind: 'encryption-request' }],
  ['GSSENCRequest', packet(80877104), { kind: 'encryption-request' }],
  ['CancelRequest', packet(80877102, '\0\0\0\x01\0\0\0\x02'), { kind: 'cancel-request' }],
  ['protocol 2.0', packet(0x20000, 'x'), { kind: 'unsupported-protocol', version: '2.0' }],
  ['protocol 3.2', packet(0x30002, '\0'), { kind: 'unsupported-protocol', version: '3.2' }],
  [
    'protocol 3.0',
    packet(0x30000, 'user\0postgres\0application_name\0\0\0'),
    { kind: 'startup', settings: new Map(Object.entries({ user: 'postgres', application_name: '' })) },
  ],
])('a startup packet is recognised: %s', (_, bytes, expected) => {
  expect(parseStartupPacket(bytes)).toEqual(expected)
})

describe('connection settings', () => {
  test.each([
    [{ user: 'anyone', database: 'any', application_name: 'api' }],
    [{ client_encoding: 'UTF8', TimeZone: 'UTC', DateStyle: 'ISO', options: '' }],
    [{ statement_timeout: '5000', extra_float_digits: '3' }],
  ])('%o are accepted', (settings) => {
    expect(refusedSetting(new Map(Object.entries(settings) as [string, string][]))).toBeUndefined()
  })

  test.each([
    ['TimeZone', 'Europe/Rome'],
    ['client_encoding', 'LATIN1'],
    ['search_path', 'private'],
    ['options', '-c jit=on'],
    ['replication', 'database'],
  ])('%s=%s is refused', (name, value) => {
    expect(refusedSetting(new Map([[name, value]]))).toBe(`${name}=${value}`)
  })
})
