import { describe, expect, it } from 'vitest'
import { dueAt } from '../../../src/publishers/due.ts'
import { makeFetchers } from '../../../src/publishers/fetchers.ts'
import { sourceById } from '../../../src/publishers/index.ts'
import { readConfig } from '../../../src/service/config/config.ts'
import { FETCHED_SOURCES } from '../../../src/service/config/source-config.ts'

const made = (variables: Record<string, string>) => makeFetchers(readConfig(variables).sources)
const ALL = { SOURCES: FETCHED_SOURCES.join(','), ENTSOE_TOKEN: 'token', EIA_API_KEY: 'key' }
const day = (text: string) => Temporal.PlainDate.from(text)

describe('the publishers that can be fetched from', () => {
  it('are listed once in the configuration and here, each a known source', () => {
    expect(made(ALL).enabled.map(({ source }) => source)).toEqual([...FETCHED_SOURCES])
    for (const source of FETCHED_SOURCES) expect(sourceById(source)?.synthetic).toBe(false)
  })

  it('are off without a word in the configuration', () => {
    expect(made({})).toMatchObject({ enabled: [], off: FETCHED_SOURCES.map((source) => ({ source })) })
  })

  it.each([
    ['entsoe', /ENTSOE_TOKEN/],
    ['eia-brent', /EIA_API_KEY/],
  ])('%s is off without its credentials, and names them', (source, reason) => {
    expect(made({ SOURCES: source }).off).toContainEqual({ source, off: expect.stringMatching(reason) })
  })

  it('read GME by its API where credentials are configured, else in public', () => {
    const ways = (variables: Record<string, string>) =>
      made({ SOURCES: 'gme-mgp gme-mgas', ...variables }).enabled.map(({ way }) => way)
    expect(ways({ GME_API_LOGIN: 'a', GME_API_PASSWORD: 'b' })).toEqual(['API', 'API'])
    expect(ways({})).toEqual(['ZIP download', 'public pages'])
    expect(ways({ GME_GAS_FORM: 'zip' })).toEqual(['ZIP download', 'ZIP download'])
  })

  it("begin where the configuration says, and never before the publisher's window", () => {
    const { enabled } = made({ ...ALL, GME_MGP_HISTORY_FROM: '2026-03-01' })
    const earliest = (source: string) =>
      String(enabled.find((one) => one.source === source)?.earliest(day('2026-11-21')))
    expect(earliest('gme-mgp')).toBe('2026-03-01')
    expect(earliest('eex-ttf')).toBe('2026-10-17')
  })
})

describe('a market day is due', () => {
  it.each([
    ['gme-mgp', '2026-03-30', '2026-03-29T10:55:00Z'],
    ['gme-mgp', '2026-10-26', '2026-10-25T11:55:00Z'],
    ['eia-brent', '2026-03-26', '2026-03-29T18:00:00Z'],
    ['eex-eua', '2026-10-25', '2026-10-25T10:00:00Z'],
    ['arera-offers', '2026-03-29', '2026-03-29T00:05:00Z'],
    ['arera-offers', '2026-10-25', '2026-10-24T23:05:00Z'],
  ])('of %s for %s at %s, whatever the clocks do', (source, text, instant) => {
    const definition = sourceById(source)
    expect(definition && String(dueAt(definition, day(text)))).toBe(instant)
  })
})
