import { beforeAll, describe, expect, it } from 'vitest'
import { serviceOfFile } from '../../support/service.ts'
import { dayNumber, NOW, priceOn, tradingHistory } from './trading-history.ts'

const service = await serviceOfFile({ now: NOW })
const headers = await service.asPlan('Trading')

const ask = (query = '') => service.ask(`/v1/trading/vitals${query}`, { headers })
const round = (value: number) => Number(value.toFixed(6))

it('GET /trading/vitals returns 503 no_data without data', async () => {
  const answer = await ask()
  expect(answer.status).toBe(503)
  expect(answer.json()).toMatchObject({ error: 'no_data' })
})

describe('GET /trading/vitals', () => {
  beforeAll(() => service.seed(tradingHistory()))

  it('is computed for the latest day that has all prices', async () => {
    const { PUN, PSV, TTF, CO2 } = priceOn(dayNumber('2026-11-20'))
    expect((await ask()).json()).toMatchObject({
      date: '2026-11-20',
      spark_spread: round(PUN - PSV / 0.53),
      clean_spark_spread: round(PUN - PSV / 0.53 - (CO2 * 0.202) / 0.53),
      psv_ttf_spread: round(PSV - TTF),
      unit: '€/MWh',
      assumptions: { efficiency: 0.53, emission_factor: 0.202 },
      inputs: { pun: { date: '2026-11-20', value: round(PUN) }, ttf: { date: '2026-11-20' } },
      attribution: expect.stringContaining('via Italian Energy Prices'),
    })
  })

  it('computes the range of PUN from its hours and that of PSV from its closes', async () => {
    const { atr_14d } = (await ask()).json() as { atr_14d: { pun: number; psv: number } }
    expect(atr_14d.pun).toBe(20) // ±10 between hours, a wider range than the change from the day before
    expect(atr_14d.psv).toBeGreaterThan(0)
    expect(atr_14d.psv).toBeLessThan(5)
  })

  it('uses Friday’s TTF and CO2 prices on a Sunday and states their dates', async () => {
    const { inputs } = (await ask('?date=2026-11-15')).json()
    expect(inputs).toMatchObject({
      pun: { date: '2026-11-15' },
      psv: { date: '2026-11-15' },
      ttf: { date: '2026-11-13' },
      co2: { date: '2026-11-13' },
    })
  })

  it.each(['2026-03-29', '2026-10-25'])('is computed on the change day %s', async (date) => {
    const { inputs } = (await ask(`?date=${date}`)).json() as { inputs: { pun: { value: number } } }
    const { PUN } = priceOn(dayNumber(date))
    expect(inputs.pun.value).toBe(round(PUN - 10 / (date === '2026-03-29' ? 23 : 25)))
  })

  it('is available as CSV with one row', async () => {
    const answer = await ask('?date=2026-11-20&format=csv')
    const [header, row, end] = answer.text.split('\r\n')
    expect(header).toBe(
      'date;spark_spread;clean_spark_spread;psv_ttf_spread;atr_14d_pun;atr_14d_psv;unit;assumptions_efficiency;' +
        'assumptions_emission_factor;inputs_pun_date;inputs_pun_value;inputs_psv_date;inputs_psv_value;inputs_ttf_date;' +
        'inputs_ttf_value;inputs_co2_date;inputs_co2_value',
    )
    expect(row).toMatch(/^2026-11-20;-?\d+,\d+;-?\d+,\d+;-?\d+,\d+;20;\d+,\d+;€\/MWh;0,53;0,202;2026-11-20;/)
    expect(end).toBe('')
    expect(answer.headers.get('content-disposition')).toContain('trading_vitals_2026-11-20.csv')
  })

  it.each([
    ['before the history', '2003-01-01', 'there is no PUN of the day'],
    ['with too short a history', '2026-01-14', 'PUN has fewer than the 15 days'],
  ])('refuses a day %s', async (_name, date, reason) => {
    const answer = await ask(`?date=${date}`)
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({
      error: 'invalid_parameter',
      param: 'date',
      message: expect.stringContaining(reason),
    })
  })

  it('returns 503 for a future day', async () => {
    const answer = await ask('?date=2026-11-21')
    expect(answer.status).toBe(503)
    expect(answer.json()).toMatchObject({ error: 'no_data', message: expect.stringContaining('no PUN of the day') })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('falls back to an earlier day if a source is late', async () => {
    service.setNow('2026-12-10T10:00:00Z')
    expect((await ask()).json()).toMatchObject({ date: '2026-11-20' })
    service.setNow(NOW)
  })
})
