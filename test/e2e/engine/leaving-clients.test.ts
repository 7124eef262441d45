import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { query, sync } from '../../../src/platform/engine/messages.ts'
import { engineOfFile } from './engine-fixture.ts'
import { bind, execute, flush, parse, RawClient, types } from './raw-client.ts'

const { engine, connect } = await engineOfFile()
await connect()`create table notes (text text)`

describe('a client that disappears', () => {
  const notes = async () => (await connect()`select text from notes`).map((row) => row.text)

  test.each<[string, (client: RawClient) => Promise<unknown>]>([
    ['inside a transaction', (client) => client.run('begin', "insert into notes values ('in a transaction')")],
    ['inside a failed transaction', (client) => client.run('begin', 'select 1/0')],
    [
      'between Execute and Sync',
      async (client) => {
        client.send(parse("insert into notes values ('without sync')"), bind(), execute, flush)
        expect(types(await client.readUntil('C'))).toBe('12C')
      },
    ],
    [
      'after an error in a batch without Sync, inside a transaction,',
      async (client) => {
        await client.run('begin', "insert into notes values ('before the error')")
        client.send(parse('select nonsense'), flush)
        await client.readUntil('E')
      },
    ],
    [
      'after half a message',
      async (client) => {
        await client.run('begin')
        client.send(query("insert into notes values ('half a message')").subarray(0, 20))
      },
    ],
  ])('%s is rolled back, and the others continue', async (_, work) => {
    const client = await RawClient.open(engine)
    await work(client)
    const waiting = notes()
    client.socket.destroy()
    expect(await waiting).toEqual([])
  })

  test('while its query runs or is queued does not block other clients', async () => {
    const busy = await RawClient.open(engine)
    const queued = await RawClient.open(engine)
    busy.send(query('select count(*) from generate_series(1, 1000000) as busy(n)'))
    queued.send(query('begin'), query("insert into notes values ('queued')"))
    busy.socket.destroy()
    queued.socket.destroy()
    expect(await notes()).toEqual([])
  })

  test('leaves no prepared statements', async () => {
    const sql = connect()
    const prepared = async () =>
      (await sql`select statement from pg_prepared_statements where statement like '%of the gone%'`.simple()).length
    const client = await RawClient.open(engine)
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
    const sql = connect()
    const settings = async () =>
      (await sql`select current_setting('TimeZone') || current_setting('search_path') as it`)[0]?.it
    const client = await RawClient.open(engine)
    await client.run(
      "set timezone = 'Europe/Rome'; select set_config('search_path', '', false); set client_min_messages = debug5",
    )
    client.socket.destroy()
    await expect.poll(settings).toBe('UTC"$user", public')
  })

  test('after sending Terminate has its last batch executed', async () => {
    const client = await RawClient.open(engine)
    client.send(query("insert into notes values ('last words')"), Buffer.from('X\0\0\0\x04', 'latin1'))
    await once(client.socket, 'close')
    expect(await notes()).toEqual(['last words'])
  })
})
