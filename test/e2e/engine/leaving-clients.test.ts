import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { query, sync } from '../../../src/platform/engine/messages.ts'
import { type EngineFixture, startEngineFixture } from './engine-fixture.ts'
import { bind, execute, flush, parse, RawClient, types } from './raw-client.ts'

describe('a client that disappears', () => {
  let fixture: EngineFixture

  beforeAll(async () => {
    fixture = await startEngineFixture()
    await fixture.connect()`create table notes (text text)`
  })
  afterAll(() => fixture.stop())

  const notes = async () => (await fixture.connect()`select text from notes`).map((row) => row.text)

  test('inside a transaction is rolled back, and the others continue', async () => {
    const client = await RawClient.open(fixture.engine)
    client.send(query('begin'), query("insert into notes values ('in a transaction')"))
    await client.readUntil('Z')
    await client.readUntil('Z')
    const waiting = notes()
    client.socket.destroy()
    expect(await waiting).toEqual([])
  })

  test('inside a failed transaction is rolled back', async () => {
    const client = await RawClient.open(fixture.engine)
    client.send(query('begin'), query('select 1/0'))
    await client.readUntil('Z')
    await client.readUntil('Z')
    client.socket.destroy()
    expect(await notes()).toEqual([])
  })

  test('between Execute and Sync is rolled back', async () => {
    const client = await RawClient.open(fixture.engine)
    client.send(parse("insert into notes values ('without sync')"), bind(), execute, flush)
    expect(types(await client.readUntil('C'))).toBe('12C')
    client.socket.destroy()
    expect(await notes()).toEqual([])
  })

  test('after an error in a batch without Sync, inside a transaction, is rolled back', async () => {
    const client = await RawClient.open(fixture.engine)
    client.send(query('begin'), query("insert into notes values ('before the error')"))
    await client.readUntil('Z')
    await client.readUntil('Z')
    client.send(parse('select nonsense'), flush)
    await client.readUntil('E')
    client.socket.destroy()
    expect(await notes()).toEqual([])
  })

  test('after half a message is rolled back', async () => {
    const client = await RawClient.open(fixture.engine)
    client.send(query('begin'))
    await client.readUntil('Z')
    client.send(query("insert into notes values ('half a message')").subarray(0, 20))
    client.socket.destroy()
    expect(await notes()).toEqual([])
  })

  test('while its query runs or is queued does not block other clients', async () => {
    const busy = await RawClient.open(fixture.engine)
    const queued = await RawClient.open(fixture.engine)
    busy.send(query('select count(*) from generate_series(1, 1000000) as busy(n)'))
    queued.send(query('begin'), query("insert into notes values ('queued')"))
    busy.socket.destroy()
    queued.socket.destroy()
    expect(await notes()).toEqual([])
  })

  test('leaves no prepared statements', async () => {
    const sql = fixture.connect()
    const prepared = async () =>
      (await sql`select statement from pg_prepared_statements where statement like '%of the gone%'`.simple()).length
    const client = await RawClient.open(fixture.engine)
    client.send(
      parse("select 'named, of the gone client'", 'mine'),
      parse("select 'unnamed, of the gone client'"),
      sync,
    )
    await client.readUntil('Z')
    expect(await prepared()).toBe(2)
    client.socket.destroy()
    await once(client.socket, 'close')
    await expect.poll(prepared).toBe(0)
  })

  test('leaves no session settings', async () => {
    const sql = fixture.connect()
    const settings = async () =>
      (await sql`select current_setting('TimeZone') || current_setting('search_path') as it`)[0]?.it
    const client = await RawClient.open(fixture.engine)
    client.send(
      query(
        "set timezone = 'Europe/Rome'; select set_config('search_path', '', false); set client_min_messages = debug5",
      ),
    )
    await client.readUntil('Z')
    client.socket.destroy()
    await expect.poll(settings).toBe('UTC"$user", public')
  })

  test('after sending Terminate has its last batch executed', async () => {
    const client = await RawClient.open(fixture.engine)
    client.send(query("insert into notes values ('last words')"), Buffer.from('X\0\0\0\x04', 'latin1'))
    await once(client.socket, 'close')
    expect(await notes()).toEqual(['last words'])
  })
})
