import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { createLogger } from '../../../../src/platform/log.ts'
import { requestCounts } from '../../../../src/platform/metrics/metrics.ts'
import {
  emptyIfUnavailable,
  metricsOfProcess,
  startMetricsServer,
} from '../../../../src/platform/metrics/metrics-server.ts'
import {
  addDrift,
  addForecasts,
  addFreshness,
  addHourlyForecasts,
  addQueues,
} from '../../../../src/service/gauges/service-gauges.ts'
import { recordedLog } from '../../../support/recorded-log.ts'

/** The lines of a registry that have a value. */
async function linesOf(registry: Registry): Promise<string[]> {
  return (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}

describe('gauges', () => {
  it('report freshness as timestamps, and the depth of queues', async () => {
    const instant = Temporal.Instant.from('2026-03-28T12:00:00.5Z')
    const one = { series: 'PSV', sourceId: 'gme-mgas', marketDay: '2026-03-29', complete: true }
    const registry = new Registry()
    addFreshness(registry, [{ ...one, observedAt: instant, fetchedAt: instant }])
    addQueues(registry, [{ queue: 'aggregates.refresh', waiting: 2, active: 1 }])
    const lines = await linesOf(registry)
    const dayStart = Date.parse('2026-03-28T23:00:00Z') / 1000
    expect(lines).toContain('energy_series_fetched_timestamp_seconds{series="PSV",source="gme-mgas"} 1774699200')
    expect(lines).toContain(`energy_series_market_day_timestamp_seconds{series="PSV",source="gme-mgas"} ${dayStart}`)
    expect(lines).toContain('energy_queue_waiting_jobs{queue="aggregates.refresh"} 2')
  })

  const issuedAt = Temporal.Instant.from('2026-03-28T12:02:11Z')
  const errors = { days: 30, n: 30, mae: 7.4, bias: -0.8, coverage80: 0.8, pinball: 2.1, benchmark: undefined }

  it('report the errors of issued forecasts, and no errors without scored days', async () => {
    const registry = new Registry()
    addForecasts(registry, [
      { chain: 'issued', code: 'PUN', issuedAt, errors: { ...errors, rmae: undefined } },
      { chain: 'issued', code: 'TTF', issuedAt, errors: undefined },
    ])
    expect(await linesOf(registry)).toEqual([
      'energy_forecast_issued_timestamp_seconds{asset="PUN",chain="issued"} 1774699331',
      'energy_forecast_issued_timestamp_seconds{asset="TTF",chain="issued"} 1774699331',
      'energy_forecast_scored_days{asset="PUN",chain="issued"} 30',
      'energy_forecast_scored_days{asset="TTF",chain="issued"} 0',
      'energy_forecast_mae_eur_mwh{asset="PUN",chain="issued"} 7.4',
      'energy_forecast_bias_eur_mwh{asset="PUN",chain="issued"} -0.8',
      'energy_forecast_pinball_eur_mwh{asset="PUN",chain="issued"} 2.1',
      'energy_forecast_coverage80{asset="PUN",chain="issued"} 0.8',
    ])
  })

  it('report the errors of hourly forecasts of each zone, and since when a model has drifted', async () => {
    const registry = new Registry()
    addHourlyForecasts(registry, [
      { chain: 'issued', code: 'nord', issuedAt, errors: { ...errors, n: 719, rmae: 0.7 } },
      { chain: 'issued', code: 'sici', issuedAt, errors: undefined },
    ])
    addDrift(registry, [{ subject: 'hours:nord', since: issuedAt }])
    const lines = await linesOf(registry)
    expect(lines).toContain('energy_hourly_forecast_rmae{zone="nord",chain="issued"} 0.7')
    expect(lines).toContain('energy_hourly_forecast_scored_days{zone="sici",chain="issued"} 0')
    expect(lines.filter((line) => line.startsWith('energy_hourly_forecast_mae'))).toHaveLength(1)
    expect(lines).toContain('energy_forecast_drift_since_timestamp_seconds{subject="hours:nord"} 1774699331')
  })
})

describe('the metrics server', () => {
  const log = createLogger({ level: 'silent' })
  const readQueues = async () => {
    const registry = new Registry()
    addQueues(registry, [{ queue: 'q', waiting: 0, active: 0 }])
    return registry
  }
  const start = (read = readQueues, port = 0) =>
    startMetricsServer({ host: '127.0.0.1', port, text: metricsOfProcess(emptyIfUnavailable(read, log)), log })
  const fetched = async (url: URL | undefined, init?: RequestInit) => {
    const response = await fetch(url as URL, init)
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
  }

  it('serves process counters and values read on request', async () => {
    requestCounts.count('GET /v1/today', 'Open', 200, 0.004)
    await using server = await start()
    const { status, type, text } = await fetched(server.url)
    expect({ status, type }).toEqual({ status: 200, type: 'text/plain; version=0.0.4; charset=utf-8' })
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m)
    expect(text).toMatch(/^energy_http_requests_total\{endpoint="GET \/v1\/today",plan="Open",status="2xx"\} \d+$/m)
    expect(text).toContain('energy_queue_active_jobs{queue="q"} 0')
  })

  it('serves process counters if nothing can be read', async () => {
    await using server = await start(() => Promise.reject(new Error('the database is away')))
    const { status, text } = await fetched(server.url)
    expect(status).toBe(200)
    expect(text).toContain('# TYPE energy_http_requests_total counter')
    expect(text).not.toContain('energy_queue')
  })

  it('returns 500 and logs the error if the metrics cannot be collected', async () => {
    const { log, lines } = recordedLog()
    const text = () => Promise.reject(new Error('a gauge is broken'))
    await using server = await startMetricsServer({ host: '127.0.0.1', port: 0, text, log })
    expect(await fetched(server.url)).toMatchObject({ status: 500, text: 'the metrics could not be collected\n' })
    expect(lines()).toMatchObject([{ level: 'error', err: { message: 'a gauge is broken' } }])
  })

  it('returns 404 for other paths and methods', async () => {
    await using server = await start()
    expect((await fetched(new URL('/', server.url))).status).toBe(404)
    expect((await fetched(server.url, { method: 'POST' })).status).toBe(404)
  })

  it('names an occupied port and its variables in the error', async () => {
    await using first = await start()
    await expect(start(undefined, Number(first.url.port))).rejects.toThrow(
      `METRICS_PORT=${first.url.port}, METRICS_HOST=127.0.0.1: another program listens on this port`,
    )
  })
})
