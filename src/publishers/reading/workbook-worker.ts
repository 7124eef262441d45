/** Worker thread that reads one workbook for `workbook.ts`: bytes in, sheets or a refusal out. */
import { parentPort, workerData } from 'node:worker_threads'
import { read } from '@e965/xlsx'
import type { Sheet, SheetRow, WorkbookReply } from './workbook.ts'

/** No price report has more rows. */
const ROWS_MAX = 20_000

parentPort?.postMessage(replyFor(workerData as Uint8Array))

function replyFor(bytes: Uint8Array): WorkbookReply {
  try {
    return sheetsOf(bytes)
  } catch (err) {
    // The input is in memory, so any error of SheetJS is about the document; its errors on damaged files are not informative.
    const isUninformative = !(err instanceof Error) || err instanceof TypeError || err instanceof RangeError
    return { refusal: `not a sound workbook (${isUninformative ? 'damaged or cut off' : err.message.slice(0, 200)})` }
  }
}

/** Formulas are not computed: a cell has the value it was saved with. */
function sheetsOf(bytes: Uint8Array): WorkbookReply {
  const workbook = read(bytes, {
    type: 'buffer',
    dense: true,
    sheetRows: ROWS_MAX,
    cellFormula: false,
    cellHTML: false,
    cellText: false,
  })
  if (workbook.Workbook?.WBProps?.date1904) return { refusal: 'counts its dates from 1904, which no publisher does' }
  const sheets: Sheet[] = []
  for (const name of workbook.SheetNames) {
    const data = workbook.Sheets[name]?.['!data'] ?? []
    if (data.length >= ROWS_MAX) return { refusal: `the sheet "${name}" has ${ROWS_MAX} rows or more` }
    sheets.push({ name, rows: rowsOf(data) })
  }
  return { sheets }
}

type CellData = readonly (readonly ({ t: string; v?: unknown } | undefined)[] | undefined)[]

/** Only existing cells are visited: a sheet can claim a million columns. */
function rowsOf(data: CellData): SheetRow[] {
  const rows: SheetRow[] = []
  data.forEach((row, index) => {
    const cells = new Map<number, string | number>()
    row?.forEach((cell, column) => {
      if (cell?.t === 'n' && typeof cell.v === 'number') cells.set(column, cell.v)
      if (cell?.t === 's' && typeof cell.v === 'string' && cell.v.trim() !== '') cells.set(column, cell.v.trim())
    })
    if (cells.size > 0) rows.push({ number: index + 1, cells })
  })
  return rows
}
