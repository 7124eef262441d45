/** The Python client as users get it: the service's wheel, and a source package, each installed into a clean virtual environment. */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { cp, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERROR_CODES } from '../../src/api/contract/errors.ts'
import { endpoints } from '../../src/api/endpoints/index.ts'
import { SCENE_NOW, startClientScene } from '../support/client-scene.ts'
import { scratchFolderOfFile } from '../support/scratch-folder.ts'
import { WEBHOOK_VECTORS } from '../support/webhook-vectors.ts'
import { caseBenchOfFile, cases, type PreparedCase } from './cases.ts'
import { recipes } from './examples.ts'

const PACKAGE = path.join(import.meta.dirname, '../../src/clients/python')
const run = promisify(execFile)
const PROGRAMS = path.join(import.meta.dirname, 'python')
const NOTEBOOK = path.join(import.meta.dirname, '../../src/clients/examples/energy-prices.ipynb')
const { cells } = JSON.parse(readFileSync(NOTEBOOK, 'utf8')) as { cells: { cell_type: string; source: string[] }[] }
/** Its code cells, concatenated. */
const notebook = cells.flatMap(({ cell_type: type, source }) => (type === 'code' ? [source.join('')] : [])).join('\n')
const [, readmeProgram = ''] =
  /^```python\n([\s\S]*?)^```$/m.exec(readFileSync(path.join(PACKAGE, 'README.md'), 'utf8')) ?? []
/** Debian's own Python has the packages of Debian. */
const PYTHONS = ['python3', '/usr/bin/python3']

const builder = PYTHONS.find((python) =>
  canRun(python, 'import sys, setuptools, venv, ensurepip, wheel; assert sys.version_info >= (3, 10)'),
)
/** The table libraries, each with an interpreter that has it. */
const TABLES = ['pandas', 'polars', 'pyarrow'].map((library) => {
  const interpreter = PYTHONS.find((python) => canRun(python, `import ${library}`))
  return { library, interpreter, label: interpreter ? library : `${library} (skipped: it is not installed)` }
})
const withPandas = TABLES[0]?.interpreter
const needsPython = builder ? '' : ' (skipped: there is no Python 3.10 with setuptools, wheel and venv)'

