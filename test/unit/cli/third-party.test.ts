import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { THIRD_PARTY_FILE, thirdParty } from '../../../src/cli/third-party.ts'

describe('THIRD-PARTY.md', () => {
  it('is the one kept in the project; `npm run licences` writes it', () => {
    expect(readFileSync(THIRD_PARTY_FILE, 'utf8') === thirdParty(), 'THIRD-PARTY.md is stale').toBe(true)
  })

  it('lists each version once, sorted, whatever depends on it', () => {
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

  it('is not written where a package names no licence', () => {
    expect(() => thirdParty({ 'node_modules/x': { version: '1.0.0' } })).toThrow('names no licence of x 1.0.0')
  })

  it('says what the embedded database is made of', () => {
    expect(thirdParty()).toMatch(/^\| @unni-craftsman\/pglite \| .* \| Apache-2\.0; .*Timescale License/m)
  })
})
