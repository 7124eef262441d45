/** Runs the history of a seed, and shortens one that breaks a promise. */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { prepareFirstDatabase } from '../../src/service/prepare-first-database.ts'
import '../support/compiled-engine.ts'
import { type History, historyArbitrary } from './history.ts'
import { randomSequence } from './random.ts'
import { Violation } from './violation.ts'
import { World } from './world.ts'

export interface HistoryResult {
  /** Digest of the steps and of everything stored at the end. */
  digest: string
  violation: Violation | undefined
  days: number
  counts: World['counts']
  steps: string[]
}

/** Returns the history of a seed. */
export function historyOf(seed: number, days: number): History {
  return fc.sample(historyArbitrary(days), { seed, numRuns: 1, unbiased: true })[0] as History
}

export async function runHistory(history: History): Promise<HistoryResult> {
  const template = await prepareFirstDatabase('migrated')
  const before = process.getActiveResourcesInfo()
  const world = new World(history)
  const rejections: unknown[] = []
  const onRejection = (reason: unknown) => void rejections.push(reason)
  process.on('unhandledRejection', onRejection)
  const { random } = Math
  Math.random = randomSequence(history.salt + 1)
  let violation: Violation | undefined
  try {
    await world.open(template)
    await world.run()
  } catch (err) {
    violation =
      err instanceof Violation
        ? err
        : new Violation('No step of a history fails.', err instanceof Error ? `${err.stack}` : String(err))
  } finally {
    try {
      await world.close()
      await assertNoOpenHandles(before)
    } catch (err) {
      violation ??= new Violation('A stop leaves nothing behind.', String(err))
    }
    Math.random = random
    process.off('unhandledRejection', onRejection)
  }
  if (rejections.length > 0)
    violation ??= new Violation('No rejection is unhandled.', String((rejections[0] as Error)?.stack ?? rejections[0]))
  const { model, counts, steps } = world
  const content = JSON.stringify([steps, model.lines(), violation?.message])
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 16)
  return { digest, violation, days: history.days.length + 1, counts, steps }
}

/** Standard output, which is opened when the first line is printed. */
const STDOUT_RESOURCES = ['PipeWrap', 'TTYWrap']
const CLOSING_MS = 2_000

/** Throws if timers, sockets, servers, processes, threads or files still keep this process alive after `CLOSING_MS`. */
async function assertNoOpenHandles(before: readonly string[]): Promise<void> {
  const until = performance.now() + CLOSING_MS
  for (;;) {
    const left = process.getActiveResourcesInfo().filter((kind) => !STDOUT_RESOURCES.includes(kind))
    for (const kind of before) if (left.includes(kind)) left.splice(left.indexOf(kind), 1)
    if (left.length === 0) return
    if (performance.now() > until) throw new Error(`left: ${left.join(', ')}`)
    await sleep(20)
  }
}

/** Returns the shortest history, found within `runsMax` runs, that also breaks a promise. */
export async function shrinkHistory(
  seed: number,
  days: number,
  runsMax: number,
): Promise<{ history: History; violation: Violation; runs: number }> {
  let runs = 0
  let last: { history: History; violation: Violation } | undefined
  await fc.check(
    fc.asyncProperty(historyArbitrary(days), async (history) => {
      runs += 1
      if (runs > runsMax) return
      const { violation } = await runHistory(history)
      if (violation !== undefined) {
        last = { history, violation }
        throw violation
      }
    }),
    { seed, numRuns: 1, unbiased: true, endOnFailure: false },
  )
  if (last === undefined) throw new Error(`seed ${seed} breaks nothing when it is repeated`)
  return { ...last, runs }
}
