/** Pages with missing, ended, incomplete or late data: one notice with the next step, and the year on days of other years. */
import { beforeAll, describe, expect, it } from 'vitest'
import { ALL_MARKET_ZONES } from '../../src/market/zones.ts'
import { getPage, sliceBetween, textOf } from '../support/pages.ts'
import { dailyPrice, zoneDay } from '../support/prices.ts'
import { serviceOfFile } from '../support/service.ts'

const PRICES = ['/', '/prices/pun', '/prices/psv', '/prices/pun/hours', '/bands', '/zones', '/trading', '/status']
const FORECASTS = ['/forecasts', '/forecasts/hours', '/forecasts/past']
const FROM_SOURCE = /<code>SOURCES=[\w,-]+ npm start<\/code> .* <code>npm run import/
const AT_STATUS = /<a href="\/(en|it)\/status">/
const powerOf = (day: string, hours?: number) =>
  ['nazionale' as const, ...ALL_MARKET_ZONES].map((zone) =>
    zoneDay(zone, day, 60, (hour) => (hours !== undefined && hour > hours ? undefined : 100 + hour)),
  )

const service = await serviceOfFile({ now: '2026-11-24T16:00:00Z', env: { SAMPLE_DATA: 'off' } })

const mainOf = async (path: string, language: string) =>
  sliceBetween((await getPage(service.baseUrl, `/${language}${path}`)).html, '<main', '</main>')

/** Notices except those of forms and those shown without JavaScript. */
function noticesOf(main: string): string[] {
  const shown = main.replace(/<noscript>[\s\S]*?<\/noscript>/g, '')
  return [...shown.matchAll(/<p class="notice">(.*?)<\/p>/gs)].map(([, text = '']) => text)
}

/** In order: each adds to the stored data. */
const STATES = [
  { state: 'no data', seed: async () => {}, paths: [...PRICES, ...FORECASTS, '/offers', '/tools'], step: FROM_SOURCE },
  {
    state: 'data that ended years ago',
    seed: async () => {
      await service.seed([...powerOf('2024-12-30'), ...powerOf('2024-12-31')])
      await service.seed([dailyPrice('PSV', '2024-12-31', 40)], { source: 'gme-mgas' })
    },
    paths: [...PRICES, ...FORECASTS],
    step: FROM_SOURCE,
  },
  {
    state: 'a publisher that has published nothing newer',
    seed: async () => {
      const ids = ['gme-mgp', 'gme-mgas', 'eex-ttf', 'eia-brent', 'eex-eua', 'arera-offers']
      await service.sql`insert into source_fetching ${service.sql(ids.map((source) => ({ source, state: 'on' })))}`
      await service.seed([])
    },
    paths: [...PRICES, ...FORECASTS],
    step: AT_STATUS,
  },
]

describe.each(STATES)('with $state', ({ seed, paths, step }) => {
  beforeAll(seed)

  it.each(paths)('%s has one notice with the next step, and no day without its year', async (path) => {
    for (const language of ['en', 'it']) {
      const main = await mainOf(path, language)
      const notices = noticesOf(main)
      expect(notices, language).toHaveLength(1)
      expect(notices[0]).toMatch(step)
      expect(textOf(main)).not.toMatch(/\b3[01] (Dec|dic)\w*(?!\w| 2024)/)
    }
  })
})

describe('with today incomplete and tomorrow late', () => {
  beforeAll(() => service.seed([...powerOf('2026-11-23'), ...powerOf('2026-11-24', 20)]))

  it.each([
    ['/', /20 of 24 intervals are available/],
    ['/', /The day-ahead result is late.*When the next is due/],
    ['/prices/pun', /The latest day, .*, is not complete/],
    ['/status', /incomplete on 24 Nov/],
  ])('%s says %s', async (path, sentence) => {
    expect(textOf(await mainOf(path, 'en'))).toMatch(sentence)
  })
})
