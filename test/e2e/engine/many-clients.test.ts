import { describe, expect, test } from 'vitest'
import { encodeMessage, sync } from '../../../src/platform/engine/messages.ts'
import { engineOfFile } from './engine-fixture.ts'
import { bind, execute, firstColumn, parse, RawClient } from './raw-client.ts'

const CLIENTS = 50
const ROUNDS = 20

const { engine, connect } = await engineOfFile()
await connect()`create table counters (id int primary key, total int not null)`
await connect()`insert into counters select id, 0 from generate_series(1, 3) as id`

describe('many clients of one engine', () => {
  test('get their own rows, and no update is lost', async () => {
    const rows = await Promise.all(Array.from({ length: CLIENTS }, (_, client) => mixedWork(client)))
    expect(rows.flat()).toEqual(Array.from({ length: CLIENTS }, (_, client) => Array(ROUNDS * 3).fill(client)).flat())
    const totals = await connect()`select total from counters order by id`
    expect(totals.map((row) => row.total)).toEqual(Array(3).fill(CLIENTS * ROUNDS))
  })

  /** Queries of three kinds that contain the client's number, and read-modify-write transactions on shared rows. */
  async function mixedWork(client: number): Promise<unknown[]> {
    const sql = connect()
    const seen: unknown[] = []
    for (let round = 0; round < ROUNDS; round++) {
      seen.push((await sql`select ${client}::int as marker, ${round}::int as round`)[0]?.marker)
      seen.push((await sql.unsafe(`select ${client} as marker`).simple())[0]?.marker)
      const id = ((client + round) % 3) + 1
      const marker = await sql.begin(async (transaction) => {
        const [row] = await transaction`select total from counters where id = ${id}`
        await transaction`update counters set total = ${Number(row?.total) + 1} where id = ${id}`
        return (await transaction`select ${client}::int as marker`)[0]?.marker
      })
      seen.push(marker)
      // The transaction updates one of three rows; the other two are updated outside a transaction.
      await sql`update counters set total = total + 1 where id <> ${id}`
    }
    return seen
  }

  test('have separate unnamed statements', async () => {
    const [one, other] = await Promise.all([RawClient.open(engine), RawClient.open(engine)])
    one.send(parse("select 'one'"), sync)
    await one.readUntil('Z')
    other.send(parse("select 'other'"), sync)
    await other.readUntil('Z')
    one.send(bind(), execute, sync)
    expect(firstColumn(await one.readUntil('Z'))).toEqual(['one'])
    one.socket.destroy()
    other.socket.destroy()
  })

  test('can prepare statements of the same name', async () => {
    const clients = await Promise.all([RawClient.open(engine), RawClient.open(engine)])
    const answers = clients.map(async (client, number) => {
      client.send(parse(`select 'client ${number}'`, 'same_name'), sync)
      await client.readUntil('Z')
      client.send(bind('same_name'), execute, encodeMessage('C', 'Ssame_name\0'), sync)
      const rows = firstColumn(await client.readUntil('Z'))
      client.socket.destroy()
      return rows
    })
    expect(await Promise.all(answers)).toEqual([['client 0'], ['client 1']])
  })

  test("get a complete response to a message that ends at the edge of the backend's read buffer", async () => {
    const client = await RawClient.open(engine)
    for (const bytes of [8191, 8192, 8193, 16_384, 65_536]) {
      const filler = bytes - parse("select length('')").length - '1.'.length
      client.send(parse(`select length('${'x'.repeat(filler)}')`), bind(), execute, sync)
      expect(firstColumn(await client.readUntil('Z'))).toEqual([String(filler)])
    }
    client.socket.destroy()
  })
})
