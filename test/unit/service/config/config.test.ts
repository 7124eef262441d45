import { readFileSync } from 'node:fs'
import path from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { Secret } from '../../../../src/platform/secret.ts'
import { variablesOf } from '../../../../src/publishers/settings.ts'
import { FETCHED_PUBLISHERS } from '../../../../src/publishers/sources.ts'
import { readConfig } from '../../../../src/service/config/config.ts'
import { VARIABLES } from '../../../../src/service/config/variables.ts'
import { problems } from '../../../support/configuration.ts'
import { code, defaultOf, table } from '../../../support/publisher-tables.ts'

const OWN_VARIABLES = Object.values(VARIABLES).flatMap((group) => Object.values(group))

describe('the configuration', () => {
  it('has defaults: one process, an embedded database, this machine only', () => {
    expect(readConfig({})).toMatchObject({
      environment: 'development',
      role: 'all',
      logLevel: 'info',
      http: { host: '127.0.0.1', port: 8080, baseUrl: undefined, trustedProxies: [] },
      database: { dataDir: expect.stringMatching(/\/data$/), durable: true, url: undefined, readUrls: [] },
      sampleData: 'auto',
      clockStart: undefined,
    })
  })

  it('treats an empty variable as absent', () => {
    expect(readConfig({ PORT: '', BASE_URL: '', CLOCK: '' })).toEqual(readConfig({}))
  })

  it('parses lists, URLs and instants', () => {
    const config = readConfig({
      TRUSTED_PROXIES: '10.0.0.0/8, 127.0.0.1',
      BASE_URL: 'https://energy.example',
      CLOCK: '2026-03-29T10:54:00Z',
      PORT: '0',
    })
    expect(config.http).toMatchObject({ trustedProxies: ['10.0.0.0/8', '127.0.0.1'], port: 0 })
    expect(config.http.baseUrl?.href).toBe('https://energy.example/')
    expect(config.clockStart).toEqual(Temporal.Instant.from('2026-03-29T10:54:00Z'))
  })

  it('accepts only on or off for the durability of the embedded database', () => {
    expect(readConfig({ EMBEDDED_DURABILITY: 'off' }).database.durable).toBe(false)
    expect(problems({ EMBEDDED_DURABILITY: 'no' })).toEqual([expect.stringContaining('EMBEDDED_DURABILITY: ')])
  })

  it('is read-only', () => {
    expect(() => Object.assign(readConfig({}), { role: 'api' })).toThrow(TypeError)
  })

  it('never shows the password of a URL', () => {
    const { database } = readConfig({ DATABASE_URL: 'postgres://user:s3cret@db/energy' })
    expect(inspect(database) + JSON.stringify(database) + String(database.url)).not.toContain('s3cret')
    expect(database.url?.reveal()).toBe('postgres://user:s3cret@db/energy')
  })
})

describe('an invalid configuration', () => {
  it('is refused with all problems at once, each under the name of its variable', () => {
    const wrong = { PORT: '70000', ROLE: 'both', SAMPLE_DATA: 'yes', BASE_URL: 'energy.example', LOG_LEVEL: 'loud' }
    const named = problems(wrong).map((problem) => /^ {2}- (\w+): /.exec(problem)?.[1])
    expect(named.sort()).toEqual(Object.keys(wrong).sort())
  })

  it('is refused with all contradictions at once', () => {
    const contradictions = {
      READ_DATABASE_URL: 'postgres://replica/energy',
      ROLE: 'api',
      BASE_URL: 'https://energy.example/prices',
      CLOCK: 'yesterday',
      NODE_ENV: 'production',
    }
    expect(problems(contradictions)).toEqual([
      '  - BASE_URL: must have no path, /v1 is added to it',
      '  - CLOCK: "yesterday" is not an instant such as 2026-03-29T10:54:00Z',
      '  - CLOCK: is for demonstrations and tests, refused when NODE_ENV=production',
      '  - READ_DATABASE_URL: needs DATABASE_URL, the embedded engine has no replica',
      '  - ROLE: "api" needs DATABASE_URL, the embedded engine needs ROLE=all',
    ])
  })

  it.each([
    ['a port that is no number', { PORT: 'http' }, /PORT/],
    ['a part of a port', { PORT: '80.5' }, /PORT/],
    ['a database of another kind', { DATABASE_URL: 'mysql://db/energy' }, /DATABASE_URL/],
    ['a worker without a server', { ROLE: 'worker' }, /ROLE: .*needs DATABASE_URL/],
    ['an address without scheme', { BASE_URL: 'energy.example' }, /BASE_URL: .* such as https:\/\/energy\.example/],
    ['a store of another kind', { LIMITS_STORE: 'memcached' }, /LIMITS_STORE: must be memory, postgres, or .*valkey:/],
    ['a proxy by its name', { TRUSTED_PROXIES: '10.0.0.0/8, proxy' }, /TRUSTED_PROXIES: "proxy" is no address/],
    ['a number of proxies', { TRUSTED_PROXIES: '1' }, /TRUSTED_PROXIES: "1" is no address/],
  ])('is refused: %s', (_name, variables, reason) => {
    expect(problems(variables)).toEqual([expect.stringMatching(reason)])
  })
})

