/** The disk of an embedded database fills up during writes, then has space again: on a small file system of this script (needs root and Linux). */
import { spawnSync } from 'node:child_process'
import { rm, statfs, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { connectionStringFor, findRunningEngine } from '../../src/platform/engine/engine.ts'
import { connectDatabase } from '../../src/store/database.ts'
import { storePrices, zoneDay } from '../support/prices.ts'
import { endProcess } from '../support/product.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { CannotBeMade, type Finding } from './fault.ts'
import { seedPrices, startDatabase, startService } from './scene.ts'

const SIZE = '500m'
const YEARS = ['2020', '2021', '2022', '2023', '2024']

export default async function diskFull(): Promise<Finding[]> {
  await using stack = new AsyncDisposableStack()
  const folder = await smallDisk(stack)
  const database = await startDatabase(folder, stack)
  await seedPrices(database.url)
  await endProcess(database.process, 'SIGTERM')

  const service = await startService(stack, {}, folder)
  const before = await pricesOf(service.url)
  const filler = await fillDisk(folder)
  const failure = await writeFiveYears(folder)
  const ended = service.process.exitCode !== null || service.process.signalCode !== null
  const during = ended ? undefined : await pricesOf(service.url).catch(() => undefined)
  await endProcess(service.process, 'SIGTERM')

  await rm(filler)
  const again = await startService(stack, {}, folder)
  const after = await pricesOf(again.url)
  const retried = await writeFiveYears(folder)
  await endProcess(again.process, 'SIGTERM')
  return [
    {
      promise: 'what does not fit is refused as a whole',
      isMet: failure !== undefined,
      seen: failure ?? 'it was stored',
    },
    {
      promise: 'the service answers as before, or ends so that it is started again; it never answers wrongly',
      isMet: during === undefined || during === before,
      seen: ended ? 'it ended' : during === before ? 'the same prices' : 'no answer',
    },
    {
      promise: 'with room again and a restart, all that was stored is there',
      isMet: after === before,
      seen: after === before ? 'the same prices' : `${before} became ${after}`,
    },
    { promise: 'and the same can be stored', isMet: retried === undefined, seen: retried ?? 'it was' },
  ]
}

async function smallDisk(stack: AsyncDisposableStack): Promise<string> {
  const folder = await scratchFolder(stack)
  const { status, error } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', folder])
  if (status !== 0) throw new CannotBeMade(`a small file system cannot be mounted here ${error ?? ''}`)
  stack.defer(() => void spawnSync('umount', ['--lazy', folder]))
  return folder
}

/** Fills the disk up to a few hundred kilobytes. */
async function fillDisk(folder: string): Promise<string> {
  const filler = path.join(folder, 'filler')
  const { bavail, bsize } = await statfs(folder)
  await writeFile(filler, Buffer.alloc(bavail * bsize - 256 * 1024))
  return filler
}

/** Stores five years of hours as one document; returns the error, or undefined if they were stored. */
async function writeFiveYears(folder: string): Promise<string | undefined> {
  const engine = await findRunningEngine(path.join(folder, 'engine'))
  if (engine === undefined) return 'the database was away'
  await using database = connectDatabase({ url: connectionStringFor(engine), poolSize: 1 })
  const days = YEARS.flatMap((year) =>
    Array.from({ length: 365 }, (_, i) => Temporal.PlainDate.from(`${year}-01-01`).add({ days: i }).toString()),
  )
  try {
    await storePrices(
      database.sql,
      days.map((day) => zoneDay('nord', day, 60, (hour) => hour)),
    )
    return undefined
  } catch (err) {
    return err instanceof Error ? err.message : String(err)
  }
}

/** Without the service's own URL, which changes on restart. */
async function pricesOf(base: URL): Promise<string> {
  const response = await fetch(new URL('/v1/prices/pun/series?from=2026-10-24', base))
  const { points } = (await response.json()) as { points?: unknown }
  return JSON.stringify(points)
}
