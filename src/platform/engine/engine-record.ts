/** `engine.json` in the data folder: who runs the engine, and where. Written only by the holder of the lock. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const engineRecord = z.object({
  pid: z.int(),
  purpose: z.enum(['service', 'command']),
  socketPath: z.string(),
  startedAt: z.iso.datetime(),
})
type EngineRecord = z.infer<typeof engineRecord>

/** Undefined if it is missing or unreadable. */
export function readEngineRecord(dataDir: string): EngineRecord | undefined {
  try {
    return engineRecord.safeParse(JSON.parse(readFileSync(recordPath(dataDir), 'utf8'))).data
  } catch {
    return undefined
  }
}

/** Written atomically, since others read it at any time. */
export function writeEngineRecord(dataDir: string, record: EngineRecord): void {
  const unfinished = `${recordPath(dataDir)}.new`
  writeFileSync(unfinished, `${JSON.stringify(record)}\n`, { mode: 0o600 })
  renameSync(unfinished, recordPath(dataDir))
}

export function removeEngineRecord(dataDir: string): void {
  rmSync(recordPath(dataDir), { force: true })
}

function recordPath(dataDir: string): string {
  return join(dataDir, 'engine.json')
}
