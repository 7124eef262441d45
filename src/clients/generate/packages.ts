/** Builds the packages that users install: the tarball with npm, the wheel (a ZIP archive of the modules) in this file. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { storedEntry, zipArchive } from './zip-archive.ts'

const CLIENTS = path.join(import.meta.dirname, '..')
const PROJECT = path.join(CLIENTS, '../..')
const run = promisify(execFile)

interface Package {
  /** File name in `src/clients/packages`. */
  name: string
  content: Buffer
}

export async function clientPackages(): Promise<Package[]> {
  return [await tarball(), await wheel()]
}

/** Compares uncompressed content, since gzip output differs between machines. */
export function hasContentOf(one: Buffer, other: Buffer): boolean {
  const plain = (bytes: Buffer) => (bytes.readUInt16BE() === 0x1f8b ? gunzipSync(bytes) : bytes)
  return plain(one).equals(plain(other))
}

/** Compiles in a fresh copy, so that no output of deleted modules is packed. */
async function tarball(): Promise<Package> {
  const source = path.join(CLIENTS, 'typescript')
  const { version } = JSON.parse(await readFile(path.join(source, 'package.json'), 'utf8'))
  const folder = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-pack-'))
  try {
    await cp(source, folder, { recursive: true, filter: (file) => path.basename(file) !== 'dist' })
    await symlink(path.join(PROJECT, 'node_modules'), path.join(folder, 'node_modules'), 'junction')
    await cp(path.join(PROJECT, 'LICENSE'), path.join(folder, 'LICENSE'))
    await run('npm', ['pack', '--ignore-scripts=false'], { cwd: folder, shell: process.platform === 'win32' })
    const [archive = ''] = globSync('*.tgz', { cwd: folder })
    return { name: `energy-prices-${version}.tgz`, content: await readFile(path.join(folder, archive)) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Format: packaging.python.org, "Binary distribution format". Uncompressed, so that the same modules give the same bytes everywhere. */
async function wheel(): Promise<Package> {
  const source = path.join(CLIENTS, 'python')
  const project = projectOf(await readFile(path.join(source, 'pyproject.toml'), 'utf8'))
  const name = `${project.name.replaceAll('-', '_')}-${project.version}`
  const files = globSync('energy_prices/{*.py,py.typed}', { cwd: source }).sort()
  const modules = files.map(async (file) => ({
    name: file.replaceAll(path.sep, '/'),
    content: await readFile(path.join(source, file)),
  }))
  const contents = [
    ...(await Promise.all(modules)),
    {
      name: `${name}.dist-info/METADATA`,
      content: metadata(project, await readFile(path.join(source, project.readme), 'utf8')),
    },
    { name: `${name}.dist-info/licenses/LICENSE`, content: await readFile(path.join(PROJECT, 'LICENSE')) },
    {
      name: `${name}.dist-info/WHEEL`,
      content: Buffer.from(
        'Wheel-Version: 1.0\nGenerator: npm run openapi\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
      ),
    },
  ]
  const recorded = contents.map(
    (one) => `${one.name},sha256=${createHash('sha256').update(one.content).digest('base64url')},${one.content.length}`,
  )
  const record = `${name}.dist-info/RECORD`
  const all = [...contents, { name: record, content: [...recorded, `${record},,`, ''].join('\n') }]
  return {
    name: `${name}-py3-none-any.whl`,
    content: zipArchive(all.map((one) => storedEntry(one.name, one.content))),
  }
}

interface Project {
  name: string
  version: string
  description: string
  readme: string
  license: string
  requiresPython: string
  dependencies: string[]
  extras: Record<string, string[]>
}

/** Parses `pyproject.toml`, whose values are single-line and valid JSON, except `license`: a table with one string. */
function projectOf(toml: string): Project {
  const table = (name: string) => {
    const [, lines = ''] = new RegExp(`^\\[${name}\\]\\n((?:.+\\n)+)`, 'm').exec(toml) ?? []
    return Object.fromEntries(
      [...lines.matchAll(/^([\w-]+) = (.+)$/gm)].map(([, key, value = '']) => [
        key,
        JSON.parse(value.replace(/^\{ text = (.+) \}$/, '$1')),
      ]),
    )
  }
  const { 'requires-python': requiresPython, ...project } = table('project')
  return { ...project, requiresPython, extras: table('project\\.optional-dependencies') } as Project
}

function metadata(project: Project, readme: string): Buffer {
  const { name, version, description, license, requiresPython, dependencies, extras } = project
  const lines = [
    'Metadata-Version: 2.4',
    `Name: ${name}`,
    `Version: ${version}`,
    `Summary: ${description}`,
    `License-Expression: ${license}`,
    'License-File: LICENSE',
    `Requires-Python: ${requiresPython}`,
    'Description-Content-Type: text/markdown',
    ...dependencies.map((one) => `Requires-Dist: ${one}`),
    ...Object.entries(extras).flatMap(([extra, packages]) => [
      `Provides-Extra: ${extra}`,
      ...packages.map((one) => `Requires-Dist: ${one}; extra == '${extra}'`),
    ]),
  ]
  return Buffer.from(`${lines.join('\n')}\n\n${readme}`)
}