describe('several processes', () => {
  const SERVER = { DATABASE_URL: 'postgres://127.0.0.1/energy' }

  it('share their limits in the database unless another store is configured', () => {
    expect(readConfig(SERVER).limits.store).toBe('memory')
    expect(readConfig({ ...SERVER, API_PROCESSES: '2' }).limits.store).toBe('postgres')
    const { store } = readConfig({ ...SERVER, API_PROCESSES: '2', LIMITS_STORE: 'valkey://cache' }).limits
    expect((store as Secret).reveal()).toBe('valkey://cache')
  })

  it.each([
    ['the embedded engine', {}, 'needs DATABASE_URL, the embedded engine serves one process'],
    ['separate limits', { ...SERVER, LIMITS_STORE: 'memory' }, 'needs a LIMITS_STORE that the processes share'],
    ['no API', { ...SERVER, ROLE: 'worker' }, 'a worker serves no API'],
  ])('are refused with %s', (_name, variables, problem) => {
    expect(problems({ API_PROCESSES: '2', ...variables })).toEqual([`  - API_PROCESSES: ${problem}`])
  })
})

describe('publishers', () => {
  it('are disabled unless listed in SOURCES', () => {
    expect(readConfig({}).sources.enabled.size).toBe(0)
    expect([...readConfig({ SOURCES: 'gme-mgp, eex-eua' }).sources.enabled]).toEqual(['gme-mgp', 'eex-eua'])
  })

  it('have settings prefixed with their names', () => {
    const { bySource } = readConfig({
      GME_MGP_ADDRESS: 'https://mirror.example/gme',
      GME_MGP_HISTORY_FROM: '2025-10-01',
      EEX_TTF_REDISTRIBUTABLE: 'true',
      ENTSOE_REQUESTS_PER_DAY: '12',
      ENTSOE_INTERVAL_MS: '0',
    }).sources
    expect(bySource['gme-mgp']).toMatchObject({ GME_API_LOGIN: undefined, GME_DOWNLOAD_TAB_ID: '1749' })
    expect(bySource['gme-mgp']?.ADDRESS?.href).toBe('https://mirror.example/gme')
    expect(bySource['gme-mgp']?.HISTORY_FROM?.toString()).toBe('2025-10-01')
    expect(bySource['eex-ttf']?.REDISTRIBUTABLE).toBe(true)
    expect(bySource['eia-brent']?.REDISTRIBUTABLE).toBeUndefined()
    expect(bySource.entsoe).toMatchObject({ REQUESTS_PER_DAY: 12, INTERVAL_MS: 0 })
  })

  it('never show their credentials', () => {
    const config = readConfig({
      GME_API_LOGIN: 'l0gin',
      GME_API_PASSWORD: 'passw0rd',
      ENTSOE_TOKEN: 't0ken',
      EIA_API_KEY: 'k3y',
      TERNA_CLIENT_SECRET: 's3cret',
      HTTPS_PROXY: 'http://me:w0rd@proxy.example',
    })
    expect(inspect(config, { depth: 9 }) + JSON.stringify(config)).not.toMatch(/l0gin|w0rd|t0ken|k3y|s3cret/)
    expect(config.proxies.https?.reveal()).toBe('http://me:w0rd@proxy.example')
    expect(readConfig({ https_proxy: 'http://proxy.example' }).proxies.https?.reveal()).toBe('http://proxy.example')
  })

  it.each([
    ['nobody has that name', { SOURCES: 'gme' }, /SOURCES: there is no "gme", only gme-mgp,/],
    ['half a login', { GME_API_LOGIN: 'x' }, /GME_API_LOGIN: needs GME_API_PASSWORD/],
    ['a day that is none', { EIA_BRENT_HISTORY_FROM: '2026-02-30' }, /EIA_BRENT_HISTORY_FROM: /],
    ['an address that is none', { ENTSOE_ADDRESS: 'example' }, /ENTSOE_ADDRESS: /],
    ['a switch that is neither', { EEX_EUA_REDISTRIBUTABLE: 'yes' }, /EEX_EUA_REDISTRIBUTABLE: /],
  ])('are refused: %s', (_name, variables, reason) => {
    expect(problems(variables as Record<string, string>)).toEqual([expect.stringMatching(reason)])
  })
})

/** Variables of publishers are documented with the publishers (`readme.test.ts`); `-u` writes the table. */
it('the README lists every variable as defined', async () => {
  const file = path.join(import.meta.dirname, '../../../../src/service/config/README.md')
  const [before, rest = ''] = readFileSync(file, 'utf8').split(/^\| Variable .*$/m)
  const rows = OWN_VARIABLES.map(({ name, shape, meaning, byDefault }) => [
    code(name),
    byDefault ?? defaultOf(shape),
    meaning,
  ])
  const after = rest.slice(rest.indexOf('\n## Decisions'))
  await expect(`${before}${table(['Variable', 'Default', 'Meaning'], rows)}${after}`).toMatchFileSnapshot(file)
})

it('.env.example lists only existing variables, in the order of their definition', () => {
  const example = readFileSync(path.join(import.meta.dirname, '../../../../.env.example'), 'utf8')
  const named = [...example.matchAll(/^#([A-Z_]+)=/gm)].map(([, name]) => name as string)
  const all = [
    ...OWN_VARIABLES.map(({ name }) => name),
    ...FETCHED_PUBLISHERS.flatMap((publisher) => Object.keys(variablesOf(publisher))),
  ]
  expect(named.filter((name) => !all.includes(name))).toEqual([])
  const own = named.filter((name) => OWN_VARIABLES.some((variable) => variable.name === name))
  expect(own).toEqual(all.filter((name) => own.includes(name)))
})
