/** The trading endpoints on the publishers' real prices, compared with an independent calculation (golden/make-golden.py). */
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importFiles } from '../../../src/ingest/import-files.ts'
import { scratchFolderOfFile } from '../../support/scratch-folder.ts'
import { startTestService, type TestService } from '../../support/service.ts'
import { needsSharedData, sharedData } from '../../support/shared-data.ts'
import { sendJson } from '../send-json.ts'
import golden from './golden/golden.json' with { type: 'json' }

const PUN = sharedData('power/gme_pun_hourly_2004-04_2022-12.csv.gz')
const OTHERS = [
  sharedData('gas/gme_mgpgas_psv_daily_2020-10_2024-09.csv'),
  sharedData('gas/ttf_front_month_daily_2019_2024.csv'),
  sharedData('oil/brent_daily_1987_2024.csv'),
  sharedData('co2/eex_eua_primary_auctions_2012_2022.csv'),
].filter((file) => file !== undefined)
/** Hours from this day on are loaded: only the year before the first golden day matters. */
const FIRST_DAY = '2020-10-01'
const NOW = '2022-08-26T20:00:00Z'

const folder = await scratchFolderOfFile()

describe.skipIf(PUN === undefined || OTHERS.length < 4)(needsSharedData('on real prices'), () => {
  let service: TestService
  let headers: Record<string, string>
  beforeAll(async () => {
    service = await startTestService({ now: NOW })
    headers = await service.asPlan('Trading')
    const [head, ...lines] = gunzipSync(readFileSync(PUN as string))
      .toString()
      .split('\n')
    const recent = path.join(folder, 'pun.csv')
    await writeFile(recent, [head, ...lines.filter((line) => line >= FIRST_DAY)].join('\n'))
    const clock = { now: () => Temporal.Instant.from('2026-11-20T12:00:00Z') }
    for (const file of [recent, ...OTHERS]) {
      const { refused } = await importFiles({ database: service.database, clock, paths: [file] })
      expect(refused, file).toEqual([])
    }
    await service.seed([]) // refreshes the aggregates and the service
  })
  afterAll(() => service?.stop())

  it.each(golden.vitals)('the vitals of $date', async ({ date, atr_pun, atr_psv, ...spreads }) => {
    const { atr_14d, ...reply } = (await service.ask(`/v1/trading/vitals?date=${date}`, { headers })).json()
    expect(reply).toMatchObject(nearly(spreads, 6))
    expect(atr_14d).toEqual(nearly({ pun: atr_pun, psv: atr_psv }, 6))
  })

  it.each(golden.correlation)('the correlation over $window_days days', async ({ window_days, last, matrix }) => {
    const reply = (await service.ask(`/v1/trading/correlation?window=${window_days}`, { headers })).json()
    expect(reply).toMatchObject({ to: last, matrix: matrix.map((row) => row.map((value) => expect.closeTo(value, 5))) })
  })

  it.each(golden.backtest.map((one) => [`${one.request.strategy} on ${one.request.asset}`, one] as const))(
    'the backtest of %s',
    async (_name, { request, trades, from, to, ...figures }) => {
      const answer = await sendJson(service, '/v1/trading/backtest', request, headers)
      expect(answer.json()).toMatchObject({ trades, from, to, ...nearly(figures, 3) })
    },
  )
})

/** The figures, each to the precision of the responses. */
function nearly(figures: Record<string, number>, decimals: number): Record<string, unknown> {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, expect.closeTo(value, decimals - 1)]))
}
