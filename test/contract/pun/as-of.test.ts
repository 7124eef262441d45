/** `as_of` of the series, the hours and the zones: data as known at an instant. Decisions: "Data", "Series". */
import { describe, expect, it } from 'vitest'
import { dailyPrice, zoneDay } from '../../support/prices.ts'
import { serviceOfFile } from '../../support/service.ts'

const NOW = '2026-11-21T10:00:00Z'
const DAY = '2026-11-10'
const OTHER_DAY = '2026-11-11'
const FIRST_SEEN = '2026-11-09T12:00:00Z'
const OTHER_SEEN = '2026-11-10T12:00:00Z'
const CORRECTED = '2026-11-12T08:30:00.25Z'
const REFINED = '2026-11-13T09:00:00Z'
const LAST_SEEN = '2026-11-13T12:00:00Z'

const service = await serviceOfFile({ now: NOW })
const { authorization } = await service.asPlan('API')
const at = (instant: string, source = 'gme-mgp') => ({ at: Temporal.Instant.from(instant), source })
// The second source delivers first: without PUN, and replaced when the first one delivers.
await service.seed([zoneDay('sud', DAY, 60, () => 7)], at('2026-11-09T11:00:00Z', 'entsoe'))
const first = [
  zoneDay('nazionale', DAY, 60, () => 100),
  zoneDay('sud', DAY, 60, () => 90),
  zoneDay('nord', DAY, 60, () => 110),
  dailyPrice('PSV', DAY, 30),
]
await service.seed(first, at(FIRST_SEEN))
await service.seed([zoneDay('nazionale', OTHER_DAY, 60, () => 50)], at(OTHER_SEEN))
const oneHour = [
  zoneDay('nazionale', DAY, 60, (hour) => (hour === 7 ? 124 : 100)),
  zoneDay('nord', DAY, 60, (hour) => (hour === 7 ? 134 : 110)),
  dailyPrice('PSV', DAY, 31.5),
]
await service.seed(oneHour, at(CORRECTED))
const inQuarters = (['nazionale', 'nord'] as const).map((zone) => zoneDay(zone, DAY, 15, (n) => (n <= 48 ? 80 : 90)))
await service.seed(inQuarters, at(REFINED))
await service.seed([zoneDay('nazionale', '2026-11-14', 60, () => 1)], at(LAST_SEEN))

const SERIES = `prices/pun/series?from=${DAY}&to=${OTHER_DAY}`
const ZONES = `pun/zones?date=${DAY}`
const hoursOf = (zone: string) => `pun/hourly?zone=${zone}&date=${DAY}`

const ask = (path: string, asOf?: string) =>
  service.ask(`/v1/${path}${asOf === undefined ? '' : `&as_of=${encodeURIComponent(asOf)}`}`, {
    headers: { authorization },
  })
const json = async (path: string, asOf?: string) => (await ask(path, asOf)).json()
const values = ({ points }: Record<string, unknown>) => (points as { value: number }[]).map(({ value }) => value)
const nordOf = ({ zones }: Record<string, unknown>) =>
  (zones as { code: string; value: number }[] | undefined)?.find(({ code }) => code === 'nord')?.value

