/** `kill -9` during training and while forecasts are entered: the last good model stays active, and no partial data is left. */

import { createInterface } from 'node:readline'
import { beforeAll, describe, expect, it } from 'vitest'
import { punEnsemble } from '../../models/pun-ensemble/pun-ensemble.ts'
import { FORECAST_REACH_DAYS, HOURLY_REACH_DAYS } from '../../src/market/forecast-scope.ts'
import { LedgerVerifier } from '../../src/market/ledger.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import type { Database } from '../../src/store/database.ts'
import { ledgerRows } from '../../src/store/forecast-ledger.ts'
import { saveTraining } from '../../src/store/forecast-models.ts'
import { productDatabaseOfFile } from '../support/database.ts'
import { syntheticRecord } from '../support/invented-prices.ts'
import { dailyPrice, storePrices, zoneDay } from '../support/prices.ts'
import { runCommand, startCommand } from '../support/product.ts'
import { smallTraining } from '../support/small-training.ts'

/** Enough for a training as of 65 days before the last one, 28 March 2026, published the day before. */
const DAYS = 1170
const FIRST_DAY = Temporal.PlainDate.from('2026-03-28').subtract({ days: DAYS - 1 })
const CLOCK = '2026-03-27T12:05:00Z'
/** Each clock continues from its start time; the ledger is in chronological order. */
const LATER = '2026-03-27T12:35:00Z'
/** Within the test days: the command first trains the nets as of the day before them. */
const TRAINED_ON = '2026-03-01'

const copy = await productDatabaseOfFile()
beforeAll(async () => {
  const record = syntheticRecord({ firstDay: FIRST_DAY.toString(), days: DAYS })
  await withDatabase(async ({ sql }) => {
    const at = Temporal.Instant.from(CLOCK).subtract({ minutes: 5 })
    const { PUN, PSV } = record.revisions
    const hourly = PUN.map(({ day, hours }) =>
      zoneDay('nazionale', day.toString(), 60, (hour) => hours?.[hour % 24] ?? 0),
    )
    await storePrices(sql, hourly, { at })
    const gas = PSV.filter(({ day }) => day.toString() < '2026-03-28')
    await storePrices(
      sql,
      gas.map(({ day, price }) => dailyPrice('PSV', day.toString(), price)),
      { at },
    )
    await refreshAggregates(sql)
    const small = { trainedOn: Temporal.PlainDate.from(TRAINED_ON), epochs: 3, learWindowDays: 364 }
    await saveTraining(sql, await smallTraining(record, small))
  })
})

async function withDatabase<T>(use: (database: Database) => Promise<T>): Promise<T> {
  await using opened = await copy.open()
  return await use(opened.database)
}

const env = { ...copy.env, CLOCK, LOG_LEVEL: 'info', FORECAST_TRAINING: 'on' }

/** Kills the command at its first log line with that event. */
async function killAtEvent(verb: string, event: string): Promise<void> {
  const { child, ended } = startCommand(env, 'forecast.ts', [verb])
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream }))
    if (line.includes(`"event":"${event}"`)) child.kill('SIGKILL')
  const { stdout, stderr } = await ended
  expect(child.signalCode, stdout + stderr).toBe('SIGKILL')
}

/** Returns the content of a reopened database; its chain must be complete. */
const stored = () =>
  withDatabase(async ({ sql }) => {
    const verifier = new LedgerVerifier({ isWhole: true })
    for await (const row of ledgerRows(sql)) expect(verifier.check(row)).toBeUndefined()
    for await (const row of ledgerRows(sql, 'hourly_forecasts')) expect(verifier.check(row)).toBeUndefined()
    // A day and its hours are entered together and must agree.
    const apart = await sql`
      select f.target_date from forecasts f
      full join hourly_forecasts h on h.target_date = f.target_date and h.issued_at = f.issued_at and h.role = f.role
      where coalesce(f.asset, 'PUN') = 'PUN' and coalesce(f.role, h.role) = 'published' and coalesce(f.horizon_days, 1) <= ${HOURLY_REACH_DAYS}
        and f.p50 is distinct from (select round(avg(p50)::numeric, 4)::double precision from unnest(h.p50) as p50)`
    expect([...apart]).toEqual([])
    const artefacts = await sql`select version, data_to::text from forecast_artefacts`
    const issues = await sql`
      select asset, role, model, count(*)::integer as rows from forecasts group by asset, role, model order by asset desc, role desc`
    const decisions = await sql`select asset, model from forecast_promotions`
    return {
      artefacts: [...artefacts],
      decisions: [...decisions],
      issues: issues.map(({ asset, role, model, rows }) => [asset, role, model, rows]),
    }
  })

describe('a forecast command that is killed', () => {
  it('during training, it keeps the active model', async () => {
    await killAtEvent('train', 'forecast_training_begun')
    const { artefacts, decisions } = await stored()
    expect(artefacts).toEqual([{ version: punEnsemble.version, data_to: TRAINED_ON }])
    expect(decisions).toEqual([{ asset: 'PUN', model: 'pun-ensemble' }])
  })

  it('between two issues, it has the first complete and nothing of the second, and continues there', async () => {
    await killAtEvent('issue', 'forecasts_issued')
    const power = [
      ['PUN', 'published', 'pun-ensemble', FORECAST_REACH_DAYS],
      ['PUN', 'benchmark', 'conformal-walk', FORECAST_REACH_DAYS],
    ]
    const gas = [
      ['PSV', 'published', 'base', FORECAST_REACH_DAYS],
      ['PSV', 'benchmark', 'conformal-walk', FORECAST_REACH_DAYS],
    ]
    expect([power, [...power, ...gas]]).toContainEqual((await stored()).issues)
    await runCommand({ ...env, CLOCK: LATER }, 'forecast.ts', 'issue')
    expect((await stored()).issues).toEqual([...power, ...gas])
  })
})
