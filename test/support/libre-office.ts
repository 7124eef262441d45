/** Opens CSV in LibreOffice (headless; Debian: libreoffice-calc) with the settings of a user and returns the content of each cell. */
import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { SaxesParser } from 'saxes'

const run = promisify(execFile)
const PROGRAM = 'soffice'

/**
 * The import dialog's settings, as src/web/docs/spreadsheets.md gives them: separator `;`, text in `"`, UTF-8, from line 1, Italian,
 * quoted fields as text no, special numbers yes.
 */
const IMPORT_FILTER = 'CSV:59,34,76,1,,1040,false,true'

export const hasLibreOffice = spawnSync(PROGRAM, ['--version']).status === 0

/** Title of a suite that says why it may be skipped. */
export function needsLibreOffice(title: string): string {
  return `${title} (needs ${PROGRAM})`
}

/** A cell as LibreOffice parsed it; undefined if it is empty. */
export type Cell = { type: 'number'; value: number } | { type: 'date' | 'text'; value: string } | undefined

export async function openInLibreOffice(csv: string): Promise<Cell[][]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-calc-'))
  try {
    const file = path.join(folder, 'prices.csv')
    await writeFile(file, csv)
    const profile = `-env:UserInstallation=${pathToFileURL(path.join(folder, 'profile'))}`
    const convert = [`--infilter=${IMPORT_FILTER}`, '--convert-to', 'fods', '--outdir', folder, file]
    await run(PROGRAM, [profile, '--headless', '--norestore', ...convert])
    return cellsOf(await readFile(path.join(folder, 'prices.fods'), 'utf8'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function cellsOf(flatXml: string): Cell[][] {
  const rows: Cell[][] = []
  let text = ''
  let attributes: Record<string, string> = {}
  const parser = new SaxesParser()
  parser.on('error', (err) => {
    throw err
  })
  parser.on('opentag', ({ name, attributes: own }) => {
    if (name === 'table:table-row') rows.push([])
    if (name === 'table:table-cell') {
      attributes = own
      text = ''
    }
  })
  parser.on('text', (more) => {
    text += more.trim()
  })
  parser.on('closetag', ({ name }) => {
    if (name !== 'table:table-cell') return
    const cell = cellOf(attributes, text)
    for (let n = Number(attributes['table:number-columns-repeated'] ?? 1); n > 0; n--) rows.at(-1)?.push(cell)
  })
  parser.write(flatXml).close()
  return rows
}

function cellOf(attributes: Record<string, string>, text: string): Cell {
  switch (attributes['office:value-type']) {
    case undefined:
      return undefined
    case 'float':
      return { type: 'number', value: Number(attributes['office:value']) }
    case 'date':
      return { type: 'date', value: attributes['office:date-value'] ?? '' }
    case 'string':
      return { type: 'text', value: text }
    default:
      throw new Error(`a cell of type ${attributes['office:value-type']}`)
  }
}
