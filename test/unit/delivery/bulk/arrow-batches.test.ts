import { Table, tableFromIPC, tableToIPC } from 'apache-arrow'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Values } from '../../../../src/api/contract/table.ts'
import { arrowSchema, recordBatch } from '../../../../src/delivery/bulk/arrow-batches.ts'

const COLUMNS = (['text', 'date', 'instant', 'integer', 'number'] as const).map((type) => ({
  name: type,
  type,
  nullable: true,
  meaning: '',
}))

/** Decodes the bytes column by column; instants become milliseconds. */
function readBack(rows: number, columns: Values[]): unknown[][] {
  const batch = recordBatch(arrowSchema(COLUMNS, new Map()), COLUMNS, { rows, columns })
  const table = tableFromIPC(tableToIPC(new Table(batch)))
  return COLUMNS.map(({ name }) =>
    [...(table.getChild(name) ?? [])].map((value) => (value instanceof Date ? value.getTime() : value)),
  )
}

it('Arrow batches preserve any text, days and instants before 1970, and missing values', () => {
  const day = fc.date({ min: new Date('1900-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
  const row = fc.tuple(
    fc.option(fc.string({ unit: 'grapheme' })),
    fc.option(day.map((date) => date.toISOString().slice(0, 10))),
    fc.option(fc.integer({ min: -(2 ** 42), max: 2 ** 45 })),
    fc.option(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
    fc.option(fc.double({ noNaN: true })),
  )
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 70 }), (rows) => {
      const columns = COLUMNS.map((_, i) => rows.map((values) => values[i] ?? null))
      const expected = columns.with(
        1,
        (columns[1] ?? []).map((text) => (text === null ? null : Date.parse(text as string))),
      )
      expect(readBack(rows.length, columns)).toEqual(expected)
    }),
  )
})
