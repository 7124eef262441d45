import { describe, expect, it } from 'vitest'
import { dailyPrice } from '../../support/prices.ts'
import { serviceOfFile } from '../../support/service.ts'
import { NOW, tradingHistory } from './trading-history.ts'

const service = await serviceOfFile({ now: NOW })
const headers = await service.asPlan('Trading')

const ask = (query = '') => service.ask(`/v1/trading/correlation${query}`, { headers })

describe('GET /trading/correlation', () => {
  it('returns 503 if an index has no prices', async () => {
    const answer = await ask()
    expect(answer.status).toBe(503)
    expect(answer.json()).toMatchObject({
      error: 'no_data',
      message: expect.stringContaining('PUN, PSV, TTF over 30 days'),
    })
  })

  it('returns 503 with fewer returns than a third of the window', async () => {
    const days = [2, 3, 4, 5, 6]
    await service.seed(days.map((day) => dailyPrice('PSV', `2026-11-0${day}`, 30 + day)))
    await service.seed(days.map((day) => dailyPrice('TTF', `2026-11-0${day}`, 30 - day)))
    const answer = await ask('?assets=psv,ttf')
    expect(answer.status).toBe(503)
    expect(answer.json()).toMatchObject({
      message: expect.stringContaining('PSV has 4 daily returns up to 2026-11-06, 10 are needed'),
    })
  })

  it('returns a symmetric matrix of PUN, PSV and TTF with 1 on its diagonal', async () => {
    await service.seed(tradingHistory())
    const reply = (await ask()).json() as { matrix: number[][] }
    expect(reply).toMatchObject({
      window_days: 30,
      assets: ['PUN', 'PSV', 'TTF'],
      from: '2026-10-21',
      to: '2026-11-20',
      // The window has 22 weekdays after its first day, a Wednesday.
      returns: [
        [30, 30, 22],
        [30, 30, 22],
        [22, 22, 22],
      ],
    })
    for (const [i, row] of reply.matrix.entries()) {
      expect(row[i]).toBe(1)
      for (const [j, value] of row.entries()) {
        expect(value).toBe(reply.matrix[j]?.[i])
        expect(Math.abs(value)).toBeLessThanOrEqual(1)
      }
    }
  })

  it.each([30, 90, 180])('has a window of %i days', async (window) => {
    expect((await ask(`?window=${window}`)).json()).toMatchObject({
      window_days: window,
      from: Temporal.PlainDate.from('2026-11-20').subtract({ days: window }).toString(),
    })
  })

  it('compares the requested indices, in their order', async () => {
    const reply = (await ask('?assets=co2,brent')).json() as { assets: string[]; matrix: number[][] }
    expect(reply.assets).toEqual(['CO2', 'Brent'])
    expect(reply.matrix).toHaveLength(2)
  })

  it.each([
    ['window', '60', 'must be one of 30, 90, 180'],
    ['window', '30.0', 'must be one of 30, 90, 180'],
    ['assets', 'pun', 'two or more'],
    ['assets', 'pun,pun', 'different'],
    ['assets', 'pun,coal', 'pun, psv, ttf, brent, co2'],
    ['assets', 'pun,', 'two or more'],
  ])('refuses %s=%s', async (param, value, reason) => {
    const answer = await ask(`?${param}=${value}`)
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({ param, message: expect.stringContaining(reason) })
  })

  it('returns 503 if a price does not move', async () => {
    const days = Array.from({ length: 31 }, (_, i) => Temporal.PlainDate.from('2026-11-20').subtract({ days: i }))
    await service.seed(days.map((day) => dailyPrice('TTF', day.toString(), 30)))
    const answer = await ask()
    expect(answer.status).toBe(503)
    expect(answer.json()).toMatchObject({ message: expect.stringContaining('TTF did not move') })
  })
})
