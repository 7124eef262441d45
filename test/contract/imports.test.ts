/** Imports point one way. The table is the architecture: the parts that each part may import, besides itself and packages. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = path.join(import.meta.dirname, '../..')

/** `(types)`: with `import type` only, which loads nothing. */
const ALLOWED_IMPORTS: Record<string, string> = {
  'src/platform': '',
  'src/market': '',
  'src/api/contract': 'src/market',
  'src/service/config': 'src/platform src/publishers src/api/contract',
  'src/publishers': 'src/market src/platform',
  'src/store': 'src/platform src/market src/api/contract src/publishers',
  'src/ingest': 'src/platform src/market src/publishers src/store src/api/contract(types) src/service/config(types)',
  'src/delivery': 'src/platform src/market src/publishers src/store src/api/contract src/service/config(types)',
  'src/api': 'src/platform src/market src/publishers src/store src/delivery src/api/contract src/service/config(types)',
  'src/clients': '',
  'src/web': 'src/platform src/market src/publishers src/clients src/api src/api/contract src/store(types)',
  'src/service':
    'src/platform src/market src/store src/ingest src/delivery src/api src/api/contract src/web src/service/config src/service/job.ts jobs',
  'src/service/job.ts': 'src/platform src/service(types)',
  jobs: 'src/platform src/market src/publishers src/store src/ingest src/delivery src/api/contract models src/service/job.ts src/service(types) src/service/config(types)',
  models: 'src/market src/store(types)',
  'src/main.ts': 'src/platform src/service src/service/config',
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

/** Treated as separate parts: two folders that several parts may import, and the definition of jobs. */
const SEPARATE_PARTS = ['src/api/contract', 'src/service/config', 'src/service/job.ts']

/** `src/store/prices.ts` belongs to `src/store`; `src/main.ts` is a separate part. */
const partOf = (file: string) =>
  SEPARATE_PARTS.find((corner) => file === corner || file.startsWith(`${corner}/`)) ??
  file
    .split(path.sep)
    .slice(0, file.startsWith('src') ? 2 : 1)
    .join('/')

function isAllowed({ from, to, typeOnly }: Import): boolean {
  const [own, other] = [partOf(from), partOf(to)]
  const allowed = (ALLOWED_IMPORTS[own] ?? '').split(' ')
  return (
    own === other ||
    allowed.includes(other) ||
    allowed.includes(other.split('/')[0] as string) ||
    (typeOnly && allowed.includes(`${other}(types)`))
  )
}

/** Cycles found by depth-first search, each as a path of files; empty only if there are no cycles. */
function cycles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = []
  const finished = new Set<string>()
  const visit = (file: string, path: readonly string[]) => {
    const start = path.indexOf(file)
    if (start >= 0) found.push([...path.slice(start), file].join(' > '))
    if (start >= 0 || finished.has(file)) return
    for (const to of imports.get(file) ?? []) visit(to, [...path, file])
    finished.add(file)
  }
  for (const file of imports.keys()) visit(file, [])
  return found
}

describe('imports', () => {
  it('are found and resolve to existing files', () => {
    const all = files.flatMap(importsOf)
    expect(all.length).toBeGreaterThan(300)
    expect(all).toContainEqual({ from: 'src/service/start-service.ts', to: 'jobs/index.ts', typeOnly: false })
    expect(all.filter((one) => !files.includes(one.to))).toEqual([])
  })

  it('of every part are listed in the table', () => {
    expect([...new Set(files.map(partOf))].filter((part) => !(part in ALLOWED_IMPORTS))).toEqual([])
  })

  it('follow the table of allowed imports', () => {
    const wrong = files.flatMap(importsOf).filter((one) => !isAllowed(one))
    expect(wrong.map(({ from, to, typeOnly }) => `${from} imports ${typeOnly ? 'types of ' : ''}${to}`)).toEqual([])
  })

  it('have no cycles, types included', () => {
    expect(cycles(new Map(files.map((file) => [file, importsOf(file).map(({ to }) => to)])))).toEqual([])
    expect(cycles(new Map(Object.entries({ a: ['b'], b: ['c'], c: ['b'], d: ['d'], e: ['a'] })))).toEqual([
      'b > c > b',
      'd > d',
    ])
  })

  it('of the models occur in jobs only', () => {
    const importers = files.flatMap(importsOf).filter(({ to }) => partOf(to) === 'models')
    expect(importers.map(({ from }) => partOf(from)).filter((part) => part !== 'jobs' && part !== 'models')).toEqual([])
  })
})

/** All files loaded with a file, except programs started by path. */
function loadedWith(start: string): Set<string> {
  const loaded = new Set([start])
  for (const file of loaded) for (const { to, typeOnly } of importsOf(file)) if (!typeOnly) loaded.add(to)
  return loaded
}

describe('the models', () => {
  it('are loaded only by their own process, not by the service or its jobs', () => {
    for (const program of ['src/main.ts', 'jobs/index.ts', 'src/cli/forecast.ts']) {
      const loaded = [...loadedWith(program)]
      expect(loaded.length).toBeGreaterThan(20)
      expect(loaded.filter((file) => partOf(file) === 'models' || /@tensorflow/.test(textOf(file)))).toEqual([])
    }
    expect([...loadedWith('jobs/forecasts/model-process.ts')]).toContain('models/registry.ts')
  })
})

it('only entry points and commands access process.env, and pass it on whole', () => {
  const own = files.filter((file) => partOf(file) !== 'src/clients') // standalone programs
  const readers = own.filter((file) => /\bprocess\.env\b/.test(textOf(file).replace(/\/\*[\s\S]*?\*\//g, '')))
  const handing = ['src/main.ts', 'src/platform/processes/run-task.ts'] // these pass the whole environment on
  expect(readers.filter((file) => !handing.includes(file) && partOf(file) !== 'src/cli')).toEqual([])
  for (const file of readers) expect(textOf(file), file).not.toMatch(/\bprocess\.env[.[]/)
})

it('only src/cli/print.ts writes to the console', () => {
  const printers = files.filter((file) => /\bconsole\.\w+\(/.test(textOf(file)))
  expect(printers).toEqual(['src/cli/print.ts'])
})
