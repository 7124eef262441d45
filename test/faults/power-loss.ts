/**
 * A power cut under a running embedded database, twenty times on the same folder: unsynced data is lost, all of it or random pages,
 * and the engine starts on what is left.
 */
import path from 'node:path'
import { type Acknowledged, cutPower, findMissingCommits } from '../support/power-loss/power-loss.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import type { Finding } from './fault.ts'

const ROUNDS = 20
/** From the middle of a start to thousands of commits. */
const OPERATIONS_MAX = 12_000

export default async function powerLoss(): Promise<Finding[]> {
  await using stack = new AsyncDisposableStack()
  const folder = path.join(await scratchFolder(stack), 'engine')
  const acknowledged: Acknowledged = new Map()
  const missing: string[] = []
  let commits = 0
  for (let round = 1; round <= ROUNDS; round++) {
    const at = 1 + Math.floor(Math.random() * OPERATIONS_MAX)
    const loss = round % 2 === 0 ? 'everything' : 'at random'
    commits += await cutPower({ folder, at, loss, random: Math.random }, acknowledged)
    missing.push(
      ...(await findMissingCommits(folder, acknowledged)).map((what) => `round ${round}, operation ${at}: ${what}`),
    )
  }
  return [
    {
      promise: 'the database opens, and nothing acknowledged is missing or damaged',
      isMet: missing.length === 0 && commits > 0,
      seen: `${ROUNDS} times, ${commits} commits; ${missing.length} missing ${missing.join('; ')}`,
    },
  ]
}
