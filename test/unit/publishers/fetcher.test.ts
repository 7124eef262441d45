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
const ALL = {
  SOURCES: FETCHED_PUBLISHERS.map(({ id }) => id).join(','),
  ENTSOE_TOKEN: 'token',
  EIA_API_KEY: 'key',
  TERNA_CLIENT_ID: 'id',
  TERNA_CLIENT_SECRET: 'secret',
}
const day = (text: string) => Temporal.PlainDate.from(text)

describe('the publishers that can be fetched from', () => {
  it('are on where they are named and have what they need', () => {
    expect(createSources(ALL).enabled.map(({ source }) => source)).toEqual(FETCHED_PUBLISHERS.map(({ id }) => id))
    for (const source of FETCHED_PUBLISHERS.map(({ id }) => id)) expect(sourceById(source)?.synthetic).toBe(false)
  })

  it('are off unless SOURCES names them', () => {
    expect(createSources({})).toMatchObject({
      enabled: [],
      off: FETCHED_PUBLISHERS.map(({ id }) => id).map((source) => ({ source })),
    })
  })

  it.each([
    ['entsoe', /ENTSOE_TOKEN/],
    ['eia-brent', /EIA_API_KEY/],
  ])('%s is off without its credentials, and names them', (source, reason) => {
    expect(createSources({ SOURCES: source }).off).toContainEqual({ source, off: expect.stringMatching(reason) })
  })

  it('read GME by its API where credentials are configured, else in public', () => {
    const ways = (variables: Record<string, string>) =>
      createSources({ SOURCES: 'gme-mgp gme-mgas', ...variables }).enabled.map(({ way }) => way)
    expect(ways({ GME_API_LOGIN: 'a', GME_API_PASSWORD: 'b' })).toEqual(['API', 'API'])
    expect(ways({})).toEqual(['ZIP download', 'public pages'])
    expect(ways({ GME_GAS_FORM: 'zip' })).toEqual(['ZIP download', 'ZIP download'])
  })

  it("begin where the configuration says, and never before the publisher's window", () => {
    const { enabled } = createSources({ ...ALL, GME_MGP_HISTORY_FROM: '2026-03-01' })
    const earliest = (source: string) =>
      String(enabled.find((one) => one.source === source)?.earliest(day('2026-11-21')))
    expect(earliest('gme-mgp')).toBe('2026-03-01')
    expect(earliest('eex-ttf')).toBe('2026-10-17')
  })
})

describe('a market day is published', () => {
  it.each([
    ['gme-mgp', '2026-03-30', '2026-03-29T10:55:00Z'],
    ['gme-mgp', '2026-10-26', '2026-10-25T11:55:00Z'],
    ['eia-brent', '2026-03-26', '2026-03-29T18:00:00Z'],
    ['eex-eua', '2026-10-25', '2026-10-25T10:15:00Z'],
    ['arera-offers', '2026-03-29', '2026-03-29T00:05:00Z'],
    ['arera-offers', '2026-10-25', '2026-10-24T23:05:00Z'],
  ])('of %s for %s at %s, in summer and winter time', (source, text, instant) => {
    expect(String(momentToInstant(day(text), sourceDefinition(source).publishes))).toBe(instant)
  })
})
