import { describe, expect, it } from 'vitest'
import { ALL_MARKET_ZONES } from '../../src/market/zones.ts'
import { saveReplay } from '../../src/store/forecast-replays.ts'
import { sendJson } from '../contract/send-json.ts'
import { countMatches, getPage, sliceBetween } from '../support/pages.ts'
import { dailyPrice, zoneDay } from '../support/prices.ts'
import { serviceOfFile } from '../support/service.ts'

const NOW = '2026-11-24T10:00:00Z'
const LAST = '2024-12-31'

/** Imported files that end two years ago, as of publishers that are not fetched. */
const service = await serviceOfFile({ now: NOW })
const { authorization } = await service.asPlan('API')
const days = [LAST, '2024-12-30', '2024-03-31', '2004-04-01']
await service.seed(days.map((day, i) => zoneDay('nazionale', day, 60, (hour) => 100 + hour - i)))
await service.seed(ALL_MARKET_ZONES.map((zone) => zoneDay(zone, LAST, 60, () => 120)))
await service.seed([dailyPrice('PSV', '2024-09-29', 38.5), dailyPrice('PSV', '2024-09-30', 39.75)], {
  source: 'gme-mgas',
})

const page = (path: string) => getPage(service.baseUrl, path)
const api = async (path: string) => {
  const answer = await service.ask(`/v1${path}`, { headers: { authorization } })
  return { status: answer.status, body: await answer.json() }
}

describe('pages with historical data only', () => {
  it.each([
    ['en', 'Prices end on 31 December 2024 (PUN), 30 September 2024 (PSV).', 'No price of TTF, Brent, CO2 is stored.'],
    [
      'it',
      'I prezzi finiscono il 31 dicembre 2024 (PUN), 30 settembre 2024 (PSV).',
      'Nessun prezzo di TTF, Brent, CO2 in archivio.',
    ],
  ])('the home page says in one notice where prices end and how to update, in %s', async (language, ...sentences) => {
    const { html } = await page(`/${language}/`)
    expect(countMatches(html, /class="[^"]*notice/g)).toBe(1)
    const notice = sliceBetween(html, '<p class="notice">', '</p>')
    for (const sentence of sentences) expect(notice).toContain(sentence)
    expect(notice).toContain('SOURCES=gme-mgp,gme-mgas,eex-ttf,eia-brent,eex-eua npm start')
    expect(notice).toContain('npm run import')
  })

  it('the home page shows hours, prices and zones of the last stored day, with its year and age', async () => {
    const { html } = await page('/en/')
    expect(sliceBetween(html, 'class="card answer"', '</section>')).toContain(
      'Last day stored, Tuesday, 31 December 2024',
    )
    const chart = sliceBetween(html, '<figure class="bars hours"', '</figure>')
    expect(countMatches(chart, /<line class="(?:low|normal|high)"/g)).toBe(24)
    expect(sliceBetween(html, '>PUN</a></h3>', '</li>')).toContain('31 Dec 2024, not up to date: 693 days old')
    const psv = sliceBetween(html, '>PSV</a></h3>', '</li>')
    expect(psv).toContain('39.75')
    expect(psv).toContain('785 days old')
    const zones = sliceBetween(html, 'id="zones"', '<ul class="italy">')
    for (const text of ['31 December 2024', 'not up to date: 693 days old']) expect(zones).toContain(text)
  })

  it.each([
    ['/en/prices/pun', 'value="2024-12-31"'],
    ['/en/prices/psv', 'value="2024-09-30"'],
    ['/en/zones', 'value="2024-12-31"'],
    ['/en/prices/pun/hours', '<option value="2024" selected>'],
    ['/en/bands', 'to=2024-12'],
    ['/en/forecasts', 'to=2024-12-31'],
    ['/en/forecasts/hours', 'to=2024-12-31'],
    ['/en/forecasts/past', 'value="2024-12-31"'],
    ['/en/trading', '31 December 2024 (PUN)'],
  ])('%s ends with the last stored day and says so', async (path, end) => {
    const { status, html } = await page(path)
    expect(status).toBe(200)
    expect(html).toMatch(/Prices end on 3[01] (December|September) 2024/)
    expect(html).toContain(end)
    expect(html).not.toContain('There are no prices in this range')
  })

  it('the zone map shows the age of its data unless the URL selects a day', async () => {
    const titleOf = async (path: string) => sliceBetween((await page(path)).html, 'class="map-title"', '</p>')
    expect(await titleOf('/en/zones')).toContain('693 days old')
    expect(await titleOf(`/en/zones?date=${LAST}`)).not.toContain('days old')
  })

  it('the hours page offers every year from the first stored to the last', async () => {
    const { html } = await page('/en/prices/pun/hours')
    const years = sliceBetween(html, '<optgroup label="Years">', '</optgroup>').match(/value="\d{4}"/g)
    expect([years?.length, years?.[0], years?.at(-1)]).toEqual([21, 'value="2024"', 'value="2004"'])
    expect((await page('/en/prices/pun/hours?period=2004-04')).status).toBe(200)
  })

  it('a price from a file is shown as imported, not as published', async () => {
    const { html } = await page('/en/prices/psv')
    const now = sliceBetween(html, '<div class="split now">', '</section>')
    expect(now).toContain('Imported <time')
    expect(now).not.toContain('Published')
    const provenance = sliceBetween(html, 'id="provenance"', '</section>')
    expect(provenance).toContain('<dt>Imported</dt>')
    expect(provenance).not.toContain('<dt>Latest publication</dt>')
    expect(html).not.toContain('published nothing newer')
  })

  it('a publisher that is fetched is reported to have published nothing newer', async () => {
    await service.sql`insert into source_fetching (source, state) values ('gme-mgas', 'on')`
    const { html } = await page('/en/prices/psv?range=30d')
    expect(sliceBetween(html, '<p class="notice">', '</p>')).toContain('The source has published nothing newer.')
    await service.sql`delete from source_fetching where source = 'gme-mgas'`
  })

  it('cards show the last price and its age', async () => {
    const card = await (await fetch(new URL('/en/card/psv.svg', service.baseUrl))).text()
    expect(card).toContain('30 Sept 2024, not up to date: 785 days old')
  })
})

