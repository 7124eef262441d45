/** Avro files read back by icebird, for any number of records. */
import { avroMetadata } from 'icebird/src/avro/avro.metadata.js'
import { avroRead } from 'icebird/src/avro/avro.read.js'
import { expect, it } from 'vitest'
import { avroFile } from '../../../../src/delivery/lake/iceberg-manifest.ts'

const SCHEMA = {
  type: 'record' as const,
  name: 'a_record',
  fields: [
    { name: 'number', type: 'int' as const },
    { name: 'text', type: 'string' as const },
    { name: 'perhaps', type: ['null', 'string'] as ['null', 'string'], default: null },
  ],
}

it.each([0, 1, 100, 2_000, 50_000])('an Avro file of %i records is read back unchanged', (count) => {
  const records = Array.from({ length: count }, (_, i) => ({
    ...{ number: i, text: `file:///lake/${(i * 7_919) % 100_003}.parquet` },
    perhaps: i % 3 === 0 ? null : 'è €',
  }))
  const file = new Uint8Array(avroFile(SCHEMA, records, { 'format-version': '2' }))
  const reader = { view: new DataView(file.buffer), offset: 0 }
  const { metadata, syncMarker } = avroMetadata(reader)
  expect(metadata['format-version']).toBe('2')
  const read = avroRead({ reader, metadata, syncMarker })
  expect(read.map((record) => ({ ...record, perhaps: record.perhaps ?? null }))).toEqual(records)
  expect(Buffer.from(file).equals(avroFile(SCHEMA, records, { 'format-version': '2' }))).toBe(true)
})
