/** The metrics that Prometheus scrapes, on a real database; rules and dashboards use no others. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { webhookCalls } from '../../src/platform/metrics/metrics.ts'
import { emptyIfUnavailable, metricsOfProcess, startMetricsServer } from '../../src/platform/metrics/metrics-server.ts'
import type { Context } from '../../src/service/context.ts'
import { serviceGauges } from '../../src/service/gauges/service-gauges.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { scoreForecasts } from '../../src/store/forecast-ledger.ts'
import { issueKeyFor, seedWebhook } from '../support/alerts.ts'
import { composeFile } from '../support/compose.ts'
import { databaseOfFile } from '../support/database.ts'
import { seedIssue } from '../support/forecasts.ts'
import { dailyPrice, storePrices, zoneDay } from '../support/prices.ts'
import { testContext } from '../support/test-context.ts'

const NOW = Temporal.Instant.from('2026-10-25T13:00:00Z')
const DASHBOARDS = path.join(import.meta.dirname, '../../sql/server/dashboards')
/** Metrics of other exporters: the databases' and the prober's. */
const OTHERS = /^(pg|probe)_/

const db = await databaseOfFile()
const { sql } = db.database
beforeAll(async () => {
  const first = [zoneDay('nazionale', '2026-10-25', 60, () => 100), dailyPrice('PSV', '2026-10-22', 30)]
  await storePrices(sql, first, { at: NOW })
  await refreshAggregates(sql)
  const issue = { asset: 'PSV', infoDate: '2026-10-22', issuedAt: '2026-10-22T18:00:00Z' } as const
  await seedIssue(sql, { ...issue, days: 3, p50: () => 40 })
  await storePrices(sql, [dailyPrice('PSV', '2026-10-23', 35), dailyPrice('PSV', '2026-10-24', 36)])
  await scoreForecasts(sql, 'PSV', NOW)
  await seedWebhook(sql, await issueKeyFor(sql), { id: 'alr_0000000000000001', delivery: 'dlv_1' })
  await sql`update webhook_deliveries set next_attempt_at = ${NOW.subtract({ minutes: 7 }).toString()}::timestamptz`
  await sql`
    insert into quarantined_days (document_id, source, series, reasons, details, quarantined_at)
    select id, 'gme-mgp', 'document', '{unreadable}', '{"it is not XML"}', now() from documents limit 1`
})
const ctx = await testContext(db, () => NOW)
afterAll(() => ctx.stop())

async function scrape(of: Context = ctx): Promise<string> {
  await using server = await startMetricsServer({
    host: '127.0.0.1',
    port: 0,
    text: metricsOfProcess(emptyIfUnavailable(serviceGauges(of), of.log)),
    log: of.log,
  })
  const response = await fetch(server?.url as URL)
  return response.text()
}

const sample = (text: string, name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])

describe('the metrics', () => {
  it('are those of the database and the process', async () => {
    const text = await scrape()
    expect(sample(text, 'energy_webhook_deliveries_waiting')).toBe(1)
    expect(sample(text, 'energy_webhook_deliveries_overdue_seconds')).toBe(420)
    expect(sample(text, 'energy_quarantined_days')).toBe(1)
    expect(sample(text, 'energy_alerts_suspended')).toBe(0)
    expect(sample(text, 'energy_database_bytes')).toBeGreaterThan(1_000_000)
    expect(sample(text, 'energy_database_round_trip_seconds')).toBeGreaterThan(0)
    expect(sample(text, 'process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
    // |40 - 35| and |40 - 36|; the benchmark is 3 above.
    expect(sample(text, 'energy_forecast_mae_eur_mwh{asset="PSV",chain="issued"}')).toBe(4.5)
    expect(sample(text, 'energy_forecast_rmae{asset="PSV",chain="issued"}')).toBe(0.6)
    expect(sample(text, 'energy_forecast_scored_days{asset="PSV",chain="issued"}')).toBe(2)
    expect(sample(text, 'energy_forecast_ledger_rows')).toBe(6)
    const series = '{series="zone:nazionale",source="gme-mgp"}'
    const marketDay = Date.parse('2026-10-24T22:00:00Z') / 1_000
    expect(sample(text, `energy_series_market_day_timestamp_seconds${series}`)).toBe(marketDay)
  })

  it('of backlogs are reported by workers only', async () => {
    const text = await scrape({ ...ctx, config: { ...ctx.config, role: 'api' } })
    expect(text).toContain('energy_database_round_trip_seconds')
    expect(text).not.toContain('energy_quarantined_days')
  })

  it('include every metric used in rules and dashboards', async () => {
    webhookCalls.inc({ outcome: 'delivered' })
    const named = new Set([...(await scrape()).matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name))
    const rules = parse(composeFile().configs.prometheus_rules?.content ?? '') as {
      groups: { rules: { expr: string; labels: { severity: string }; annotations: { summary: string } }[] }[]
    }
    const all = rules.groups.flatMap((group) => group.rules)
    expect(all.length).toBeGreaterThan(10)
    for (const { labels, annotations } of all) {
      expect(['page', 'ticket']).toContain(labels.severity)
      expect(annotations.summary).not.toBe('')
    }
    const dashboards = ['servers', 'service'].map((name) => readFileSync(path.join(DASHBOARDS, `${name}.json`), 'utf8'))
    const asked = [...all.map(({ expr }) => expr), ...dashboards.flatMap(expressions)].flatMap((text) =>
      [...text.matchAll(/\b(energy|process|nodejs|pg|probe)_\w+/g)].map(([name]) => name.replace(/_bucket$/, '')),
    )
    expect(asked.length).toBeGreaterThan(30)
    expect(asked.filter((name) => !OTHERS.test(name) && !named.has(name))).toEqual([])
  })
})

function expressions(dashboard: string): string[] {
  const { panels } = JSON.parse(dashboard) as { panels: { targets: { expr: string }[] }[] }
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
}
