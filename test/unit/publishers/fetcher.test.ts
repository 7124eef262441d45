import { describe, expect, it } from 'vitest'
import { makeFetcher } from '../../../src/publishers/fetcher.ts'
import { momentToInstant } from '../../../src/publishers/schedule.ts'
import { FETCHED_PUBLISHERS, sourceById, sourceDefinition } from '../../../src/publishers/sources.ts'
import { readConfig } from '../../../src/service/config/config.ts'

function createSources(variables: Record<string, string>) {
  const config = readConfig(variables).sources
  const all = FETCHED_PUBLISHERS.map((publisher) => makeFetcher(publisher, config)).filter((one) => one !== undefined)
  return { enabled: all.filter((one) => 'fetch' in one), off: all.filter((one) => 'off' in one) }
}
const IDS = FETCHED_PUBLISHERS.map(({ id }) => id)
const ALL = {
  SOURCES: IDS.join(','),
  ENTSOE_TOKEN: 'token',
  EIA_API_KEY: 'key',
  TERNA_CLIENT_ID: 'id',
  TERNA_CLIENT_SECRET: 'secret',
}
const day = (text: string) => Temporal.PlainDate.from(text)

describe('publishers with a fetcher', () => {
  it('are enabled if listed with their credentials', () => {
    expect(createSources(ALL).enabled.map(({ source }) => source)).toEqual(IDS)
    for (const id of IDS) expect(sourceById(id)?.synthetic).toBe(false)
  })

  it('are disabled unless listed in SOURCES', () => {
    expect(createSources({})).toMatchObject({ enabled: [], off: IDS.map((source) => ({ source })) })
  })

  it.each([
    ['entsoe', /ENTSOE_TOKEN/],
    ['eia-brent', /EIA_API_KEY/],
  ])('%s is disabled without credentials, and the reason names them', (source, reason) => {
    expect(createSources({ SOURCES: source }).off).toContainEqual({ source, off: expect.stringMatching(reason) })
  })

  it('use the API of GME with credentials, and public downloads without', () => {
    const ways = (variables: Record<string, string>) =>
      createSources({ SOURCES: 'gme-mgp gme-mgas', ...variables }).enabled.map(({ way }) => way)
    expect(ways({ GME_API_LOGIN: 'a', GME_API_PASSWORD: 'b' })).toEqual(['API', 'API'])
    expect(ways({})).toEqual(['ZIP download', 'public pages'])
    expect(ways({ GME_GAS_FORM: 'zip' })).toEqual(['ZIP download', 'ZIP download'])
  })

  it("start at the configured day, and never before the publisher's window", () => {
    const { enabled } = createSources({ ...ALL, GME_MGP_HISTORY_FROM: '2026-03-01' })
    const earliest = (source: string) =>
      String(enabled.find((one) => one.source === source)?.earliest(day('2026-11-21')))
    expect(earliest('gme-mgp')).toBe('2026-03-01')
    expect(earliest('eex-ttf')).toBe('2026-10-17')
  })
})

describe('the publication of a market day', () => {
  it.each([
    ['gme-mgp', '2026-03-30', '2026-03-29T10:55:00Z'],
    ['gme-mgp', '2026-10-26', '2026-10-25T11:55:00Z'],
    ['eia-brent', '2026-03-26', '2026-03-29T18:00:00Z'],
    ['eex-eua', '2026-10-25', '2026-10-25T10:15:00Z'],
    ['arera-offers', '2026-03-29', '2026-03-29T00:05:00Z'],
    ['arera-offers', '2026-10-25', '2026-10-24T23:05:00Z'],
  ])('of %s for %s is at %s', (source, text, instant) => {
    expect(String(momentToInstant(day(text), sourceDefinition(source).publishes))).toBe(instant)
  })
})
