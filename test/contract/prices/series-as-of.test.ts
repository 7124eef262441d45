/** `as_of`: the series as it was known at an instant. Decisions: "Data", "Series". */
import { describe, expect, it } from 'vitest'
import { dailyPrice, zoneDay } from '../../support/prices.ts'
import { serviceOfFile } from '../../support/service.ts'

const NOW = '2026-11-21T10:00:00Z'
const DAY = '2026-11-10'
const OTHER_DAY = '2026-11-11'
const FIRST_SEEN = '2026-11-09T12:00:00Z'
const CORRECTED = '2026-11-12T08:30:00.25Z'
const REFINED = '2026-11-13T09:00:00Z'

const service = await serviceOfFile({ now: NOW })
const { authorization } = await service.asPlan('API')
const at = (instant: string) => ({ at: Temporal.Instant.from(instant) })
await service.seed([zoneDay('nazionale', DAY, 60, () => 100), dailyPrice('PSV', DAY, 30)], at(FIRST_SEEN))
await service.seed([zoneDay('nazionale', OTHER_DAY, 60, () => 50)], at('2026-11-10T12:00:00Z'))
// Changes a single hour of the day, and the gas price.
await service.seed(
  [zoneDay('nazionale', DAY, 60, (hour) => (hour === 7 ? 124 : 100)), dailyPrice('PSV', DAY, 31.5)],
  at(CORRECTED),
)
// The same day again, in quarter-hours.
await service.seed([zoneDay('nazionale', DAY, 15, (quarter) => (quarter <= 48 ? 80 : 90))], at(REFINED))

const DAYS = `from=${DAY}&to=${OTHER_DAY}`
const series = (query: string, asset = 'pun') =>
  service.ask(`/v1/prices/${asset}/series?${query}`, { headers: { authorization } })
const asOf = async (instant: string, asset = 'pun') =>
  (await series(`${DAYS}&as_of=${encodeURIComponent(instant)}`, asset)).json()
const values = ({ points }: Record<string, unknown>) => (points as { value: number }[]).map(({ value }) => value)

describe('GET /v1/prices/{asset}/series?as_of', () => {
  it.each([
    ['before anything was seen', '2026-11-09T11:59:59.999Z', []],
    ['when the first value was seen', FIRST_SEEN, [100]],
    ['when the second day was seen', '2026-11-10T12:00:00Z', [100, 50]],
    ['just before a correction', '2026-11-12T08:30:00.249Z', [100, 50]],
    ['at the correction', CORRECTED, [101, 50]],
    ['after it', '2026-11-13T08:59:59Z', [101, 50]],
    ['when hours became quarter-hours', REFINED, [85, 50]],
    ['now', NOW, [85, 50]],
    ['at an offset', '2026-11-12T09:30:00.25+01:00', [101, 50]],
    ['in the offset of another place', '2026-11-12T03:30:00-05:00', [100, 50]],
  ])('200 %s', async (_name, instant, expected) => {
    const body = await asOf(instant)
    expect(values(body)).toEqual(expected)
    expect(body.count).toBe(expected.length)
    expect(Temporal.Instant.from(String(body.as_of)).equals(Temporal.Instant.from(instant))).toBe(true)
  })

  it.each([
    ['2026-11-12T08:30:00Z', [30]],
    [CORRECTED, [31.5]],
    ['2026-11-09T11:59:59Z', []],
  ])('200 for a daily price as of %s', async (instant, expected) => {
    expect(values(await asOf(instant, 'psv'))).toEqual(expected)
  })

  it('200 with the same series as without as_of if nothing was corrected since', async () => {
    const { as_of, ...then } = await asOf(NOW)
    expect(then).toEqual((await series(DAYS)).json())
  })

  it('200 with statistics of the known values in the requested unit', async () => {
    const body = (await series(`${DAYS}&unit=kwh&as_of=${CORRECTED}`)).json()
    expect(body).toMatchObject({ unit: '€/kWh', stats: { min: 0.05, max: 0.101, avg: 0.0755 } })
  })

  it('200 as CSV', async () => {
    expect((await series(`${DAYS}&format=csv&as_of=${FIRST_SEEN}`)).text).toBe(
      'asset;unit;date;value\r\nPUN;€/MWh;2026-11-10;100\r\n',
    )
  })

  it('200 truncated to the history of the plan', async () => {
    const { status, headers } = await service.ask(`/v1/prices/pun/series?from=2026-01-01&as_of=${CORRECTED}`)
    expect([status, headers.get('x-interval-truncated')]).toEqual([200, 'Developer'])
  })

  it('200 is unaffected by later corrections', async () => {
    const before = await series(`${DAYS}&as_of=${REFINED}`)
    await service.seed([zoneDay('nazionale', OTHER_DAY, 60, () => 51)], { at: Temporal.Instant.from(NOW) })
    expect((await series(`${DAYS}&as_of=${REFINED}`)).text).toBe(before.text)
    expect(values((await series(DAYS)).json())).toEqual([85, 51])
  })

  it.each([
    ['an instant to come', '2026-11-21T10:00:00.001Z'],
    ['a day', '2026-11-12'],
    ['a clock time without offset', '2026-11-12T08:30:00'],
    ['a plus sign that was not encoded', '2026-11-12T09:30:00 01:00'],
    ['an instant before all calendars', '-100000-01-01T00:00:00Z'],
  ])('400 for %s', async (_name, text) => {
    const answer = await series(`${DAYS}&as_of=${encodeURIComponent(text)}`)
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({ error: 'invalid_parameter', param: 'as_of' })
  })

  it('400 for a plus sign that was not encoded, with the correct encoding in the message', async () => {
    const answer = await series(`${DAYS}&as_of=2026-11-20T13:00:00+01:00`)
    expect(answer.json()).toMatchObject({ param: 'as_of', message: expect.stringContaining('%2B') })
    expect((await series(`${DAYS}&as_of=2026-11-20T13:00:00%2B01:00`)).status).toBe(200)
  })
})
