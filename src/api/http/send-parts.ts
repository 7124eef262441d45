/** Streams a table too large for memory: the next part is computed once the client has read the previous one. */
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type CsvDialect, csvLine } from '../../platform/csv.ts'
import { REQUEST_ID } from '../contract/headers.ts'
import { arrowInParts } from './arrow.ts'
import type { Caller } from './caller.ts'
import { csvLines, nameOf } from './csv-table.ts'
import type { Endpoint } from './endpoint.ts'
import type { HeaderList } from './headers.ts'
import { limitHeaders } from './limit-headers.ts'
import { MEDIA_TYPES } from './negotiate.ts'
import { alwaysHeaders } from './present-answer.ts'
import { contextOf } from './request-context.ts'
import type { Service } from './service.ts'

/** Time limit for slow clients, because the source of the parts stays open meanwhile. */
const STREAM_MS_MAX = 600_000

interface InParts {
  endpoint: Endpoint
  format: 'csv' | 'arrow'
  csv: CsvDialect
  parts: AsyncGenerator<unknown>
  caller: Caller
  security: HeaderList
  service: Pick<Service, 'log'>
}

/** Throws the error of the first part. A later error closes the connection, so that no client takes a partial response for the whole. */
export async function sendParts(
  { endpoint, format, csv, parts, caller, security, service }: InParts,
  res: ServerResponse,
): Promise<void> {
  const chunks = format === 'csv' ? csvChunks(endpoint, parts, csv) : arrowChunks(endpoint, parts)
  const { value: first } = await chunks.next()
  if (first === undefined) throw new Error(`${endpoint.id} has an answer without parts`)
  const context = contextOf(res)
  const headers = [
    ...['Content-Type', format === 'csv' ? 'text/csv; charset=utf-8' : MEDIA_TYPES.arrow],
    ...['Content-Disposition', `attachment; filename="${first.filename}.${format === 'csv' ? 'csv' : 'arrows'}"`],
    ...alwaysHeaders(endpoint, caller, security),
    ...first.headers,
    ...limitHeaders(context, 200),
    ...[REQUEST_ID, context.id],
  ]
  res.writeHead(200, headers)
  try {
    const counted = withBytes(first, chunks, (bytes) => {
      context.bodyBytes = (context.bodyBytes ?? 0) + bytes
    })
    await pipeline(Readable.from(counted, { objectMode: false }), res, { signal: AbortSignal.timeout(STREAM_MS_MAX) })
  } catch (err) {
    service.log.warn({ err, endpoint: endpoint.id }, 'an answer in parts was cut off')
  }
}

interface Chunk {
  filename: string
  /** Headers of the endpoint. */
  headers: HeaderList
  bytes: Uint8Array
}

async function* withBytes(first: Chunk, others: AsyncGenerator<Chunk>, count: (bytes: number) => void) {
  try {
    count(first.bytes.length)
    yield first.bytes
    for await (const { bytes } of others) {
      count(bytes.length)
      yield bytes
    }
  } finally {
    await others.return(undefined)
  }
}

async function* csvChunks(endpoint: Endpoint, parts: AsyncGenerator<unknown>, csv: CsvDialect): AsyncGenerator<Chunk> {
  let isFirst = true
  for await (const part of parts) {
    const table = endpoint.table?.(part)
    if (table === undefined) return
    const head = isFirst ? csvLine(table.columns.map(nameOf), csv) : ''
    isFirst = false
    const headers = endpoint.headers?.(part, {}) ?? []
    yield { filename: table.filename, headers, bytes: Buffer.from(head + csvLines(table, csv)) }
  }
}

async function* arrowChunks(endpoint: Endpoint, parts: AsyncGenerator<unknown>): AsyncGenerator<Chunk> {
  let filename = ''
  let headers: HeaderList = []
  const tables = async function* () {
    for await (const part of parts) {
      const table = endpoint.arrow?.(part)
      if (table === undefined) return
      filename = table.filename
      headers = endpoint.headers?.(part, {}) ?? []
      yield table
    }
  }
  for await (const bytes of arrowInParts(tables())) yield { filename, headers, bytes }
}
