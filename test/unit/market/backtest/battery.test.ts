import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Battery,
  type BatterySchedule,
  batteryMonths,
  batteryRevenue,
  batterySchedule,
  sumOf,
} from '../../../../src/market/backtest/battery.ts'
import { repetitions } from '../../../support/repetitions.ts'

const RUNS = { numRuns: repetitions(300, 3_000) }
const NOISE = 1e-6

const prices = (maxLength: number) =>
  fc.array(fc.oneof(fc.integer({ min: -30, max: 200 }), fc.double({ min: -30, max: 300, noNaN: true })), { maxLength })
const battery = fc.record({
  powerMw: fc.double({ min: 0.1, max: 20, noNaN: true }),
  energyMwh: fc.double({ min: 0.1, max: 80, noNaN: true }),
  efficiency: fc.double({ min: 0.5, max: 1, noNaN: true }),
  cyclesPerDay: fc.double({ min: 0.1, max: 4, noNaN: true }),
})

/** Violations of the battery's rules; empty for a feasible schedule. */
function broken(at: ArrayLike<number>, { charged, discharged }: BatterySchedule, hours: number, of: Battery): string[] {
  const found: string[] = []
  let stored = 0
  let delivered = 0
  for (let i = 0; i < at.length; i++) {
    const [drawn, given] = [charged[i] as number, discharged[i] as number]
    stored += drawn * of.efficiency - given
    delivered += given
    if (Math.min(drawn, given) < 0 || Math.max(drawn, given) > of.powerMw * hours + NOISE) found.push(`power in ${i}`)
    if (drawn > 0 && given > 0) found.push(`both in ${i}`)
    if (given > 0 && (at[i] as number) < 0) found.push(`discharged below zero in ${i}`)
    if (stored < -NOISE || stored > of.energyMwh + NOISE) found.push(`energy after ${i}`)
  }
  if (Math.abs(stored) > NOISE) found.push('not empty at the end')
  if (delivered > of.cyclesPerDay * of.energyMwh + NOISE) found.push('cycles')
  return found
}

/** The best result, found by trying every whole number of MWh in every hour. */
function bruteForce(at: readonly number[], of: Battery): number {
  const best = (i: number, stored: number, left: number): number => {
    if (i === at.length) return stored === 0 ? 0 : Number.NEGATIVE_INFINITY
    const price = at[i] as number
    let most = best(i + 1, stored, left)
    for (let amount = 1; amount <= of.powerMw; amount++) {
      if (stored + amount <= of.energyMwh && amount <= of.powerMw * of.efficiency)
        most = Math.max(most, best(i + 1, stored + amount, left) - (price * amount) / of.efficiency)
      if (amount <= stored && amount <= left && price >= 0)
        most = Math.max(most, best(i + 1, stored - amount, left - amount) + price * amount)
    }
    return most
  }
  return best(0, 0, of.cyclesPerDay * of.energyMwh)
}

describe('the schedule of a battery', () => {
  it('respects power, energy and cycles, and starts and ends the day empty, for any number of intervals', () => {
    const day = fc.constantFrom<[number, number]>([23, 1], [24, 1], [25, 1], [100, 0.25])
    fc.assert(
      fc.property(day, prices(100), battery, ([count, hours], some, of) => {
        const at = Array.from({ length: count }, (_, i) => some[i % (some.length || 1)] ?? 50)
        expect(broken(at, batterySchedule(at, hours, of), hours, of)).toEqual([])
      }),
      RUNS,
    )
  })

  it('earns as much as the best schedule found by brute force', () => {
    const small = fc.record({
      powerMw: fc.constantFrom(2, 4),
      energyMwh: fc.integer({ min: 1, max: 4 }),
      efficiency: fc.constantFrom(0.5, 1),
      cyclesPerDay: fc.constantFrom(0, 1, 2),
    })
    const whole = fc.array(fc.integer({ min: -20, max: 60 }), { maxLength: 6 })
    fc.assert(
      fc.property(whole, small, (at, of) => {
        expect(batteryRevenue(at, batterySchedule(at, 1, of))).toBeCloseTo(bruteForce(at, of), 6)
      }),
      RUNS,
    )
  })

  it('earns at least as much as any random feasible schedule', () => {
    const hour = fc.integer({ min: 0, max: 23 })
    const cycles = fc.array(fc.tuple(hour, hour, fc.double({ min: 0, max: 1, noNaN: true })))
    const day = fc.array(fc.integer({ min: -30, max: 200 }), { minLength: 24, maxLength: 24 })
    fc.assert(
      fc.property(day, battery, cycles, (at, of, some) => {
        const random = feasible(at, of, some)
        expect(broken(at, random, 1, of)).toEqual([])
        const best = batteryRevenue(at, batterySchedule(at, 1, of))
        expect(best).toBeGreaterThanOrEqual(batteryRevenue(at, random) - NOISE)
      }),
      RUNS,
    )
  })

  it('stays idle if losses exceed the price difference', () => {
    const lossy = { powerMw: 1, energyMwh: 1, efficiency: 0.8, cyclesPerDay: 9 }
    const { charged, discharged } = batterySchedule([80, 99, 80], 1, lossy)
    expect([...charged, ...discharged]).toEqual([0, 0, 0, 0, 0, 0])
  })
})

/** Executes the given cycles as far as the rules allow and they do not overlap. */
function feasible(at: readonly number[], of: Battery, cycles: readonly [number, number, number][]): BatterySchedule {
  const [charged, discharged] = [new Float64Array(at.length), new Float64Array(at.length)]
  const isBusy = new Array<boolean>(at.length).fill(false)
  let left = of.cyclesPerDay * of.energyMwh
  for (const [from, to, share] of cycles) {
    if (from >= to || (at[to] as number) < 0 || isBusy.slice(from, to + 1).includes(true)) continue
    const amount = share * Math.min(of.powerMw * of.efficiency, of.energyMwh, left)
    charged[from] = amount / of.efficiency
    discharged[to] = amount
    isBusy.fill(true, from, to + 1)
    left -= amount
  }
  return { charged, discharged }
}

describe('monthly results of a battery', () => {
  it('compare the forecast schedule at actual prices with perfect foresight on the same days', () => {
    const of = { powerMw: 1, energyMwh: 1, efficiency: 1, cyclesPerDay: 1 }
    const months = batteryMonths(
      [
        { date: '2026-10-31', prices: [10, 50, 30], forecast: [10, 20, 60] },
        { date: '2026-11-01', prices: [10, 50, 30], forecast: undefined },
        { date: '2026-11-02', prices: [20, 10, 30], forecast: [10, 40, 20] },
      ],
      of,
    )
    const october = { days: 1, perfect: 40, forecastDays: 1, forecast: 20, perfectOfForecastDays: 40, cycles: 1 }
    const november = { days: 2, perfect: 60, forecastDays: 1, forecast: -10, perfectOfForecastDays: 20, cycles: 2 }
    expect([...months]).toEqual([
      ['2026-10', october],
      ['2026-11', november],
    ])
    const sum = { days: 3, perfect: 100, forecastDays: 2, forecast: 10, perfectOfForecastDays: 60, cycles: 3 }
    expect(sumOf(months.values())).toEqual(sum)
  })
})
