/** Imports point one way. The table is the architecture: what each part may import from, beside itself and packages. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = path.join(import.meta.dirname, '../..')

/** `(types)`: by `import type` only, which loads nothing. */
const MAY_IMPORT: Record<string, string> = {
  'src/market': 'src/api/contract',
  'src/api/contract': 'src/market',
  'src/service/config': '',
  'src/platform/engine': '',
  'src/platform/clock.ts': '',
  'src/platform/request-id.ts': '',
  'src/platform/listening-url.ts': '',
  'src/listen.ts': '',
  'src/npm-parent.ts': '',
  'src/disk-space.ts': '',
  'src/platform/log.ts': 'src/platform/request-id.ts',
  'src/platform/events.ts': 'src/platform/log.ts src/platform/metrics src/store(types)',
  'src/platform/metrics':
    'src/api/contract(types) src/market src/listen.ts src/platform/listening-url.ts src/platform/log.ts src/store(types)',
  'src/platform/fetch': 'src/service/config(types) src/platform/clock.ts(types)',
  'src/publishers': 'src/api/contract src/market src/platform/fetch src/service/config src/platform/clock.ts(types)',
  'src/store': 'src/api/contract src/market src/publishers',
  'src/ingest':
    'src/api/contract src/disk-space.ts src/market src/publishers src/store src/platform/fetch src/platform/clock.ts src/platform/events.ts src/platform/log.ts src/service/config(types)',
  'src/api/access':
    'src/api/contract src/market src/store src/platform/clock.ts src/platform/log.ts src/platform/events.ts src/service/config(types)',
  'src/api/keys': 'src/api/contract src/market src/api/access src/store src/platform/clock.ts(types)',
  'src/platform/egress': '',
  'src/platform/processes': '',
  'src/delivery/bulk': 'src/api/contract src/market src/publishers src/store src/platform/processes src/service/config',
  'src/delivery/alerts':
    'src/api/contract src/market src/platform/egress src/store src/platform/clock.ts src/service/config src/platform/request-id.ts',
  'src/delivery/mail': 'src/market src/store src/platform/clock.ts src/service/config(types)',
  'src/platform/queue':
    'src/market src/disk-space.ts src/platform/metrics src/platform/log.ts src/service/context.ts(types) src/platform/request-id.ts',
  'src/api/http':
    'src/api/contract src/market src/api/access src/platform/metrics src/platform/clock.ts src/platform/log.ts src/platform/events.ts src/store(types) src/delivery/alerts(types) src/delivery/bulk(types) src/api/keys(types) src/platform/request-id.ts',
  'src/api/endpoints':
    'src/api/contract src/market src/publishers src/api/http src/api/access src/store(types) src/delivery/alerts(types) src/delivery/bulk(types)',
  'src/web':
    'src/api/contract src/market src/publishers src/api/http src/api/endpoints src/platform/metrics src/platform/events.ts src/store(types)',
  'src/service/open-database.ts': 'src/platform/engine src/service/config(types)',
  'src/service/context.ts':
    'src/delivery/alerts src/delivery/bulk src/platform/clock.ts src/service/open-database.ts src/ingest src/api/access src/platform/queue src/store src/service/config src/platform/log.ts(types)',
  'src/service/app.ts': 'src/api/contract src/api/http src/api/endpoints src/web src/platform/metrics',
  jobs: 'src/api/contract src/market src/publishers src/store src/ingest src/delivery/alerts src/delivery/bulk src/platform/processes src/delivery/mail src/platform/queue models src/platform/events.ts src/service/context.ts(types) src/service/config(types) src/platform/request-id.ts',
  models: 'src/api/contract src/market src/store(types)',
  'src/service/start-service.ts':
    'src/service/app.ts src/service/context.ts src/service/gauges/service-gauges.ts src/api/contract src/delivery/alerts src/api/keys src/platform/egress src/ingest src/platform/metrics src/store jobs src/api/http src/listen.ts src/platform/listening-url.ts src/platform/log.ts src/service/config(types)',
  'src/service/gauges/service-gauges.ts': 'src/platform/metrics src/store src/service/context.ts(types)',
  'src/service/start-problem.ts': 'src/service/config src/disk-space.ts src/platform/engine src/listen.ts src/store',
  'src/main.ts':
    'src/service/config src/platform/log.ts src/npm-parent.ts src/service/start-service.ts src/service/start-problem.ts',
  'src/cli': 'jobs src',
}

