/** Files of the bulk exports: each from one state of the database, deterministic to the byte, complete or absent. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { BULK_FORMATS } from '../../src/api/contract/bulk.ts'
import type { Dataset } from '../../src/delivery/bulk/dataset.ts'
import { DATASETS } from '../../src/delivery/bulk/datasets/index.ts'
import { folderStore } from '../../src/delivery/bulk/folder-store.ts'
import { makeFiles } from '../../src/delivery/bulk/make-files.ts'
import { type PublishContext, publishFile } from '../../src/delivery/bulk/publish-files.ts'
import { unfinishedFile } from '../../src/delivery/bulk/unfinished-files.ts'
import { offeredBulkFile } from '../../src/store/bulk-files.ts'
import { databaseOfFile } from '../support/database.ts'
import { duckRows } from '../support/duck-db.ts'
import { storePrices, zoneDay } from '../support/prices.ts'
import { scratchFolderOfFile } from '../support/scratch-folder.ts'

const folder = await scratchFolderOfFile()
const db = await databaseOfFile()
const { sql } = db.database
beforeAll(async () => {
  const days = ['2026-03-28', '2026-03-29', '2026-10-25']
  await storeNord(days.map((day) => zoneDay('nord', day, 15, (quarter) => quarter / 4 - 10)))
})
afterEach(async () => {
  for (const name of await readdir(folder)) await rm(fileOf(name), { recursive: true })
})

const storeNord = (items: Parameters<typeof storePrices>[1]) => storePrices(sql, items, { source: 'sample' })
const priceOf = (value: number) => storeNord([zoneDay('sud', '2026-03-28', 60, () => value)])
const fileOf = (name: string) => path.join(folder, name)

async function exportTo(name: string, about: Partial<Parameters<typeof makeFiles>[1]> = {}) {
  const pun = { dataset: DATASETS['pun-hourly'], format: 'parquet', isServer: false } as const
  const [made] = await makeFiles(sql, { ...pun, file: fileOf(name), ...about })
  return made
}

describe.each(BULK_FORMATS)('a bulk export as %s', (format) => {
  it('is byte-identical for the same state and different for another', async () => {
    await priceOf(1)
    const [first, second] = [await exportTo('a', { format }), await exportTo('b', { format })]
    expect(await readFile(fileOf('a'))).toEqual(await readFile(fileOf('b')))
    expect(first).toEqual(second)
    await priceOf(2)
    expect((await exportTo('c', { format }))?.sha256).not.toBe(first?.sha256)
  })
})

/** The dataset; after its first chunk it calls `happen`, in each of the first `times` attempts. */
function disturbedDataset(
  times: number,
  happen: (attempt: number) => Promise<unknown>,
): Dataset & { attempts: number } {
  const dataset = DATASETS['pun-hourly']
  return {
    ...dataset,
    attempts: 0,
    async *read(reader, allowed, wanted) {
      this.attempts += 1
      let isFirst = true
      for await (const chunk of dataset.read(reader, allowed, wanted)) {
        if (isFirst && this.attempts <= times) await happen(this.attempts)
        isFirst = false
        yield chunk
      }
    },
  }
}

describe('a change while rows are being read', () => {
  it('restarts the file, which then contains the state after the change', async () => {
    const dataset = disturbedDataset(1, () => priceOf(77))
    expect(await exportTo('a.parquet', { dataset })).toMatchObject({ rows: 288 + 24 - 4 + 4 })
    expect(dataset.attempts).toBe(2)
    const [row] = await duckRows(
      `select min(eur_mwh) as low, max(eur_mwh) as high from '${fileOf('a.parquet')}' where zone = 'sud'`,
    )
    expect(row).toEqual({ low: 77, high: 77 })
  })

  it('fails the export on an embedded database if it recurs in every attempt, and leaves no file', async () => {
    const dataset = disturbedDataset(99, (attempt) => priceOf(100 + attempt))
    await expect(exportTo('a', { dataset })).rejects.toThrow(/changed during every attempt/)
    expect(await readdir(folder)).toEqual([])
  })

  it('is isolated by a transaction in the last attempt on a server', async () => {
    const dataset = disturbedDataset(4, (attempt) => priceOf(200 + attempt))
    await exportTo('a.parquet', { dataset, isServer: true })
    expect(dataset.attempts).toBe(5)
    const [row] = await duckRows(`select distinct eur_mwh from '${fileOf('a.parquet')}' where zone = 'sud'`)
    expect(row).toEqual({ eur_mwh: 204 })
  })
})

