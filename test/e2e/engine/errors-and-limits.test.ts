import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { connectionStringFor } from '../../../src/platform/engine/engine.ts'
import { encodeMessage, query, sync } from '../../../src/platform/engine/messages.ts'
import { engineOfFile } from './engine-fixture.ts'
import { bind, execute, firstColumn, flush, parse, RawClient, sqlState, startup, types } from './raw-client.ts'

const CLIENTS_MAX = 12
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

const { engine, connect } = await engineOfFile({ clientsMax: CLIENTS_MAX, idleInTransactionMs: 300 })
await connect()`create table notes (id int primary key)`

describe('errors and limits of the engine', () => {
  async function stillServes(client: RawClient): Promise<void> {
    expect(firstColumn(await client.run("select 'still here'"))).toEqual(['still here'])
    client.socket.destroy()
  }

  test('an error leaves a postgres.js connection usable', async () => {
    const sql = connect()
    await expect(sql`selekt 1`).rejects.toMatchObject({ code: '42601' })
    await expect(sql`select ${1}::int / 0`).rejects.toMatchObject({ code: '22012' })
    await expect(sql.unsafe('select 1; select 1/0').simple()).rejects.toMatchObject({ code: '22012' })
    const failing = sql.begin(async (transaction) => {
      await transaction`insert into notes values (1)`
      await transaction`insert into notes values (1)`
    })
    await expect(failing).rejects.toMatchObject({ code: '23505' })
    expect(await sql`select * from notes`).toHaveLength(0)
  })

  test('a transaction that failed refuses everything until its rollback', async () => {
    const client = await RawClient.open(engine)
    client.send(query('begin'), query('select 1/0'), query('select 1'), query('rollback'))
    const statuses: string[] = []
    for (let i = 0; i < 4; i++) statuses.push((await client.readUntil('Z')).at(-1)?.body.toString() ?? '')
    expect(statuses).toEqual(['T', 'E', 'E', 'I'])
    await stillServes(client)
  })

  test('an error in one pipelined batch does not affect the next', async () => {
    const client = await RawClient.open(engine)
    client.send(parse('select nonsense'), bind(), execute, sync, parse("select 'next'"), bind(), execute, sync)
    expect(types(await client.readUntil('Z'))).toBe('EZ')
    expect(firstColumn(await client.readUntil('Z'))).toEqual(['next'])
    await stillServes(client)
  })

  test('an error before a Flush is reported at once, and the Sync ends it', async () => {
    const client = await RawClient.open(engine)
    client.send(parse('select nonsense'), flush)
    expect(types(await client.readUntil('E'))).toBe('E')
    client.send(sync)
    expect(types(await client.readUntil('Z'))).toBe('Z')
    await stillServes(client)
  })

  describe('COPY', () => {
    test('TO STDOUT gives the rows', async () => {
      const client = await RawClient.open(engine)
      expect(types(await client.run('copy (select generate_series(1, 3)) to stdout'))).toBe('HdddcCZ')
      await stillServes(client)
    })

    test.each([
      ['simple', [query('copy notes from stdin')], 'EZ'],
      ['simple, of several', [query('select 1; copy notes from stdin; select 2')], 'TDCEZ'],
      [
        'simple, with data sent ahead',
        [query('copy notes from stdin'), encodeMessage('d', '7\n'), encodeMessage('c')],
        'EZ',
      ],
      ['extended', [parse('copy notes from stdin'), bind(), execute, sync], '12EZ'],
      [
        'inside a longer batch',
        [
          ...[parse('copy notes from stdin'), bind(), execute],
          ...[parse('select 1', 'next'), bind('next'), execute, sync],
        ],
        '12EZ',
      ],
    ])('FROM STDIN is refused with a reason: %s', async (_, messages, answered) => {
      const client = await RawClient.open(engine)
      client.send(...messages)
      const answers = await client.readUntil('Z')
      expect(types(answers)).toBe(answered)
      expect(answers.at(-2)?.body.toString()).toContain('not supported by the embedded engine')
      await stillServes(client)
    })

    test('FROM STDIN by postgres.js is refused, and the connection stays usable', async () => {
      const sql = connect()
      await expect(sql`copy notes from stdin`.writable()).rejects.toMatchObject({ code: '57014' })
      expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
    })
  })

  test('a client idle inside a transaction is rolled back and disconnected', async () => {
    const client = await RawClient.open(engine)
    await client.run('begin', 'insert into notes values (2)')
    const others = connect()`select * from notes`
    expect(await client.terminationError()).toBe('25P03')
    expect(await others).toHaveLength(0)
  })

  test('a client that never sends its Sync is disconnected', async () => {
    const client = await RawClient.open(engine)
    client.send(parse('insert into notes values (3)'), bind(), execute, flush)
    expect(await client.terminationError()).toBe('25P03')
    expect(await connect()`select * from notes`).toHaveLength(0)
  })

  test('a connection beyond the limit is refused with 53300', async () => {
    const clients: RawClient[] = []
    for (let i = 0; i < CLIENTS_MAX; i++) clients.push(await RawClient.dial(engine))
    const last = await RawClient.dial(engine)
    last.send(startup({ user: 'postgres' }))
    expect(await last.terminationError()).toBe('53300')
    for (const client of clients) client.socket.destroy()
  })

  test.each([
    ['a message that says it is larger than 64 MiB', Buffer.from([0x51, 0x7f, 0xff, 0xff, 0xff]), '54000'],
    [
      'a batch that grows beyond 64 MiB',
      Buffer.concat(Array(17).fill(encodeMessage('P', Buffer.alloc(4 << 20)))),
      '54000',
    ],
    ['a message of unknown type', encodeMessage('!', 'what is this'), '08P01'],
    ['a password nobody asked for', encodeMessage('p', 'secret\0'), '08P01'],
    ['a length below 4', Buffer.from([0x51, 0, 0, 0, 3]), '08P01'],
    ['a Describe of 20 kB', encodeMessage('D', `S${'x'.repeat(20_000)}\0`), '08P01'],
  ])('%s ends that connection only', async (_, bytes, code) => {
    const client = await RawClient.open(engine)
    client.send(bytes)
    expect(await client.terminationError()).toBe(code)
    await stillServes(await RawClient.open(engine))
  })

  test('a malformed message body is an ordinary error, and the connection stays usable', async () => {
    const client = await RawClient.open(engine)
    for (const type of ['Q', 'P', 'B', 'D', 'C', 'E', 'F']) {
      client.send(encodeMessage(type, 'S'), sync)
      const answers = await client.readUntil('E')
      expect(sqlState(answers.at(-1)), `type ${type}`).toMatch(/^(08P01|42883)$/)
      await client.readUntil('Z')
      if (type === 'Q' || type === 'F') await client.readUntil('Z')
    }
    await stillServes(client)
  })

  test.each([
    [
      'a JSON text 16,000 levels deep',
      `select length('${'['.repeat(16_000)}${']'.repeat(16_000)}'::jsonb::text)`,
      '32000',
    ],
    ['a sum of 5,000 terms', `select ${'1 + '.repeat(4_999)}1`, '5000'],
    ['500 nested subqueries', `${'select * from ('.repeat(500)}select 1${') as nested'.repeat(500)}`, '1'],
    [
      'a union of 2,000 selects',
      `select count(*) from (select 1${' union all select 1'.repeat(1_999)}) as rows`,
      '2000',
    ],
  ])('%s does not overflow the stack', async (_, sql, result) => {
    const client = await RawClient.open(engine)
    expect(firstColumn(await client.run(sql))).toEqual([result])
    await stillServes(client)
  })

  test('encryption is refused, and the client continues unencrypted', async () => {
    const client = await RawClient.dial(engine)
    const [byte] = await Promise.all([once(client.socket, 'data'), client.send(SSL_REQUEST)])
    expect(String(byte[0])).toBe('N')
    client.socket.destroy()
  })

  test.each([
    ['a protocol of another version', startup({ user: 'postgres' }, 0x20000)],
    ['a setting that others would feel', startup({ user: 'postgres', TimeZone: 'Europe/Rome' })],
    ['options', startup({ user: 'postgres', options: '-c search_path=x' })],
  ])('%s in the startup message is refused', async (_, packet) => {
    const client = await RawClient.dial(engine)
    client.send(packet)
    expect(await client.terminationError()).toBe('0A000')
  })

  test('psql runs queries and copies out; copying in is refused', ({ skip }) => {
    const copy = ['-c', '\\copy (select 7) to stdout', '-c', '\\copy notes from /dev/null', '-c', 'select 8']
    const parameters = [connectionStringFor(engine.address), '-XAtc', 'select 1 + 1', ...copy]
    const psql = spawnSync('psql', parameters, { encoding: 'utf8' })
    if (psql.error) skip('psql is not installed')
    expect(psql.stdout).toBe('2\n7\n8\n')
    expect(psql.stderr).toContain('not supported by the embedded engine')
  })
})
