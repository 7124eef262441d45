import { describe, expect, it } from 'vitest'
import { ASSET_CODES } from '../../../src/market/assets.ts'
import { STORED_ZONES } from '../../../src/market/zones.ts'
import { PUBLISHERS } from '../../../src/publishers/index.ts'
import { defaultSourceFor, sourceById } from '../../../src/publishers/sources.ts'

describe('the list of sources', () => {
  it('names each source once and finds it by its id', () => {
    expect(PUBLISHERS.map(({ id }) => sourceById(id))).toEqual(PUBLISHERS)
    expect(sourceById('nobody')).toBeUndefined()
  })

  it.each([
    ['PUN', 'gme-mgp'],
    ['PSV', 'gme-mgas'],
    ['TTF', 'eex-ttf'],
    ['Brent', 'eia-brent'],
    ['CO2', 'eex-eua'],
  ] as const)('assumes for %s the source %s', (asset, id) => {
    expect(defaultSourceFor(asset).id).toBe(id)
  })

  it('lets every publisher win over the synthetic one, which covers everything and says what it is', () => {
    const synthetic = PUBLISHERS.filter((source) => source.synthetic)
    expect(synthetic.map(({ id }) => id)).toEqual(['sample'])
    expect(synthetic[0]?.name).toMatch(/synthetic/i)
    expect(synthetic[0]?.assets).toEqual(ASSET_CODES)
    expect(synthetic[0]?.zones).toEqual(STORED_ZONES)
    const published = PUBLISHERS.filter((source) => !source.synthetic)
    expect(Math.max(...published.map(({ priority }) => priority))).toBeLessThan(synthetic[0]?.priority ?? 0)
  })

  it('states terms and an address for each: absolute, or below the base address for our own', () => {
    for (const { id, terms, url, synthetic } of PUBLISHERS) {
      expect(terms).toMatch(/\.$/)
      expect(url).toMatch(synthetic || id === 'simulated-forecasts' ? /^\/[a-z]/ : /^https:\/\/[a-z.-]+$/)
    }
  })
})
