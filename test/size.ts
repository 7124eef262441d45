/**
 * Prints the size of the code base: lines by room and kind, and three signs of excessive fragmentation. Counts the files that git tracks.
 * Usage: npm run size
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.join(import.meta.dirname, '..')

const KINDS = ['code', 'sql', 'tests', 'documents', 'generated'] as const
type Kind = (typeof KINDS)[number]

const GENERATED =
  /(\.generated\.ts|_generated\.py|^sql\/schema\.sql|openapi\.json|analyst-views\.json|THIRD-PARTY\.md|package-lock\.json)$/
const CODE = /\.(ts|js|css|py|sh)$/
const SMALL_FILE_LINES = 15

interface SourceFile {
  name: string
  text: string
  lines: number
  kind: Kind
}

const files = trackedFiles()
const sources = files.filter(({ name, kind }) => /^(src|jobs|models)\//.test(name) && kind === 'code')
const imports = importsOf(files.filter(({ name }) => name.endsWith('.ts')))

printLines()
printNames(`Files under ${SMALL_FILE_LINES} lines`, sources.filter(({ lines }) => lines < SMALL_FILE_LINES).map(nameOf))
printNames('Files imported by one file of their own folder only', sources.map(nameOf).filter(hasOneNeighbour))
printNames('Exports used by tests only', exportsUsedByTestsOnly())

function trackedFiles(): SourceFile[] {
  const names = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0')
  return names.flatMap((name) => {
    const kind = kindOf(name)
    if (kind === undefined) return []
    const text = readFileSync(path.join(root, name), 'utf8')
    return [{ name, text, lines: text.split('\n').length - 1, kind }]
  })
}

/** Undefined for files that are not written here as text: fixtures, images, settings. */
function kindOf(name: string): Kind | undefined {
  if (GENERATED.test(name)) return 'generated'
  if (name.endsWith('.md')) return 'documents'
  if (/^test\/.*\.(ts|py|sql)$/.test(name)) return 'tests'
  if (name.endsWith('.sql')) return 'sql'
  return /^(src|jobs|models|sql)\//.test(name) && CODE.test(name) ? 'code' : undefined
}

function printLines(): void {
  const rooms = Map.groupBy(files, ({ name }) => roomOf(name))
  console.log(`${'Lines'.padEnd(18)}${KINDS.map((kind) => kind.padStart(11)).join('')}`)
  for (const [room, members] of [...rooms].sort()) printRow(room, members)
  printRow('all', files)
}

function printRow(title: string, members: SourceFile[]): void {
  const cells = KINDS.map((kind) =>
    members.filter((file) => file.kind === kind).reduce((sum, { lines }) => sum + lines, 0),
  )
  console.log(`${title.padEnd(18)}${cells.map((lines) => (lines || '').toString().padStart(11)).join('')}`)
}

function roomOf(name: string): string {
  const [top = '', room = ''] = name.split('/')
  if (!name.includes('/')) return '.'
  return top === 'src' && room.length > 0 && !room.includes('.') ? `src/${room}` : top
}

/** The names that each file imports, by source file. A namespace or dynamic import counts as `*`. */
function importsOf(modules: SourceFile[]): Map<string, { from: string; names: string[] }[]> {
  const result = new Map<string, { from: string; names: string[] }[]>()
  const pattern = /(?:(?:import|export)\s+(?:type\s+)?(?:\{([^}]*)\}|[^'";]*?)\s+from\s+|import\()\s*'(\.[^']+)'/g
  for (const { name, text } of modules) {
    for (const [, list, specifier = ''] of text.matchAll(pattern)) {
      const target = path.join(path.dirname(name), specifier)
      const names =
        list === undefined
          ? ['*']
          : list.split(',').map((one) =>
              one
                .trim()
                .replace(/^type\s+/, '')
                .replace(/\s+as\s.*/, ''),
            )
      result.set(target, [...(result.get(target) ?? []), { from: name, names: names.filter(Boolean) }])
    }
  }
  return result
}

function hasOneNeighbour(name: string): boolean {
  const importers = new Set(
    (imports.get(name) ?? []).map(({ from }) => from).filter((from) => !from.startsWith('test/')),
  )
  const [only] = importers
  return importers.size === 1 && only !== undefined && path.dirname(only) === path.dirname(name)
}

function exportsUsedByTestsOnly(): string[] {
  return sources.flatMap(({ name, text }) => {
    const users = imports.get(name) ?? []
    if (users.some(({ from, names }) => names.includes('*') && !from.startsWith('test/'))) return []
    const exported = [...text.matchAll(/^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm)].map(
      ([, one = '']) => one,
    )
    return exported
      .filter((one) => !users.some(({ from, names }) => names.includes(one) && !from.startsWith('test/')))
      .filter((one) => users.some(({ from, names }) => names.includes(one) && from.startsWith('test/')))
      .filter((one) => [...text.matchAll(new RegExp(`\\b${one}\\b`, 'g'))].length === 1)
      .map((one) => `${name}: ${one}`)
  })
}

function printNames(title: string, names: string[]): void {
  console.log(`\n${title}: ${names.length}`)
  if (process.argv.includes('--names')) for (const name of names) console.log(`  ${name}`)
}

function nameOf({ name }: SourceFile): string {
  return name
}
