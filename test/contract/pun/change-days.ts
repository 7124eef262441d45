/**
 * The two change days of 2026, as in golden/make-golden.py: PUN and Centre-South in quarter-hours, the
 * other zones in hours, Sicily without its last hour, Sardinia not at all.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import type { ZoneDay } from '../../../src/publishers/observations.ts'
import { zoneDay } from '../../support/prices.ts'
import type { Answer, TestService } from '../../support/service.ts'

export const CHANGE_DAYS = ['2026-03-29', '2026-10-25']

export function changeDays(): ZoneDay[] {
  return CHANGE_DAYS.flatMap((day) => [
    zoneDay('nazionale', day, 15, punQuarter),
    zoneDay('nord', day, 60, (hour) => 100 + hour),
    zoneDay('cnor', day, 60, () => 40.5),
    zoneDay('csud', day, 15, (quarter) => 50 + quarter * 0.25),
    zoneDay('sud', day, 60, (hour) => -hour),
    withoutLast(zoneDay('sici', day, 60, () => 1)),
  ])
}

/** Every sixth hour is among the cheapest; four of them are equally cheap. */
function punQuarter(quarter: number): number {
  const hour = Math.ceil(quarter / 4)
  return -20 + 10 * ((hour * 5) % 6) + (quarter % 4) * 0.25
}

/** The day with missing intervals at its end. */
export function withoutLast(day: ZoneDay, count = 1): ZoneDay {
  return { ...day, prices: day.prices.slice(0, -count) }
}

/** Compares the day as JSON and as CSV with the golden files of that name, apart from the base URL. */
export async function expectGolden({ baseUrl }: TestService, name: string, ask: (format: string) => Promise<Answer>) {
  const golden = (format: string) => readFileSync(path.join(import.meta.dirname, 'golden', `${name}.${format}`), 'utf8')
  const json = (await ask('json')).text.replaceAll(baseUrl, 'https://energy.example')
  expect(JSON.parse(json)).toEqual(JSON.parse(golden('json')))
  expect((await ask('csv')).text).toBe(golden('csv'))
}
