/** What a service must have in the end that lived through a scenario, by the scenario alone. */
import type { ZoneCode } from '../../../src/market/zones.ts'
import { daysIn } from '../../../src/publishers/fetch-days.ts'
import { plainTruth } from '../publishers/index.ts'
import { clearedMinutes } from '../publishers/truth.ts'
import type { EndState } from './end-state.ts'
import { type Scenario, statedIn, WRONG_BY } from './scenario.ts'

const ASSETS = { PSV: 'gme-mgas', TTF: 'eex-ttf', Brent: 'eia-brent', CO2: 'eex-eua' } as const
/** The second source has no PUN. */
const NATIONAL = 'nazionale'

export interface ExpectedState extends Omit<EndState, 'instants' | 'quarantine'> {
  /** Of days before the configured beginning, which some documents hold as well: they may be there. */
  dailyPricesBefore: string[]
}

export function expectedState(scenario: Scenario): ExpectedState {
  const truth = plainTruth()
  const ends = Temporal.Instant.from(scenario.ends)
  const days = [...daysIn({ from: day(scenario.historyFrom), to: day(scenario.lastDay) })]
  const zonesOf = (market: string) => [...(truth.zones(day(market), ends) ?? [])]
  const line = (zone: ZoneCode, market: string, ordinal: number, price: number, source: string) =>
    `${zone} ${market} #${ordinal} ${clearedMinutes(day(market))} min ${price} ${source}`

  const priceOf = (asset: keyof typeof ASSETS, market: string) => truth.price(asset, day(market), ends)
  const dailyPricesOn = (markets: readonly Temporal.PlainDate[]) =>
    (Object.keys(ASSETS) as (keyof typeof ASSETS)[])
      .flatMap((asset) =>
        markets.flatMap((market) => {
          const price = priceOf(asset, market.toString())
          return price === undefined ? [] : [`${asset} ${market} ${price} ${ASSETS[asset]}`]
        }),
      )
      .sort()
  const first = day(scenario.historyFrom)
  return {
    intervals: days
      .map(String)
      .flatMap((market) =>
        zonesOf(market).flatMap(([zone, prices]) =>
          prices.map((price, index) => line(zone, market, index + 1, price, 'gme-mgp')),
        ),
      )
      .sort(),
    revisions: [
      ...scenario.corrections.flatMap(({ day: market, zone, ordinals }) => {
        const prices = new Map(zonesOf(market)).get(zone) ?? []
        return ordinals.map((n) => line(zone, market, n, (prices[n - 1] as number) + WRONG_BY, 'gme-mgp'))
      }),
      ...scenario.fallbacks.flatMap(({ day: market, at }) =>
        [...(statedIn(scenario).zones(day(market), Temporal.Instant.from(at)) ?? [])]
          .filter(([zone]) => zone !== NATIONAL)
          .flatMap(([zone, prices]) => prices.map((price, index) => line(zone, market, index + 1, price, 'entsoe'))),
      ),
    ].sort(),
    dailyPrices: dailyPricesOn(days),
    dailyPricesBefore: dailyPricesOn([
      ...daysIn({ from: first.with({ month: 1, day: 1 }), to: first.subtract({ days: 1 }) }),
    ]),
    dailyRevisions: scenario.priceCorrections
      .map(
        ({ asset, day: market }) =>
          `${asset} ${market} ${(priceOf(asset, market) as number) + WRONG_BY} ${ASSETS[asset]}`,
      )
      .sort(),
    events: [...scenario.events].sort(),
  }
}

function day(text: string): Temporal.PlainDate {
  return Temporal.PlainDate.from(text)
}
