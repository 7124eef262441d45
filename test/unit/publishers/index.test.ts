import { describe, expect, it } from 'vitest'
import { ASSET_CODES } from '../../../src/market/assets.ts'
import { STORED_ZONES } from '../../../src/market/zones.ts'
import { PUBLISHERS } from '../../../src/publishers/index.ts'
import { defaultSourceFor, sourceById } from '../../../src/publishers/sources.ts'

describe('the list of sources', () => {
  it('finds each source by its unique id', () => {
    expect(PUBLISHERS.map(({ id }) => sourceById(id))).toEqual(PUBLISHERS)
    expect(sourceById('nobody')).toBeUndefined()
  })

  it.each([
    ['PUN', 'gme-mgp'],
    ['PSV', 'gme-mgas'],
    ['TTF', 'eex-ttf'],
    ['Brent', 'eia-brent'],
    ['CO2', 'eex-eua'],
  ] as const)('uses for %s the default source %s', (asset, id) => {
    expect(defaultSourceFor(asset).id).toBe(id)
  })

  it('ranks every publisher above the synthetic source, which covers all assets and zones', () => {
    const synthetic = PUBLISHERS.filter((source) => source.synthetic)
    expect(synthetic.map(({ id }) => id)).toEqual(['sample'])
    expect(synthetic[0]?.name).toMatch(/synthetic/i)
    expect(synthetic[0]?.assets).toEqual(ASSET_CODES)
    expect(synthetic[0]?.zones).toEqual(STORED_ZONES)
    const published = PUBLISHERS.filter((source) => !source.synthetic)
    expect(Math.max(...published.map(({ priority }) => priority))).toBeLessThan(synthetic[0]?.priority ?? 0)
  })

  it('has terms and a URL for each source: absolute, or a path for own data', () => {
    for (const { id, terms, url, synthetic } of PUBLISHERS) {
      expect(terms).toMatch(/\.$/)
      expect(url).toMatch(synthetic || id === 'simulated-forecasts' ? /^\/[a-z]/ : /^https:\/\/[a-z.-]+$/)
    }
  })
})
