/**
 * Converts an artefact to bytes and back without loss: the length of the header, the header as JSON, zeros up to a multiple of 8, then the
 * arrays as little-endian doubles in the order of the header.
 */
import os from 'node:os'
import type { Artefact, ForecastAsset, ForecastSubject } from '../../models/model.ts'

const LENGTH_BYTES = 4
const DOUBLE_BYTES = 8

interface Head extends Omit<Artefact<ForecastSubject>, 'arrays'> {
  arrays: { name: string; length: number }[]
}

export function encodeArtefact({ arrays, ...rest }: Artefact<ForecastSubject>): Uint8Array {
  const named = Object.entries(arrays)
  const head: Head = { ...rest, arrays: named.map(([name, { length }]) => ({ name, length })) }
  const text = Buffer.from(JSON.stringify(head), 'utf8')
  const start = padded(LENGTH_BYTES + text.length)
  const doubles = named.reduce((sum, [, { length }]) => sum + length, 0)
  const bytes = new Uint8Array(start + doubles * DOUBLE_BYTES)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, text.length, true)
  bytes.set(text, LENGTH_BYTES)
  let offset = start
  for (const [, values] of named) {
    for (const value of values) {
      view.setFloat64(offset, value, true)
      offset += DOUBLE_BYTES
    }
  }
  return bytes
}

/** The model itself checks the subject. @throws RangeError if the bytes are not those of an artefact */
export function decodeArtefact<Subject extends ForecastSubject = ForecastAsset>(bytes: Uint8Array): Artefact<Subject> {
  // By offset: the bytes of a small file or row are in a shared Buffer pool.
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const length = bytes.length < LENGTH_BYTES ? Number.NaN : view.getUint32(0, true)
  if (!(LENGTH_BYTES + length <= bytes.length))
    throw new RangeError('not the bytes of an artefact: its head is cut off')
  const { arrays, ...rest } = JSON.parse(
    Buffer.from(bytes.buffer, bytes.byteOffset + LENGTH_BYTES, length).toString('utf8'),
  ) as Head & { asset: Subject }
  const start = padded(LENGTH_BYTES + length)
  const doubles = arrays.reduce((sum, array) => sum + array.length, 0)
  if (start + doubles * DOUBLE_BYTES !== bytes.length)
    throw new RangeError('not the bytes of an artefact: its arrays are not as long as its head says')
  const values = new Uint8Array(bytes.subarray(start)).buffer // a copy, unlike a slice of a Buffer
  if (os.endianness() === 'BE') Buffer.from(values).swap64()
  let offset = 0
  const read = arrays.map(({ name, length: count }) => {
    const array = new Float64Array(values, offset, count)
    offset += count * DOUBLE_BYTES
    return [name, array] as const
  })
  return { ...rest, arrays: Object.fromEntries(read) }
}

function padded(length: number): number {
  return Math.ceil(length / DOUBLE_BYTES) * DOUBLE_BYTES
}