describe('forecasts from historical data only', () => {
  const MADE_AT = Temporal.Instant.from('2026-11-24T09:00:00Z')
  const about = { synthetic: false, purpose: 'accuracy' as const, codeVersion: '1.0.0', madeAt: MADE_AT }
  const day = (ahead: number) => Temporal.PlainDate.from(LAST).add({ days: ahead }).toString()

  it('add no second notice before they are computed', async () => {
    for (const path of ['/en/prices/pun', '/en/forecasts/hours'])
      expect(countMatches((await page(path)).html, /<p class="notice">(?!No issued)/g)).toBe(1)
  })

  it('begin the day after the last price, and responses and pages say that prices have ended', async () => {
    const issuedAt = Temporal.Instant.from('2024-12-30T18:30:00Z')
    const made = { role: 'published' as const, model: 'base', version: '3', infoDate: LAST, issuedAt }
    const days = Array.from({ length: 8 }, (_, i) => i + 1)
    await saveReplay(service.sql, {
      ...{ ...about, asset: 'PUN' },
      forecasts: days.map((i) => ({ ...made, targetDate: day(i), p10: 90, p50: 100 + i, p90: 120, actual: undefined })),
    })
    const hours = (price: number) => Array<number>(24).fill(price)
    await saveReplay(service.sql, {
      ...{ ...about, asset: 'hours:nazionale', issue: 'evening' },
      forecasts: days.map((i) => ({
        ...{ ...made, inputs: 'prices-only' as const, targetDate: day(i) },
        ...{ p10: hours(90), p50: hours(100 + i), p90: hours(120) },
      })),
    })
    await service.seed([]) // otherwise pages are cached for a second
    const replay = { basis: 'replay', info_date: LAST, generated_at: MADE_AT.toString() }
    expect((await api('/forecast/pun')).body).toMatchObject({
      ...replay,
      points: { 0: { date: '2025-01-01', p50: 101 } },
    })
    expect((await api('/forecast/pun/next')).body).toMatchObject({ ...replay, target_date: '2025-01-01', value: 101 })
    const { body } = await api('/forecast/pun/hourly?days=1')
    expect(body).toMatchObject({ ...replay, issue: 'evening', count: 48, days: [{ date: '2025-01-01', mean: 101 }] })
    const points = body.points as object[]
    expect(points[23]).toMatchObject({ date: LAST, hour: 24, price: 'published' })
    expect(points[24]).toMatchObject({ date: '2025-01-01', hour: 1, price: 'forecast', p50: 101 })
    for (const path of ['/en/', '/en/prices/pun', '/en/forecasts', '/en/forecasts/hours'])
      expect((await page(path)).html).toContain(
        'The forecast begins on 1 January 2025: prices end on 31 December 2024. It was computed afterwards and is in no ledger.',
      )
    for (const path of ['/en/prices/pun', '/en/forecasts/hours']) {
      const { html } = await page(path)
      expect(html).toContain('<p>Computed 24 Nov 2026, 10:00')
      expect(html).not.toContain('<p>Issued')
    }
    expect((await page('/it/prices/pun')).html).toContain(
      'La previsione inizia il 1 gennaio 2025: i prezzi finiscono il 31 dicembre 2024.',
    )
    expect(countMatches((await page('/en/')).html, /class="[^"]*notice/g)).toBe(1)
  })

  it('are reported by GET /v1/status as replayed, not issued', async () => {
    const { forecasts } = (await api('/status')).body
    const reason = 'Prices end on 2024-12-31. The days after it are replayed, not issued.'
    for (const subject of ['PUN', 'hours:nazionale'])
      expect(forecasts).toContainEqual(expect.objectContaining({ subject, state: 'none', info_date: LAST, reason }))
  })

  it('come with training progress on the status endpoint and page while models are trained', async () => {
    const training = (asset: string, ended: string | null) => ({
      asset,
      begun_at: '2026-11-24T09:00:00Z',
      ended_at: ended,
      inputs_sha256: 'ab'.repeat(32),
      again_from_days: 60,
    })
    const begun = [
      training('PUN', '2026-11-24T09:30:00Z'),
      training('PSV', null),
      training('hours:nazionale', '2026-11-24T09:20:00Z'),
      training('hours:nord', null),
    ]
    await service.sql`insert into forecast_trainings ${service.sql(begun)}`
    await service.seed([])
    const progress = { subjects: ['PSV', 'hours:nord'], since: '2026-11-24T09:00:00Z', done: 2, of: 10 }
    expect((await api('/status')).body.training).toEqual(progress)
    const section = async (language: string) =>
      sliceBetween((await page(`/${language}/status`)).html, 'id="forecasts"', '<table>')
    expect(await section('en')).toContain('Models are being trained, and tested on past days: PSV; Hours, North, since')
    expect(await section('en')).toContain('Done: 2 of 10.')
    expect(await section('it')).toContain('Conclusi: 2 di 10.')
    await service.sql`update forecast_trainings set ended_at = '2026-11-24T09:40:00Z'`
    await service.seed([])
    expect((await api('/status')).body).not.toHaveProperty('training')
    expect(await section('en')).not.toContain('being trained')
  })

  it('do not replace current prices: 503 for now-and-next and cheapest-window', async () => {
    expect((await api('/pun/now-and-next')).status).toBe(503)
    expect((await api('/tools/cheapest-window?hours=3&forecast=tail')).status).toBe(503)
  })
})

