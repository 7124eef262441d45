/** Regulated parameters: `PO_Parametri_[Mercato_Libero_]{E|G}_YYYYMMDD.csv`, a name, a value and a description each. */

import { type Fault, UnreadableDocument } from '../faults.ts'
import type { Items } from '../observations.ts'
import { csvRows } from '../reading/csv-rows.ts'
import { describePriceFault, readDecimal } from '../reading/decimals.ts'
import type { NamedFile } from './file-name.ts'
import type { PublishedSeries, PublishedValue } from './published-values.ts'

export const PARAMETERS_HEADER = 'nome_parametro,valore,descrizione'

/** Yields one item after the last row. Fails with UnreadableDocument at the first thing that cannot be read. */
export async function* parseParameters(
  text: AsyncIterable<string>,
  fileName: string,
  { day, commodity }: NamedFile,
): Items {
  const series = seriesOf(fileName, commodity)
  const values = new Map<string, PublishedValue>()
  const faults: Fault[] = []
  for await (const rows of csvRows(text, ',')) {
    for (const { record, info } of rows) {
      const [name = '', valueText = '', description] = record.map((cell) => cell.trim())
      const place = `line ${info.lines}`
      const value = readDecimal(valueText, '.')
      if (typeof value === 'string')
        faults.push({ code: value, place, detail: `${name}: ${describePriceFault(value, valueText, '.')}` })
      else if (values.has(name) && values.get(name)?.value !== value) {
        faults.push({ code: 'duplicate_interval', place, detail: `${name} is stated twice with different values` })
      } else values.set(name, { name, validOn: day, value, unit: undefined, description })
    }
  }
  yield { kind: 'published-values', series, day, values: [...values.values()], faults }
}

function seriesOf(fileName: string, commodity: NamedFile['commodity']): PublishedSeries {
  if (commodity === 'luce' || commodity === 'gas') {
    const terms = /mercato_libero/i.test(fileName) ? 'free' : 'placet'
    return `parameters-${terms}-${commodity === 'luce' ? 'power' : 'gas'}`
  }
  throw new UnreadableDocument(
    'file name',
    'does not say whose parameters these are: PO_Parametri_[Mercato_Libero_]{E|G}_YYYYMMDD.csv',
  )
}