it.each(BULK_FORMATS)(
  'an error while reading rows fails the export as %s and never leaves a truncated file',
  async (format) => {
    const dataset = disturbedDataset(1, () => Promise.reject(new Error('the database went away')))
    await expect(exportTo('a', { dataset, format })).rejects.toThrow('the database went away')
    expect(await readdir(folder)).toEqual([])
  },
)

describe('publishing', () => {
  const publishing = (about: Partial<PublishContext> = {}): PublishContext => ({
    sql,
    databaseUrl: db.url,
    isServer: false,
    niceness: 0,
    store: folderStore(folder),
    folder,
    now: () => Temporal.Instant.from('2026-11-21T04:40:00Z'),
    signal: new AbortController().signal,
    ...about,
  })
  const publish = (about?: Partial<PublishContext>) =>
    publishFile({ dataset: 'pun-hourly', format: 'parquet' }, publishing(about))
  afterEach(() => sql`delete from bulk_files`)

  it('keeps a file with unchanged content and updates its generation time', async () => {
    const first = await publish()
    expect(first.outcome).toBe('published')
    const later = Temporal.Instant.from('2026-11-22T04:40:00Z')
    const second = await publish({ now: () => later })
    expect(second).toMatchObject({ outcome: 'unchanged', file: { name: first.file?.name } })
    expect(second.file?.generatedAt).toEqual(later)
    expect(await readdir(folder)).toEqual([first.file?.name])
  })

  it('recreates a file missing from the store even if its content is unchanged', async () => {
    const { file } = await publish()
    await rm(fileOf(file?.name ?? ''))
    const again = await publish({ now: () => Temporal.Instant.from('2026-11-22T04:40:00Z') })
    expect(again).toMatchObject({ outcome: 'published', file: { sha256: file?.sha256 } })
    expect(await readdir(folder)).toEqual([again.file?.name])
    expect(await offeredBulkFile(sql, 'pun-hourly', 'parquet')).toEqual(again.file)
  })

  it('keeps the previous file, and leaves no partial file, if the writing process is killed', async () => {
    const { file } = await publish()
    await priceOf(300)
    await expect(publish({ onStart: (pid) => process.kill(pid, 'SIGKILL') })).rejects.toThrow(/SIGKILL/)
    expect(await offeredBulkFile(sql, 'pun-hourly', 'parquet')).toEqual(file)
    expect(await readdir(folder)).toEqual([file?.name])
  })

  it('removes partial files of dead processes, but not those of running ones', async () => {
    const dead = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
    await once(dead, 'exit')
    const debris = `.${os.hostname()}.${dead.pid}.0123abcd.part`
    const parent = `.${os.hostname()}.${process.ppid}.0123abcd.part`
    await Promise.all([debris, parent].map((name) => writeFile(fileOf(name), 'half')))
    await using own = await unfinishedFile(folder)
    await writeFile(own.path, 'half')
    const { file } = await publish()
    expect((await readdir(folder)).sort()).toEqual([parent, path.basename(own.path), file?.name].sort())
  })

  const mounted = process.getuid?.() === 0 && process.platform === 'linux'
  it.runIf(mounted)('keeps the previous file, and leaves no partial file, on a full disk', async (context) => {
    const disk = fileOf('disk')
    const { file } = await publish({ folder: disk })
    await priceOf(400)
    const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4k', 'tmpfs', disk])
    if (mount.status !== 0) return context.skip('tmpfs cannot be mounted here')
    try {
      await writeFile(path.join(disk, 'everything-else'), Buffer.alloc(4096))
      await expect(publish({ folder: disk })).rejects.toThrow(/ENOSPC/)
      expect(await readdir(disk)).toEqual(['everything-else'])
    } finally {
      spawnSync('umount', [disk])
    }
    expect(await offeredBulkFile(sql, 'pun-hourly', 'parquet')).toEqual(file)
    expect((await readdir(folder)).sort()).toEqual(['disk', file?.name])
  })
})
