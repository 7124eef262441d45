/** Imports point one way. The table is the architecture: what each part may import from, beside itself and packages. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = path.join(import.meta.dirname, '../..')

/** `(types)`: by `import type` only, which loads nothing. */
const MAY_IMPORT: Record<string, string> = {
  'src/domain': 'src/contract',
  'src/contract': 'src/domain',
  'src/config': '',
  'src/engine': '',
  'src/clock.ts': '',
  'src/request-id.ts': '',
  'src/listening-url.ts': '',
  'src/listen.ts': '',
  'src/npm-parent.ts': '',
  'src/disk-space.ts': '',
  'src/log.ts': 'src/request-id.ts',
  'src/events.ts': 'src/log.ts src/metrics src/store(types)',
  'src/metrics': 'src/contract(types) src/domain src/listen.ts src/listening-url.ts src/log.ts src/store(types)',
  'src/fetch': 'src/config(types) src/clock.ts(types)',
  'src/sources': 'src/contract src/domain src/fetch src/config src/clock.ts(types)',
  'src/store': 'src/contract src/domain src/sources',
  'src/ingest':
    'src/contract src/disk-space.ts src/domain src/sources src/store src/fetch src/clock.ts src/events.ts src/log.ts src/config(types)',
  'src/limits': 'src/contract src/domain src/store src/clock.ts src/log.ts src/events.ts src/config(types)',
  'src/keys': 'src/contract src/domain src/limits src/store src/clock.ts(types)',
  'src/egress': '',
  'src/processes': '',
  'src/exports': 'src/contract src/domain src/sources src/store src/processes src/config',
  'src/alerts': 'src/contract src/domain src/egress src/store src/clock.ts src/config src/request-id.ts',
  'src/mail': 'src/domain src/store src/clock.ts src/config(types)',
  'src/queue': 'src/domain src/disk-space.ts src/metrics src/log.ts src/context.ts(types) src/request-id.ts',
  'src/http':
    'src/contract src/domain src/limits src/metrics src/clock.ts src/log.ts src/events.ts src/store(types) src/alerts(types) src/exports(types) src/keys(types) src/request-id.ts',
  'src/endpoints':
    'src/contract src/domain src/sources src/http src/limits src/store(types) src/alerts(types) src/exports(types)',
  'src/web': 'src/contract src/domain src/sources src/http src/endpoints src/metrics src/events.ts src/store(types)',
  'src/open-database.ts': 'src/engine src/config(types)',
  'src/context.ts':
    'src/alerts src/exports src/clock.ts src/open-database.ts src/ingest src/limits src/queue src/store src/config src/log.ts(types)',
  'src/app.ts': 'src/contract src/http src/endpoints src/web src/metrics',
  jobs: 'src/contract src/domain src/sources src/store src/ingest src/alerts src/exports src/processes src/mail src/queue models src/events.ts src/context.ts(types) src/config(types) src/request-id.ts',
  models: 'src/contract src/domain src/store(types)',
  'src/start-service.ts':
    'src/app.ts src/context.ts src/service-gauges.ts src/contract src/alerts src/keys src/egress src/ingest src/metrics src/store jobs src/http src/listen.ts src/listening-url.ts src/log.ts src/config(types)',
  'src/service-gauges.ts': 'src/metrics src/store src/context.ts(types)',
  'src/start-problem.ts': 'src/config src/disk-space.ts src/engine src/listen.ts src/store',
  'src/main.ts': 'src/config src/log.ts src/npm-parent.ts src/start-service.ts src/start-problem.ts',
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
    expect(all).toContainEqual({ from: 'src/start-service.ts', to: 'jobs/index.ts', typeOnly: false })
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
