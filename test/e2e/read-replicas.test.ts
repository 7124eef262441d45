/** Reads on streaming replicas, routed by version: no client gets data older than the version it has already seen. */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withRequestId } from '../../src/platform/request-id.ts'
import { dataVersion, incrementDataVersion } from '../../src/store/data-version.ts'
import { connectDatabase } from '../../src/store/database.ts'
import { type PlainServer, startPlainServer } from '../support/plain-server.ts'
import { hasPostgres, needsPostgres, type Server, startReplica } from '../support/postgres-cluster.ts'
import { storePrices, zoneDay } from '../support/prices.ts'
import { endProcess, startProduct } from '../support/product.ts'

const DAY = '2026-03-29'

describe.skipIf(!hasPostgres)(needsPostgres('read replicas'), () => {
  let primary: PlainServer
  const replicas: Server[] = []
  beforeAll(async () => {
    primary = await startPlainServer({ poolSize: 2 })
    for (const name of ['first', 'second']) replicas.push(await startReplica(primary.home, primary.server, name))
  })
  afterAll(async () => {
    for (const replica of replicas) await replica.stop()
    await primary?.[Symbol.asyncDispose]()
  })

  const [first, second] = [() => replicas[0] as Server, () => replicas[1] as Server]

  /** Pauses or resumes WAL replay on a replica. */
  async function replay({ superuserUrl }: Server, what: 'pause' | 'resume'): Promise<void> {
    await using database = connectDatabase({ url: superuserUrl, poolSize: 1 })
    await database.sql.unsafe(`select pg_wal_replay_${what}()`)
  }

  /** Opens a process's database connection that follows the data version. */
  async function open() {
    await using stack = new AsyncDisposableStack()
    const database = stack.use(
      connectDatabase({ url: primary.superuserUrl, readUrls: replicas.map(({ superuserUrl }) => superuserUrl) }),
    )
    const version = dataVersion(database.sql)
    const stopping = new AbortController()
    stack.defer(() => stopping.abort())
    const portOfRead = async () => {
      const [row] = await database.read<{ port: number }[]>`select current_setting('port')::integer as port`
      return row?.port
    }
    expect(await portOfRead()).toBe(primary.server.port) // nothing is known about the replicas yet
    await version.refresh()
    database.replicas?.follow(version, { signal: stopping.signal, onError: () => {} })
    const portsOfReads = async (requests = 40) => {
      const ports = new Set<number | undefined>()
      for (let i = 0; i < requests; i++) ports.add(await withRequestId(`request-${i}`, portOfRead))
      return [...ports].toSorted()
    }
    const resources = stack.move()
    return { database, version, portsOfReads, [Symbol.asyncDispose]: () => resources.disposeAsync() }
  }

  const portsOf = (...servers: Server[]) => servers.map(({ port }) => port).toSorted()

  it('share the requests; each request reads from one of them', async () => {
    await using service = await open()
    await expect.poll(() => service.portsOfReads()).toEqual(portsOf(first(), second()))
    const read = service.database.read
    const [row] = await withRequestId('one-request', () =>
      Promise.all(Array.from({ length: 20 }, () => read<{ port: string }[]>`select current_setting('port') as port`)),
    ).then((answers) => [new Set(answers.map(([answer]) => answer?.port))])
    expect(row?.size).toBe(1)
  })

  it('are skipped as soon as they lag, and used again once they have caught up', async () => {
    await using service = await open()
    await expect.poll(() => service.portsOfReads()).toEqual(portsOf(first(), second()))
    await replay(first(), 'pause')
    await incrementDataVersion(primary.database.sql)
    const wanted = await service.version.refresh()
    await expect.poll(() => service.portsOfReads()).toEqual(portsOf(second()))
    await replay(second(), 'pause')
    await incrementDataVersion(primary.database.sql)
    await service.version.refresh()
    const [seen] = await service.database.read<{ version: number }[]>`select version from data_version`
    expect(seen?.version).toBe(wanted + 1)
    expect(await service.portsOfReads()).toEqual([primary.server.port])
    await replay(first(), 'resume')
    await replay(second(), 'resume')
    await expect.poll(() => service.portsOfReads()).toEqual(portsOf(first(), second()))
  })

  it('never serve a client of two processes older data than it has seen', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'energy-prices-replicas-'))
    const product = await startProduct({
      dataDir: folder,
      env: {
        DATABASE_URL: primary.superuserUrl,
        READ_DATABASE_URL: replicas.map(({ superuserUrl }) => superuserUrl).join(', '),
        MIGRATIONS: 'check',
        SAMPLE_DATA: 'off',
        ROLE: 'api',
        API_PROCESSES: '2',
        OPEN_REQUESTS_PER_MINUTE: '1000000',
        CLOCK: `${DAY}T10:00:00Z`,
      },
    })
    const store = (value: number) => storePrices(primary.database.sql, [zoneDay('nazionale', DAY, 60, () => value)])
    /** The answer of either process, in €/MWh; the API returns the PUN in €/kWh. */
    const ask = async () => {
      const answer = await fetch(new URL('/v1/pun/today', product.url), { headers: { connection: 'close' } })
      const { value } = (await answer.json()) as { value?: number }
      return Math.round((value ?? 0) * 1000)
    }
    await store(1)
    await expect.poll(ask).toBe(1)
    for (let value = 2; value <= 6; value++) {
      const behind = replicas[value % 2] as Server
      await replay(behind, 'pause')
      await store(value)
      // The version is stored with the value: every later request must get the new value.
      const seen = []
      for (let i = 0; i < 20; i++) seen.push(await ask())
      expect(new Set(seen)).toEqual(new Set([value]))
      await replay(behind, 'resume')
    }
    await endProcess(product.process, 'SIGTERM')
    rmSync(folder, { recursive: true })
  })

  it('are replaced by the primary once they are down', async () => {
    await using service = await open()
    await expect.poll(() => service.portsOfReads()).toEqual(portsOf(first(), second()))
    await first().stop()
    await expect.poll(() => service.portsOfReads().catch(() => 'refused')).toEqual(portsOf(second()))
    await second().stop()
    await expect.poll(() => service.portsOfReads().catch(() => 'refused')).toEqual([primary.server.port])
  })
})