interface Import {
  from: string
  to: string
  typeOnly: boolean
}

const STATIC = /^(?:import|export)(\s+type)?\s[\w\s{},*$]*?from '(\.[^']+)'/gm
const DYNAMIC = /\bimport\('(\.[^']+)'\)/g

const files = globSync('{src,jobs,models}/**/*.ts', { cwd: ROOT }).sort()
const textOf = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')

function importsOf(file: string): Import[] {
  const text = textOf(file)
  const found = [
    ...[...text.matchAll(STATIC)].map(([, type, to]) => ({ to, typeOnly: type !== undefined })),
    ...[...text.matchAll(DYNAMIC)].map(([, to]) => ({ to, typeOnly: false })),
  ]
  return found.map(({ to = '', typeOnly }) => ({ from: file, to: path.join(path.dirname(file), to), typeOnly }))
}

/** `src/store/prices.ts` is part of `src/store`, `src/main.ts` a part of its own. */
const partOf = (file: string) =>
  file
    .split(path.sep)
    .slice(0, file.startsWith('src') ? 2 : 1)
    .join('/')

function isAllowed({ from, to, typeOnly }: Import): boolean {
  const [own, other] = [partOf(from), partOf(to)]
  const allowed = (MAY_IMPORT[own] ?? '').split(' ')
  return (
    own === other ||
    allowed.includes(other) ||
    allowed.includes(other.split('/')[0] as string) ||
    (typeOnly && allowed.includes(`${other}(types)`))
  )
}

describe('imports', () => {
  it('are found', () => {
    const all = files.flatMap(importsOf)
    expect(all.length).toBeGreaterThan(300)
    expect(all).toContainEqual({ from: 'src/service/start-service.ts', to: 'jobs/index.ts', typeOnly: false })
    expect(all.filter((one) => !files.includes(one.to))).toEqual([])
  })

  it('of every part are stated above', () => {
    expect([...new Set(files.map(partOf))].filter((part) => !(part in MAY_IMPORT))).toEqual([])
  })

  it('point only where the table says', () => {
    const wrong = files.flatMap(importsOf).filter((one) => !isAllowed(one))
    expect(wrong.map(({ from, to, typeOnly }) => `${from} imports ${typeOnly ? 'types of ' : ''}${to}`)).toEqual([])
  })

  it('of what the numerical models need happen in jobs alone', () => {
    const importers = files.flatMap(importsOf).filter(({ to }) => partOf(to) === 'models')
    expect(importers.map(({ from }) => partOf(from)).filter((part) => part !== 'jobs' && part !== 'models')).toEqual([])
  })
})

/** Everything that is loaded with a file; programs started by path are not. */
function loadedWith(start: string): Set<string> {
  const loaded = new Set([start])
  for (const file of loaded) for (const { to, typeOnly } of importsOf(file)) if (!typeOnly) loaded.add(to)
  return loaded
}

describe('the models', () => {
  it('are loaded by their own process, and neither by the service nor by its jobs', () => {
    for (const program of ['src/main.ts', 'jobs/index.ts', 'src/cli/forecast.ts']) {
      const loaded = [...loadedWith(program)]
      expect(loaded.length).toBeGreaterThan(20)
      expect(loaded.filter((file) => partOf(file) === 'models' || /@tensorflow/.test(textOf(file)))).toEqual([])
    }
    expect([...loadedWith('jobs/forecasts/model-process.ts')]).toContain('models/registry.ts')
  })
})

it('the environment is read by the configuration alone; the programs hand it over', () => {
  const readers = files.filter((file) => /\bprocess\.env\b/.test(textOf(file).replace(/\/\*[\s\S]*?\*\//g, '')))
  expect(readers.filter((file) => file !== 'src/main.ts' && partOf(file) !== 'src/cli')).toEqual([])
  for (const file of readers) expect(textOf(file), file).not.toMatch(/\bprocess\.env[.[]/)
})

it('commands print through one function, which shows control characters in place of sending them', () => {
  const printers = files.filter((file) => /\bconsole\.\w+\(/.test(textOf(file)))
  expect(printers).toEqual(['src/cli/print.ts'])
})
