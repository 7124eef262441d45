import { describe, expect, it } from 'vitest'
import type { ScenarioForecast } from '../../../src/api/contract/forecasts.ts'
import { startForecastService } from './seeded-service.ts'

const service = await startForecastService()
const pro = await service.asPlan('Pro')
const enterprise = await service.asPlan('Enterprise')

const ask = (path: string, headers = pro) => service.ask(`/v1/forecast/${path}`, { headers })
const scenarios = async (path: string, headers = pro) =>
  (await ask(path, headers)).json() as unknown as ScenarioForecast

describe('the scenarios', () => {
  it('cover the next twelve months: the median path by month, then its continuation', async () => {
    const { months } = await scenarios('pun/scenarios')
    expect(months.map(({ month }) => month)).toEqual([
      ...['2026-12', '2027-01', '2027-02', '2027-03', '2027-04', '2027-05'],
      ...['2027-06', '2027-07', '2027-08', '2027-09', '2027-10', '2027-11'],
    ])
    expect(months.map(({ basis }) => basis)).toEqual([...Array(6).fill('forecast'), ...Array(6).fill('continuation')])
    // The 31 days of December are days 9 to 39 of a path that rises by 0.1 a day from 100.1.
    expect(months[0]?.base).toBeCloseTo(100 + 2.4, 4)
  })

  it('are ordered bear, base, bull in every month, and widen with time', async () => {
    for (const asset of ['pun', 'psv']) {
      const { months } = await scenarios(`${asset}/scenarios?months=24`, enterprise)
      expect(months).toHaveLength(24)
      for (const { base, bull, bear } of months) expect(bear < base && base < bull, asset).toBe(true)
      const width = (i: number) => (months[i]?.bull ?? 0) - (months[i]?.bear ?? 0)
      expect(width(5)).toBeGreaterThan(width(0))
    }
  })

  it('state their assumptions and estimate the pass-through of gas and CO2 prices', async () => {
    const { assumptions } = await scenarios('pun/scenarios')
    expect(assumptions.gas_pass_through).toBeCloseTo(2, 1)
    expect(assumptions.co2_pass_through).toBeCloseTo(0.4, 1)
    expect(assumptions.estimated_on_months).toBeGreaterThanOrEqual(46)
    expect(assumptions.ttf_base).toBe(35)
    for (const driver of ['ttf', 'co2', 'demand_growth'] as const) {
      expect(assumptions[`${driver}_bear`]).toBeLessThan(assumptions[`${driver}_base`])
      expect(assumptions[`${driver}_base`]).toBeLessThan(assumptions[`${driver}_bull`])
    }
  })

  it('are available as CSV with one row per month', async () => {
    const lines = (await ask('psv/scenarios?months=2&format=csv')).text.split('\r\n')
    expect(lines[0]).toBe('asset;unit;month;base;bull;bear;basis')
    expect(lines[1]).toMatch(/^PSV;€\/MWh;2026-12;37;[\d,]+;[\d,]+;forecast$/)
    expect(lines).toHaveLength(4)
  })
})

describe('a refused request for scenarios', () => {
  it.each(['0', '25', '012', '1.5', '-1', 'twelve'])('400 for %s months', async (months) => {
    const answer = await ask(`pun/scenarios?months=${months}`, enterprise)
    expect(answer.json()).toMatchObject({ error: 'invalid_parameter', param: 'months' })
  })

  it('400 for an asset without scenarios', async () => {
    expect((await ask('ttf/scenarios')).json()).toMatchObject({ error: 'invalid_parameter', param: 'asset' })
  })
})
