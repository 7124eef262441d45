import { beforeAll, describe, expect, it } from 'vitest'
import { MARKET_ZONES } from '../../../src/market/zones.ts'
import { zoneDay } from '../../support/prices.ts'
import { serviceOfFile } from '../../support/service.ts'
import { CHANGE_DAYS, changeDays, expectGolden, withoutLast } from './change-days.ts'

const NOW = '2026-11-21T10:00:00Z' // 11:00 in Rome

const service = await serviceOfFile({ now: NOW })
const { authorization } = await service.asPlan('Developer')

const zones = (query = '') => service.ask(`/v1/pun/zones${query}`, { headers: { authorization } })

describe('GET /v1/pun/zones before there is data', () => {
  it('503 no_data', async () => {
    const answer = await zones()
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('60')
  })
})

describe('GET /v1/pun/zones', () => {
  beforeAll(async () => {
    await service.seed([
      ...changeDays(),
      zoneDay('nazionale', '2026-11-20', 60, () => 118.43),
      ...MARKET_ZONES.map((zone, i) => zoneDay(zone, '2026-11-20', 60, () => 118 + i / 10)),
      zoneDay('cala', '2026-11-20', 60, () => 1),
      zoneDay('nazionale', '2026-11-21', 60, (hour) => hour),
      withoutLast(zoneDay('nazionale', '2026-11-19', 60, () => 1)),
      zoneDay('nord', '2026-11-19', 60, () => 1),
      withoutLast(zoneDay('nazionale', '2026-11-22', 60, () => 1)),
    ])
  })

  it.each(CHANGE_DAYS)('200 on the change day %s matches the golden JSON and CSV', async (day) => {
    await expectGolden(service, `${day}-zones`, (format) => zones(`?date=${day}&format=${format}`))
  })

  it('200 with the six zones in fixed order, with names and differences from the PUN', async () => {
    expect((await zones('?date=2026-11-20')).json()).toMatchObject({
      date: '2026-11-20',
      unit: '€/MWh',
      national: 118.43,
      zones: [
        { code: 'nord', name: 'North', value: 118, spread_vs_pun: -0.43 },
        { code: 'cnor', name: 'Centre-North', value: 118.1, spread_vs_pun: -0.33 },
        { code: 'csud', name: 'Centre-South', value: 118.2, spread_vs_pun: -0.23 },
        { code: 'sud', name: 'South', value: 118.3, spread_vs_pun: -0.13 },
        { code: 'sici', name: 'Sicily', value: 118.4, spread_vs_pun: -0.03 },
        { code: 'sard', name: 'Sardinia', value: 118.5, spread_vs_pun: 0.07 },
      ],
      source: 'Gestore dei Mercati Energetici S.p.A. (GME)',
    })
  })

  it('200 with Calabria as the seventh zone for zones=all, if it has a price', async () => {
    const six = (await zones('?date=2026-11-20')).json().zones as unknown[]
    const calabria = { code: 'cala', name: 'Calabria', value: 1, spread_vs_pun: -117.43 }
    expect((await zones('?date=2026-11-20&zones=all')).json().zones).toEqual([...six, calabria])
    expect((await zones('?date=2026-11-20&zones=all&format=csv')).text.split('\r\n').at(-2)).toBe(
      '2026-11-20;€/MWh;118,43;cala;Calabria;1;-117,43',
    )
    for (const day of CHANGE_DAYS)
      expect((await zones(`?date=${day}&zones=all`)).json()).toEqual((await zones(`?date=${day}`)).json())
    const known = `as_of=${encodeURIComponent(NOW)}`
    expect((await zones(`?date=2026-11-20&zones=all&${known}`)).json().zones).toHaveLength(7)
  })

  it('200 for the latest day with a complete PUN, even without zones', async () => {
    expect((await zones()).json()).toMatchObject({ date: '2026-11-21', national: 12.5, zones: [] })
    const { text, headers } = await zones('?format=csv')
    expect(text).toBe('date;unit;national;code;name;value;spread_vs_pun\r\n')
    expect(headers.get('content-disposition')).toBe('attachment; filename="pun_zones_2026-11-21.csv"')
  })

  it.each([
    ['tomorrow, with gaps in the PUN', '2026-11-22', 6_900],
    ['a day to come', '2026-11-23', 6_900 + 86_400],
  ])('503 no_data for %s, with Retry-After until 12:55 in Rome on the day before', async (_name, date, seconds) => {
    const answer = await zones(`?date=${date}`)
    expect(answer.status).toBe(503)
    expect(answer.json()).toMatchObject({ error: 'no_data', message: expect.stringContaining(date) })
    expect(answer.headers.get('retry-after')).toBe(String(seconds))
  })

  it.each([
    ['before the history', '2010-01-01'],
    ['whose PUN stayed incomplete', '2026-11-19'],
  ])('404 for a day %s', async (_name, date) => {
    const answer = await zones(`?date=${date}`)
    expect([answer.status, answer.json().error]).toEqual([404, 'not_found'])
  })

  it('200 for tomorrow by default once it is stored', async () => {
    await service.seed([zoneDay('nazionale', '2026-11-22', 60, () => 2)])
    expect((await zones()).json()).toMatchObject({ date: '2026-11-22', national: 2 })
  })
})