describe('endpoints with historical data only', () => {
  it('keep their default interval, and return the last day with a price', async () => {
    const { body } = await api('/prices/pun/series')
    expect(body).toMatchObject({ from: '2026-10-25', to: '2026-11-24', count: 0, last_day: LAST })
    expect((await api(`/prices/pun/series?to=${LAST}`)).body).not.toHaveProperty('last_day')
  })

  it('that default to the latest data end their interval with the last stored day', async () => {
    expect((await api('/pun/bands')).body).toMatchObject({ from: '2024-01', to: '2024-12' })
    expect((await api('/forecast/track-record')).body).toMatchObject({ from: '2024-12-01', to: LAST })
  })

  it.each([
    ['/pun/today', 'PUN of 2026-11-24 is not published yet. Prices of PUN end on 2024-12-31.', 'gme-mgp'],
    ['/psv/today', 'Prices of PSV end on 2024-09-30.', 'gme-mgas'],
    ['/ttf/today', 'A current price of TTF is not published yet.', 'eex-ttf'],
    ['/pun/now-and-next', 'Prices of PUN end on 2024-12-31.', 'gme-mgp'],
    ['/tools/cheapest-window?hours=3', 'Prices of PUN end on 2024-12-31.', 'gme-mgp'],
    ['/prices/co2/latest', 'A price of CO2 is not published yet.', 'eex-eua'],
    ['/fundamentals/load', 'Load of IT for 2026-11-19 to 2026-11-25', 'entsoe-actuals'],
    ['/svc-index', 'An index of the free market is not published yet.', 'arera-offers'],
  ])('%s returns 503 no_data with the next step', async (path, sentence, source) => {
    const { status, body } = await api(path)
    expect([status, body.error]).toEqual([503, 'no_data'])
    expect(body.message).toContain(sentence)
    expect(body.message).toContain(`Start the service with SOURCES=${source}, or import newer files`)
  })

  it('a backtest beyond the last stored price names the next step', async () => {
    const body = { asset: 'psv', strategy: 'sma_cross', from: '2026-01-01', to: '2026-11-24' }
    const answer = await sendJson(service, '/v1/trading/backtest', body, await service.asPlan('Trading'))
    expect(answer.json()).toMatchObject({
      message: expect.stringContaining('Prices of PSV end on 2024-09-30. Start the service with SOURCES=gme-mgas'),
    })
  })
})
