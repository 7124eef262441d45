import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  BATCH_BYTES_MAX,
  type Batch,
  BatchBuilder,
  FatalToClient,
  FrameReader,
  measureMessage,
  measureStartupPacket,
} from '../../../../src/platform/engine/message-framing.ts'
import { encodeMessage } from '../../../../src/platform/engine/messages.ts'

const message = fc
  .tuple(fc.constantFrom(...'QPBFdDECSHXcf'), fc.uint8Array({ maxLength: 300 }))
  .map(([type, body]) => encodeMessage(type, body))

/** A stream split at arbitrary positions, with empty chunks in between. */
const chunkedStream = fc.array(message, { maxLength: 30 }).chain((messages) => {
  const stream = Buffer.concat(messages)
  const cuts = fc.array(fc.nat(stream.length), { maxLength: 60 }).map((places) => [0, ...places.sort((a, b) => a - b)])
  return cuts.map((places) => ({
    messages,
    chunks: places.map((start, index) => stream.subarray(start, places[index + 1])),
  }))
})

function readAll(chunks: Buffer[]): Buffer[] {
  const frames = new FrameReader()
  const read: Buffer[] = []
  for (const chunk of chunks) {
    frames.push(chunk)
    for (let next = frames.next(measureMessage); next; next = frames.next(measureMessage)) read.push(next)
  }
  return read
}

const hex = (buffers: Buffer[]) => buffers.map((buffer) => buffer.toString('hex'))

describe('FrameReader', () => {
  test('yields the same messages however the stream is split', () => {
    fc.assert(
      fc.property(chunkedStream, ({ messages, chunks }) => {
        expect(hex(readAll(chunks))).toEqual(hex(messages))
      }),
    )
  })

  test('reads a startup packet and the messages that came with it', () => {
    const frames = new FrameReader()
    const packet = Buffer.from('\0\0\0\x08\x04\xd2\x16\x2f', 'latin1')
    frames.push(Buffer.concat([packet, encodeMessage('S')]))
    expect(frames.next(measureStartupPacket)).toEqual(packet)
    expect(frames.next(measureMessage)).toEqual(encodeMessage('S'))
    expect(frames.next(measureMessage)).toBeUndefined()
  })
})

describe('BatchBuilder', () => {
  test('keeps every message, in order, and ends a batch exactly at Query, Sync, FunctionCall and Flush', () => {
    fc.assert(
      fc.property(fc.array(message), (messages) => {
        const builder = new BatchBuilder()
        const batches = messages.map((each) => builder.add(each)).filter((batch): batch is Batch => batch !== undefined)
        const complete = batches.flatMap((batch) => batch.messages)
        expect(hex(complete)).toEqual(hex(messages.slice(0, complete.length)))
        for (const batch of batches) {
          const types = batch.messages.map((each) => String.fromCharCode(each[0] ?? 0)).join('')
          expect(types).toMatch(/^[^QSFH]*[QSFH]$/)
          expect(types.at(-1)).toBe(batch.end)
        }
      }),
    )
  })

  test('refuses a batch that grows too large', () => {
    const builder = new BatchBuilder()
    const half = encodeMessage('P', Buffer.alloc(BATCH_BYTES_MAX / 2))
    builder.add(half)
    expect(() => builder.add(half)).toThrow(FatalToClient)
  })
})

describe('messages that would crash the backend', () => {
  const head = (type: string, length: number) => {
    const bytes = Buffer.from(`${type}\0\0\0\0`)
    bytes.writeInt32BE(length, 1)
    return bytes
  }

  test.each([
    ['unknown type', head('z', 10), '08P01'],
    ['password', head('p', 10), '08P01'],
    ['startup packet in the middle', head('\0', 10), '08P01'],
    ['length below its own size', head('Q', 3), '08P01'],
    ['negative length', head('Q', -1), '08P01'],
    ['long Describe', head('D', 10_001), '08P01'],
    ['Query beyond the limit', head('Q', BATCH_BYTES_MAX + 1), '54000'],
  ])('are refused: %s', (_, bytes, code) => {
    expect(() => measureMessage(bytes)).toThrow(expect.objectContaining({ code }))
  })

  test.each([0, 7, 10_001, -1])('include a startup packet of %i bytes', (length) => {
    const bytes = Buffer.alloc(5)
    bytes.writeInt32BE(length)
    expect(() => measureStartupPacket(bytes)).toThrow(FatalToClient)
  })
})