function canRun(python: string, program: string): boolean {
  try {
    execFileSync(python, ['-c', program], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const service = await startClientScene()
afterAll(() => service.stop())
const bench = await caseBenchOfFile(service)
const folder = await scratchFolderOfFile()
const { key } = await service.issueKey('API')
const about = JSON.stringify({ url: service.baseUrl, key, vectors: WEBHOOK_VECTORS, now: SCENE_NOW })
const credentials = { ENERGY_PRICES_URL: service.baseUrl, ENERGY_PRICES_KEY: key }

describe.skipIf(builder === undefined)(`the Python package${needsPython}`, () => {
  const python = path.join(folder, 'venv/bin/python')

  beforeAll(async () => {
    await cp(PACKAGE, path.join(folder, 'package'), { recursive: true })
    const build = 'from setuptools import build_meta as b; b.build_sdist("dist")'
    execFileSync(builder as string, ['-c', build], { cwd: path.join(folder, 'package'), stdio: 'ignore' })
    execFileSync(builder as string, ['-m', 'venv', path.join(folder, 'venv')])
    const wheel = `${service.baseUrl}/downloads/italian_energy_prices-1.0.0-py3-none-any.whl`
    await run(python, ['-m', 'pip', 'install', '-q', '--no-index', '--disable-pip-version-check', wheel])
  })

  /** Asynchronous, since the service runs in this process. */
  async function runProgram(program: string[], input: string, env: Record<string, string> = {}, command = python) {
    const child = spawn(command, program, {
      cwd: folder,
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...env },
    })
    child.stdin.end(input)
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
    if (err !== '') throw new Error(err)
    return out
  }
  const file = (name: string) => path.join(PROGRAMS, name)

  it('has types, a method for every endpoint, an error class for every code, and a source package', async () => {
    const program = `
import importlib.metadata, importlib.resources, json, energy_prices
about = importlib.metadata.metadata("italian-energy-prices")
from energy_prices import AsyncEnergyPrices, EnergyPrices, errors
print(json.dumps({
  "about": [about["Version"], about["License-Expression"], about["Requires-Python"], about.get_all("Provides-Extra")],
  "licence": importlib.metadata.distribution("italian-energy-prices").read_text("licenses/LICENSE") is not None,
  "typed": (importlib.resources.files("energy_prices") / "py.typed").is_file(),
  "methods": [name for name in dir(EnergyPrices) if name in dir(AsyncEnergyPrices)],
  "codes": sorted(errors.CLASSES)}))`
    const seen = JSON.parse(await runProgram(['-c', program], ''))
    const methods = endpoints
      .filter(({ stream }) => !stream)
      .map(({ id }) => id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
    expect(seen).toMatchObject({
      about: ['1.0.0', 'Apache-2.0', '>=3.10', ['pandas', 'polars', 'arrow']],
      licence: true,
      typed: true,
    })
    expect(seen.methods).toEqual(expect.arrayContaining(methods))
    expect(seen.codes).toEqual([...ERROR_CODES].sort())
    const dist = path.join(folder, 'package/dist')
    expect(readdirSync(dist)).toEqual([expect.stringMatching(/\.gz$/)])
    const inSource = execFileSync('tar', ['tzf', path.join(dist, readdirSync(dist)[0] ?? '')]).toString()
    for (const module of readdirSync(path.join(PACKAGE, 'energy_prices')).filter((one) => /\.py$|typed/.test(one)))
      expect(inSource).toContain(module)
  })

  it('passes the shared client cases', async () => {
    const prepared: PreparedCase[] = []
    for (const one of cases) prepared.push(await bench.prepare(one, 'python'))
    const outcomes: Record<string, unknown>[] = JSON.parse(
      await runProgram([file('run_cases.py')], JSON.stringify(prepared)),
    )
    expect(outcomes).toHaveLength(cases.length)
    for (const [i, one] of prepared.entries()) bench.expectOutcome(one, outcomes[i] ?? {})
  })

  it.each(['UTC', 'America/New_York'])(
    'works with asyncio, CSV, days, instants and webhooks on a machine in %s',
    async (zone) => {
      expect(await runProgram([file('checks.py')], about, { TZ: zone })).toBe('ok\n')
    },
  )

  const withPackages = () => ({ PYTHONPATH: globSync(path.join(folder, 'venv/lib/*/site-packages'))[0] ?? '' })

  for (const { library, interpreter, label } of TABLES)
    it.skipIf(interpreter === undefined)(
      `makes tables with correct times on both change days with ${label}`,
      async () => {
        expect(await runProgram([file(`${library}_checks.py`)], about, withPackages(), interpreter)).toBe('ok\n')
      },
    )

  it('passes pyright with its README example, and its types reject what the contract rejects', async () => {
    await cp(file('typed_program.py'), path.join(folder, 'typed_program.py'))
    await writeFile(path.join(folder, 'readme.py'), readmeProgram)
    const settings = {
      include: ['typed_program.py', 'readme.py', 'package/energy_prices'],
      pythonVersion: '3.10',
      reportMissingImports: 'none',
      reportMissingModuleSource: 'none',
      reportUnnecessaryTypeIgnoreComment: 'error',
    }
    await writeFile(path.join(folder, 'pyrightconfig.json'), JSON.stringify(settings))
    const pyright = createRequire(import.meta.url).resolve('pyright/index.js')
    expect(await runProgram([pyright, '-p', folder, '--pythonpath', python], '', {}, process.execPath)).toContain(
      '0 errors, 0 warnings',
    )
  })

  it('works when it is installed from its source', async () => {
    // Builds with Debian's own packages; nothing is downloaded.
    execFileSync(builder as string, ['-m', 'venv', '--system-site-packages', path.join(folder, 'from-source')])
    const interpreter = path.join(folder, 'from-source/bin/python')
    const install = ['install', '-q', '--no-index', '--no-build-isolation', '--disable-pip-version-check']
    execFileSync(interpreter, ['-m', 'pip', ...install, 'package/dist/italian-energy-prices-1.0.0.tar.gz'], {
      cwd: folder,
    })
    expect(await runProgram(['-I', file('checks.py')], about, {}, interpreter)).toBe('ok\n')
  })

  it('runs the program of its README', async () => {
    const here = readmeProgram
      .replace('https://energy.example', service.baseUrl)
      .replace('svc_live_…', key)
      .replace(/^frame = .*\n/m, '') // needs pandas
    const check = 'print(len(hours), len(series), len(zones["zones"]), NoDataError.__name__)'
    expect(await runProgram(['-c', here + check], '')).toBe('23 81 6 NoDataError\n')
  })

  it.skipIf(withPandas === undefined)(
    `runs the notebook${withPandas ? '' : ' (skipped: there is no pandas)'}`,
    async () => {
      const printed = await runProgram(['-c', notebook], '', { ...withPackages(), ...credentials }, withPandas)
      expect(printed).toBe(
        "{'2026-03-29': 23, '2026-10-25': 25}\n1463 0 23\n['F1', 'F2', 'F3']\n51 ['p10', 'p50', 'p90']\n",
      )
    },
  )

  it.each(recipes)('runs the recipe of the documentation: $title', async ({ python: program, output }) => {
    expect(await runProgram(['-c', program], '', credentials)).toBe(output)
  })
})