describe('as_of', () => {
  it.each([
    ['before anything was seen', '2026-11-09T11:59:59.999Z', [], [], undefined],
    ['when the first value was seen', FIRST_SEEN, [100], [30], 110],
    ['when the second day was seen', OTHER_SEEN, [100, 50], [30], 110],
    ['just before a correction', '2026-11-12T08:30:00.249Z', [100, 50], [30], 110],
    ['at the correction', CORRECTED, [101, 50], [31.5], 111],
    ['after it', '2026-11-13T08:59:59Z', [101, 50], [31.5], 111],
    ['when hours became quarter-hours', REFINED, [85, 50], [31.5], 85],
    ['now', NOW, [85, 50], [31.5], 85],
    ['at an offset', '2026-11-12T09:30:00.25+01:00', [101, 50], [31.5], 111],
    ['in the offset of another place', '2026-11-12T03:30:00-05:00', [100, 50], [30], 110],
  ])('200 %s', async (_name, instant, pun, psv, nord) => {
    const series = await json(SERIES, instant)
    expect(values(series)).toEqual(pun)
    expect(series.count).toBe(pun.length)
    expect(series).not.toHaveProperty('last_day') // it may not have been known then
    expect(Temporal.Instant.from(String(series.as_of)).equals(Temporal.Instant.from(instant))).toBe(true)
    expect(values(await json(SERIES.replace('pun', 'psv'), instant))).toEqual(psv)
    expect(nordOf(await json(ZONES, instant))).toBe(nord)
  })

  it.each([
    SERIES,
    ZONES,
    hoursOf('nord'),
    `${hoursOf('nord')}&granularity=quarter`,
    'pun/hourly?zone=nord&from=2026-11-01&to=2026-11-21',
  ])('200 with the same response as without as_of if nothing was corrected since: %s', async (path) => {
    const { as_of, ...then } = await json(path, NOW)
    expect(as_of).toBe(NOW)
    expect(then).toEqual(await json(path))
  })

  it('200 for the latest day known at as_of', async () => {
    expect(await json('pun/zones?', LAST_SEEN)).toMatchObject({ date: '2026-11-14' })
    expect(await json('pun/zones?', '2026-11-13T11:59:59Z')).toMatchObject({ date: OTHER_DAY })
    expect(await json('pun/hourly?', '2026-11-10T00:00:00Z')).toMatchObject({ date: DAY })
  })

  it('200 with hours and name of the second source until the first one delivers', async () => {
    const then = await json(hoursOf('sud'), '2026-11-09T11:00:00Z')
    expect(then).toMatchObject({ source: 'ENTSO-E Transparency Platform', stats: { avg: 7 } })
    const later = await json(hoursOf('sud'), FIRST_SEEN)
    expect(later).toMatchObject({ source: 'Gestore dei Mercati Energetici S.p.A. (GME)', stats: { avg: 90 } })
  })

  it('200 with statistics of the known values in the requested unit', async () => {
    const body = await json(`${SERIES}&unit=kwh`, CORRECTED)
    expect(body).toMatchObject({ unit: '€/kWh', stats: { min: 0.05, max: 0.101, avg: 0.0755 } })
  })

  it('200 as CSV', async () => {
    const lines = async (path: string, asOf: string) => (await ask(`${path}&format=csv`, asOf)).text.split('\r\n')
    expect(await lines(SERIES, FIRST_SEEN)).toEqual(['asset;unit;date;value', `PUN;€/MWh;${DAY};100`, ''])
    expect(await lines(ZONES, FIRST_SEEN)).toContain(`${DAY};€/MWh;100;nord;North;110;10`)
    expect((await lines(hoursOf('nord'), CORRECTED))[7]).toBe(
      `nord;€/MWh;${DAY};7;${DAY}T06:00:00+01:00;134;F3;${DAY}T07:00:00+01:00`,
    )
  })

  it('200 truncated to the history of the plan', async () => {
    const { status, headers } = await service.ask(`/v1/prices/pun/series?from=2026-01-01&as_of=${CORRECTED}`)
    expect([status, headers.get('x-interval-truncated')]).toEqual([200, 'Developer'])
  })

  it('200 is unaffected by later corrections', async () => {
    const texts = async () => [(await ask(SERIES, REFINED)).text, (await ask(hoursOf('sud'), FIRST_SEEN)).text]
    const before = await texts()
    await service.seed([zoneDay('nazionale', OTHER_DAY, 60, () => 51), zoneDay('sud', DAY, 60, () => 1)], at(NOW))
    expect(await texts()).toEqual(before)
    expect(values(await json(SERIES))).toEqual([85, 51])
    expect(await json(hoursOf('sud'))).toMatchObject({ stats: { avg: 1 } })
  })

  it.each([
    ['zones', 'whose PUN was not known', ZONES, '2026-11-09T11:30:00Z', /not known/],
    ['hours', 'without a price yet', `pun/hourly?date=${DAY}`, '2026-11-01T00:00:00Z', /not known/],
    ['hours', 'before anything was known', 'pun/hourly?', '2026-01-01T00:00:00Z', /known/],
    ['quarters', 'not known yet', `${hoursOf('nord')}&granularity=quarter`, CORRECTED, /hours only/],
    ['hours', 'without a price now either', 'pun/hourly?date=2010-01-01', '2026-11-20T00:00:00Z', /no prices/],
  ])('404 for %s of a day %s', async (_what, _name, path, asOf, message) => {
    const answer = await ask(path, asOf)
    expect(answer.status).toBe(404)
    expect(answer.json()).toMatchObject({ error: 'not_found', message: expect.stringMatching(message) })
  })

  it('503 for hours of a day that is still not published', async () => {
    expect((await ask('pun/hourly?date=2026-11-22', '2026-11-20T00:00:00Z')).status).toBe(503)
  })

  it.each([
    ['an instant to come', '2026-11-21T10:00:00.001Z'],
    ['a day', '2026-11-12'],
    ['a clock time without offset', '2026-11-12T08:30:00'],
    ['an instant before all calendars', '-100000-01-01T00:00:00Z'],
  ])('400 for %s', async (_name, text) => {
    for (const path of [SERIES, ZONES, hoursOf('nord')]) {
      const answer = await ask(path, text)
      expect(answer.status).toBe(400)
      expect(answer.json()).toMatchObject({ error: 'invalid_parameter', param: 'as_of' })
    }
  })

  it('400 for a plus sign that was not encoded, with the correct encoding in the message', async () => {
    const answer = await ask(`${SERIES}&as_of=2026-11-20T13:00:00+01:00`)
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({ param: 'as_of', message: expect.stringContaining('%2B') })
    expect((await ask(SERIES, '2026-11-20T13:00:00+01:00')).status).toBe(200)
  })
})
