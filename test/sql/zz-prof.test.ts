import { it } from 'vitest'
import { loadHours, loadVersions } from '../../jobs/forecasts/load-versions.ts'
import { runModels } from '../../jobs/forecasts/run-models.ts'
import { saveIssue } from '../../jobs/forecasts/save-issue.ts'
import { whatIsDue } from '../../jobs/forecasts/what-is-due.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { scoreHourlyForecasts } from '../../src/store/hourly-ledger.ts'
import { testDatabase } from '../support/database.ts'
import { storePrices, zoneDay } from '../support/prices.ts'
import { testContext } from '../support/test-context.ts'

it('profiles', { timeout: 300_000 }, async () => {
  const db = await testDatabase()
  const { sql } = db.database
  const first = Temporal.PlainDate.from('2025-01-01')
  const now = Temporal.Instant.from('2026-03-27T12:05:00Z')
  const t = (what: string, since: number) => {
    process.stderr.write(`${what} ${Math.round(performance.now() - since)} ms\n`)
    return performance.now()
  }
  let s = performance.now()
  for (const zone of ['nazionale', 'nord'] as const)
    await storePrices(
      sql,
      Array.from({ length: 452 }, (_, i) =>
        zoneDay(zone, first.add({ days: i }).toString(), 60, (h) => 100 + h + (i % 7)),
      ),
      { at: now.subtract({ minutes: 5 }) },
    )
  s = t('stored', s)
  await refreshAggregates(sql)
  s = t('refreshed', s)
  const ctx = await testContext(db, () => now, { FORECAST_TRAINING: 'off' })
  s = t('context', s)
  const due = await whatIsDue(ctx, now)
  s = t(`due ${JSON.stringify(due)}`, s)
  const loaded = await loadVersions(sql, Temporal.PlainDate.from('2026-03-27'))
  s = t('versions', s)
  const hours = await loadHours(sql, due.zones, Temporal.PlainDate.from('2025-03-01'), false)
  s = t('hours', s)
  const result = await runModels(
    {
      kind: 'issue',
      versions: loaded.versions,
      holidays: loaded.holidays,
      nowMs: now.epochMilliseconds,
      assets: [{ asset: 'PUN', model: undefined, artefacts: [] }],
      hours: { ...hours, zones: due.zones.map((zone) => ({ zone, artefacts: [] })) },
    },
    { signal: new AbortController().signal },
  )
  s = t('models', s)
  await saveIssue(ctx, result, loaded, hours)
  s = t('saved', s)
  await scoreHourlyForecasts(sql, now)
  s = t('scored', s)
  await ctx.stop()
  await db.stop()
})
