/** A copy of prices in SQLite that knows a service by `/v1/changes` alone: a process of its own, to be killed. Arguments: file, URL, key. */
import { setTimeout as sleep } from 'node:timers/promises'
import { openMirror } from './mirror-file.ts'

const RETRY_MS = 50
/** Few, so that a history takes many transactions. */
const CHANGES_AT_ONCE = 3

interface Change {
  kind: string
  dataset: string
  day: string
  url: string
}

interface Rows {
  zones?: { code: string; value: number }[]
  hours?: { starts_at: string; value: number }[]
  points?: { date: string; value: number }[]
}

const [file = '', url = '', key = ''] = process.argv.slice(2)
const copy = openMirror(file)
for (;;) await step().catch(() => sleep(RETRY_MS)) // the service is away

/** A page of changes with the cursor after it, in one transaction. */
async function step(): Promise<void> {
  const since = String(copy.prepare('select value from cursor').get()?.value)
  const page = await get(new URL(`/v1/changes?limit=${CHANGES_AT_ONCE}&wait=5${since && `&since=${since}`}`, url).href)
  const { changes, next } = page as { changes: Change[]; next: string }
  copy.exec('begin')
  try {
    for (const change of changes.filter(({ kind }) => kind.startsWith('day.'))) {
      process.stdout.write('applying\n')
      await apply(change)
    }
    copy.prepare('update cursor set value = ?').run(next)
    copy.exec('commit')
  } catch (err) {
    copy.exec('rollback')
    throw err
  }
}

async function apply({ dataset, day, url: address }: Change): Promise<void> {
  const { zones, hours, points } = (await get(address)) as Rows
  copy.prepare('delete from prices where dataset = ? and day = ?').run(dataset, day)
  const insert = copy.prepare('insert into prices values (?, ?, ?, ?)')
  for (const { code, value } of zones ?? []) insert.run(dataset, day, code, value)
  for (const { starts_at, value } of hours ?? [])
    insert.run(dataset, day, Temporal.Instant.from(starts_at).toString(), value)
  for (const { date, value } of points ?? []) insert.run(dataset, day, date, value)
}

async function get(address: string): Promise<unknown> {
  const response = await fetch(address, { headers: { Authorization: `Bearer ${key}` } })
  if (response.status !== 200) throw new Error(`${response.status} of ${address}`)
  return response.json()
}
