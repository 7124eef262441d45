/** A copy that knows the service by `/v1/changes` alone holds the same prices as the database, whatever was corrected and whoever was killed. */
import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import type { ZoneDay } from '../../../src/publishers/observations.ts'
import { dailyPrice, storePrices, zoneDay } from '../../support/prices.ts'
import { repetitions } from '../../support/repetitions.ts'
import { startTestService, type TestService } from '../../support/service.ts'

const DAYS = repetitions(6, 31)
const FIRST = Temporal.PlainDate.from('2026-10-23') // over the change day
const AT = Temporal.Instant.from('2026-10-22T12:00:00Z')

/** Applies changes in transactions of its own; a kill in between loses what was not committed, never more. */
class Mirror {
  readonly #copy = new DatabaseSync(':memory:')
  readonly #service: TestService
  readonly #headers: Record<string, string>

  constructor(service: TestService, headers: Record<string, string>) {
    this.#service = service
    this.#headers = headers
    this.#copy.exec(`
      create table prices (series text, day text, starts_at text, price real, primary key (series, starts_at));
      create table cursor (value text); insert into cursor values ('')`)
  }

  /** Reads a page; `isKilled`: dies before it commits. Returns whether there is more. */
  async step(isKilled: boolean): Promise<boolean> {
    const since = String(this.#copy.prepare('select value from cursor').get()?.value)
    const page = await this.#get(`/v1/changes?limit=3${since && `&since=${since}`}`)
    this.#copy.exec('begin')
    for (const change of page.changes as Record<string, string>[]) await this.#apply(change)
    this.#copy.prepare('update cursor set value = ?').run(String(page.next))
    this.#copy.exec(isKilled ? 'rollback' : 'commit')
    return isKilled || page.more === true
  }

  async #apply({ kind, dataset, day, url }: Record<string, string>): Promise<void> {
    if (!kind?.startsWith('day.') || url === undefined || day === undefined) return
    const { hours, points } = await this.#get(url.replace(this.#service.baseUrl, ''))
    const rows = (hours ?? points ?? []) as { starts_at?: string; date?: string; value: number }[]
    this.#copy.prepare('delete from prices where series = ? and day = ?').run(String(dataset), day)
    for (const { starts_at, date, value } of rows)
      this.#copy
        .prepare('insert into prices values (?, ?, ?, ?)')
        .run(String(dataset), day, String(starts_at ?? date), value)
  }

  async #get(path: string): Promise<Record<string, unknown>> {
    const answer = await this.#service.ask(path, { headers: this.#headers })
    expect(answer.status).toBe(200)
    return answer.json()
  }

  digest(): string {
    return digestOf(
      this.#copy
        .prepare('select series, starts_at, price from prices')
        .all()
        .map(({ series, starts_at, price }) => {
          const at = String(starts_at)
          return `${series} ${at.includes('T') ? Temporal.Instant.from(at) : at} ${Number(price).toFixed(2)}`
        }),
    )
  }
}

const digestOf = (lines: string[]) =>
  `${lines.length} ${createHash('sha256').update(lines.sort().join('\n')).digest('hex')}`

async function digestOfDatabase({ sql }: TestService): Promise<string> {
  const hours = await sql<{ at: Temporal.Instant; price: number }[]>`
    select starts_at as at, price_eur_mwh as price from price_intervals where zone = 'nazionale'`
  const days = await sql<
    { day: string; price: number }[]
  >`select market_day as day, price from daily_prices where asset = 'CO2'`
  return digestOf([
    ...hours.map(({ at, price }) => `pun ${at} ${price.toFixed(2)}`),
    ...days.map(({ day, price }) => `co2 ${day} ${price.toFixed(2)}`),
  ])
}

/** The nth reading of a day: the first, or a correction of some hours. */
function reading(day: string, n: number): ZoneDay {
  return zoneDay('nazionale', day, 60, (hour) => hour + (n > 0 && hour % (n + 2) === 0 ? n / 4 : 0))
}

it('equals the database after a history with corrections, with writers and the mirror killed now and then', async () => {
  const service = await startTestService({ now: '2026-11-30T12:00:00Z' })
  try {
    const headers = { authorization: `Bearer ${(await service.issueKey('API')).key}` }
    const mirror = new Mirror(service, headers)
    let steps = 0
    for (let n = 0; n < DAYS; n++) {
      const day = FIRST.add({ days: n }).toString()
      const at = AT.add({ hours: 24 * n })
      await service.seed([reading(day, 0), dailyPrice('CO2', day, 70 + n)], { at })
      // A writer that dies before its commit, and one that dies between the commit and the refresh.
      const dying = service.sql.begin(async (tx) => {
        await tx`select record_changes('[{"kind": "source.late", "dataset": "sources"}]', false, ${at.toString()}::timestamptz)`
        throw new Error('killed')
      })
      await expect(dying).rejects.toThrow('killed')
      const corrected = FIRST.add({ days: n - (n % 3) }).toString()
      await storePrices(service.sql, [reading(corrected, n + 1)], { at: at.add({ hours: 1 }) })
      if (n % 2 === 0) await mirror.step(steps++ % 3 === 0)
    }
    await service.seed([], { at: AT })
    while (await mirror.step(steps++ % 3 === 0));
    expect(mirror.digest()).toBe(await digestOfDatabase(service))
  } finally {
    await service.stop()
  }
})
