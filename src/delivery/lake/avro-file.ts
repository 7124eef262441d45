/**
 * Records as an Avro object container file, of one block. It is not compressed: icebird's decompression fails at some blocks. The same
 * records give the same bytes.
 */
import { createHash } from 'node:crypto'
import avsc, { type Schema } from 'avsc'

const MAGIC = Buffer.from('Obj\u0001', 'latin1')
const SYNC_BYTES = 16
const LONG = avsc.Type.forSchema('long')
const METADATA = avsc.Type.forSchema({ type: 'map', values: 'bytes' })

/** `metadata`: entries of the file's header besides those of Avro. */
export function avroFile(
  schema: Schema,
  records: readonly unknown[],
  metadata: Readonly<Record<string, string>>,
): Buffer {
  const type = avsc.Type.forSchema(schema)
  const block = Buffer.concat(records.map((record) => type.toBuffer(record)))
  const entries = { 'avro.schema': JSON.stringify(schema), 'avro.codec': 'null', ...metadata }
  const header = METADATA.toBuffer(
    Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, Buffer.from(value)])),
  )
  const sync = createHash('sha256').update(header).update(block).digest().subarray(0, SYNC_BYTES)
  const lengths = [LONG.toBuffer(records.length), LONG.toBuffer(block.length)]
  return Buffer.concat([MAGIC, header, sync, ...lengths, block, sync])
}
