/** `as_of` for zones and hours: data as known at an instant. Decisions: "Data". */
import { describe, expect, it } from 'vitest'
import { zoneDay } from '../../support/prices.ts'
import { serviceOfFile } from '../../support/service.ts'

const NOW = '2026-11-21T10:00:00Z'
const DAY = '2026-11-10'
const FIRST_SEEN = '2026-11-09T12:00:00Z'
const CORRECTED = '2026-11-12T08:30:00.25Z'
const REFINED = '2026-11-13T09:00:00Z'
const NEXT_DAY_SEEN = '2026-11-13T12:00:00Z'

const service = await serviceOfFile({ now: NOW })
const { authorization } = await service.asPlan('API')
const at = (instant: string, source = 'gme-mgp') => ({ at: Temporal.Instant.from(instant), source })
// The second source delivers first: without PUN, and replaced when the first one delivers.
await service.seed([zoneDay('sud', DAY, 60, () => 7)], at('2026-11-09T11:00:00Z', 'entsoe'))
const first = [
  zoneDay('nazionale', DAY, 60, () => 100),
  zoneDay('sud', DAY, 60, () => 90),
  zoneDay('nord', DAY, 60, () => 110),
]
await service.seed(first, at(FIRST_SEEN))
await service.seed([zoneDay('nord', DAY, 60, (hour) => (hour === 7 ? 134 : 110))], at(CORRECTED))
await service.seed([zoneDay('nord', DAY, 15, (quarter) => (quarter <= 48 ? 80 : 90))], at(REFINED))
await service.seed([zoneDay('nazionale', '2026-11-14', 60, () => 1)], at(NEXT_DAY_SEEN))

const ask = (path: string) => service.ask(`/v1/pun/${path}`, { headers: { authorization } })
const nordOf = async (asOf: string) => {
  const { zones } = (await ask(`zones?date=${DAY}&as_of=${encodeURIComponent(asOf)}`)).json()
  return (zones as { code: string; value: number }[]).find(({ code }) => code === 'nord')?.value
}
const hoursOf = async (zone: string, asOf: string, more = '') =>
  ask(`hourly?zone=${zone}&date=${DAY}&as_of=${encodeURIComponent(asOf)}${more}`)

describe('GET /v1/pun/zones?as_of', () => {
  it.each([
    ['when it was first seen', FIRST_SEEN, 110],
    ['just before a correction', '2026-11-12T08:30:00.249Z', 110],
    ['at the correction', CORRECTED, 111],
    ['in the offset of another place', '2026-11-12T09:30:00.25+01:00', 111],
    ['when hours became quarter-hours', REFINED, 85],
    ['now', NOW, 85],
  ])('200 %s', async (_name, asOf, expected) => {
    expect(await nordOf(asOf)).toBe(expected)
  })

  it('200 with the same response as without as_of if nothing was corrected since', async () => {
    const { as_of, ...then } = (await ask(`zones?date=${DAY}&as_of=${NOW}`)).json()
    expect(as_of).toBe(NOW)
    expect(then).toEqual((await ask(`zones?date=${DAY}`)).json())
  })

  it('200 for the latest day known at as_of', async () => {
    expect((await ask(`zones?as_of=${NEXT_DAY_SEEN}`)).json().date).toBe('2026-11-14')
    expect((await ask('zones?as_of=2026-11-13T11:59:59Z')).json().date).toBe(DAY)
  })

  it('200 as CSV', async () => {
    const { text } = await ask(`zones?date=${DAY}&format=csv&as_of=${FIRST_SEEN}`)
    expect(text).toContain(`${DAY};€/MWh;100;nord;North;110;10\r\n`)
  })

  it('404 for a day whose PUN was not known at the instant', async () => {
    const answer = await ask(`zones?date=${DAY}&as_of=2026-11-09T11:30:00Z`)
    expect(answer.status).toBe(404)
    expect(answer.json()).toMatchObject({ error: 'not_found', message: expect.stringContaining('not known') })
  })
})

describe('GET /v1/pun/hourly?as_of', () => {
  it('200 with values and name of the second source until the first one delivers', async () => {
    const then = (await hoursOf('sud', '2026-11-09T11:00:00Z')).json()
    expect(then).toMatchObject({ source: 'ENTSO-E Transparency Platform', stats: { avg: 7 } })
    const later = (await hoursOf('sud', FIRST_SEEN)).json()
    expect(later).toMatchObject({ source: 'Gestore dei Mercati Energetici S.p.A. (GME)', stats: { avg: 90 } })
  })

  it.each(['', '&granularity=quarter', `&from=2026-11-01&to=2026-11-21`])(
    '200 with the same response as without as_of if nothing was corrected since: %s',
    async (more) => {
      const day = more.includes('from') ? '' : `&date=${DAY}`
      const { as_of, ...then } = (await ask(`hourly?zone=nord${day}${more}&as_of=${NOW}`)).json()
      expect(as_of).toBe(NOW)
      expect(then).toEqual((await ask(`hourly?zone=nord${day}${more}`)).json())
    },
  )

  it('200 as CSV', async () => {
    const rows = (await hoursOf('nord', CORRECTED, '&format=csv')).text.split('\r\n')
    expect(rows[7]).toBe(`nord;€/MWh;${DAY};7;${DAY}T06:00:00+01:00;134;F3;${DAY}T07:00:00+01:00`)
  })

  it('200 is unaffected by later corrections', async () => {
    const before = (await hoursOf('sud', FIRST_SEEN)).text
    await service.seed([zoneDay('sud', DAY, 60, () => 1)], { at: Temporal.Instant.from(NOW) })
    expect((await hoursOf('sud', FIRST_SEEN)).text).toBe(before)
    expect((await ask(`hourly?zone=sud&date=${DAY}`)).json()).toMatchObject({ stats: { avg: 1 } })
  })

  it('200 for the latest day known at as_of', async () => {
    expect((await ask('hourly?as_of=2026-11-10T00:00:00Z')).json().date).toBe(DAY)
  })

  it.each([
    ['without a price yet', `hourly?date=${DAY}&as_of=2026-11-01T00:00:00Z`],
    ['before anything was known', 'hourly?as_of=2026-01-01T00:00:00Z'],
    ['whose quarter-hours were not known yet', `hourly?zone=nord&date=${DAY}&granularity=quarter&as_of=${CORRECTED}`],
    ['without a price now either', 'hourly?date=2010-01-01&as_of=2026-11-20T00:00:00Z'],
  ])('404 for a day %s', async (_name, path) => {
    const answer = await ask(path)
    expect([answer.status, answer.json().error]).toEqual([404, 'not_found'])
  })

  it('503 for a day that is still not published', async () => {
    expect((await ask('hourly?date=2026-11-22&as_of=2026-11-20T00:00:00Z')).status).toBe(503)
  })

  it.each(['2026-11-21T10:00:00.001Z', '2026-11-12', 'now', ''])('400 for the instant "%s"', async (text) => {
    for (const path of ['hourly', 'zones']) {
      const answer = await ask(`${path}?as_of=${encodeURIComponent(text)}`)
      expect(answer.status).toBe(400)
      expect(answer.json()).toMatchObject({ error: 'invalid_parameter', param: 'as_of' })
    }
  })
})
