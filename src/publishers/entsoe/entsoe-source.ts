/** What all of ENTSO-E's datasets have in common. */
import { credential } from '../settings.ts'
import { type EntsoeQuery, type EntsoeSettings, entsoeWay } from './fetch.ts'

export const ENTSOE = {
  name: 'ENTSO-E Transparency Platform',
  url: 'https://transparency.entsoe.eu',
  terms: 'Free to use when ENTSO-E is cited as the source; rights of the original data owners stay in force.',
  redistributable: true,
} as const

export const ENTSOE_NEEDS = { ENTSOE_TOKEN: credential("token of ENTSO-E's API") }

/** Of each dataset of fundamentals: the platform allows 400 requests a minute for all of them and the prices together. */
const POLITENESS = { minIntervalMs: 1_500, requestsPerDay: 5_000 }

/** How a dataset of fundamentals is fetched, whatever its timetable. */
export function fetchingOf(queries: readonly EntsoeQuery[]) {
  return {
    historyFrom: '2021-01-01',
    politeness: POLITENESS,
    needs: ENTSOE_NEEDS,
    connect: (settings: EntsoeSettings) => entsoeWay(settings, queries),
  }
}
