import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { THIRD_PARTY_FILE, thirdParty } from '../../../src/cli/third-party.ts'

describe('THIRD-PARTY.md', () => {
  it('is current; `npm run licences` updates it', () => {
    expect(readFileSync(THIRD_PARTY_FILE, 'utf8') === thirdParty(), 'THIRD-PARTY.md is stale').toBe(true)
  })

  it('lists each version once, sorted, including transitive dependencies', () => {
    const written = thirdParty({
      '': { version: '1.0.0', license: 'UNLICENSED' },
      'node_modules/b': { version: '2.0.0', license: 'MIT' },
      'node_modules/b/node_modules/@a/c': { version: '1.0.0', license: 'ISC' },
      'node_modules/d/node_modules/b': { version: '2.0.0', license: 'MIT' },
      'node_modules/e': { version: '3.0.0', license: '0BSD', dev: true },
    })
    expect(written.match(/^\| (?!Package|---).*$/gm)).toEqual([
      '| @a/c | 1.0.0 | ISC |',
      '| b | 2.0.0 | MIT |',
      '| e | 3.0.0 | 0BSD |',
    ])
  })

  it('is not written if a package has no licence', () => {
    expect(() => thirdParty({ 'node_modules/x': { version: '1.0.0' } })).toThrow('names no licence of x 1.0.0')
  })

  it('lists the components of the embedded database', () => {
    expect(thirdParty()).toMatch(/^\| @unni-craftsman\/pglite \| .* \| Apache-2\.0; .*Timescale License/m)
  })
})
