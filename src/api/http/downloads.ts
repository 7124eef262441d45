/** Serves the files of the bulk exports by signed URL, outside `/v1` and without a key: whole, in ranges (RFC 9110, 14), or 304, 412. */
import { pipeline } from 'node:stream/promises'
import { type Request, type Response, Router } from 'express'
import type { OpenedFile } from '../../delivery/bulk/bulk-export-service.ts'
import { alteredDownloadUrl } from '../contract/bulk.ts'
import { toErrorBody } from '../contract/error-body.ts'
import { ApiError, invalidParameter, methodNotAllowed, notFound } from '../contract/errors.ts'
import { REQUEST_ID } from '../contract/headers.ts'
import { excludesEtag, matchesEtag } from './conditional.ts'
import type { HeaderList } from './headers.ts'
import { readQuery } from './query.ts'
import { contextOf } from './request-context.ts'
import { send, textBody } from './send.ts'
import type { Service } from './service.ts'

/** First and last byte, inclusive. */
interface ByteRange {
  first: number
  last: number
}

const RANGE = /^bytes=(\d*)-(\d*)$/

/**
 * Returns the part of `size` bytes that the header `Range` requests: `byteRange('bytes=0-99', 1000)` is the first hundred. Undefined if
 * all bytes are to be sent: without the header, and if it is not a single byte range, which RFC 9110 (14.2) allows a server to ignore.
 * `unsatisfiable` if the range lies beyond the end.
 */
export function byteRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = RANGE.exec(header ?? '') ?? []
  if (from === '' && to === '') return undefined
  if (from === '') {
    const length = Number(to)
    return length === 0 ? 'unsatisfiable' : { first: Math.max(0, size - length), last: size - 1 }
  }
  const first = Number(from)
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (to !== '' && Number(to) < first) return undefined
  return first >= size ? 'unsatisfiable' : { first, last }
}

export function downloadRoutes(service: Service, security: HeaderList): Router {
  const router = Router({ caseSensitive: true })
  router.get('/:name', async (req: Request<{ name: string }>, res) => {
    if (service.bulk === undefined) throw notFound('There are no files to download here.')
    const file = await service.bulk.open(req.params.name, signatureOf(req), service.clock.now())
    await using _ = file.handle
    await sendFile(req, res, file, { service, security })
  })
  router.all('/:name', (req) => {
    throw methodNotAllowed(req.method, ['GET', 'HEAD'])
  })
  return router
}

/** Throws 403 if the URL differs in any character from the signed one: a file has exactly one URL. */
function signatureOf(req: Request<{ name: string }>): { expires: string; signature: string } {
  const { expires, signature } = readQuery(req.originalUrl, ['expires', 'signature'])
  if (expires === undefined) throw invalidParameter('expires', 'is missing: the address is incomplete')
  if (signature === undefined) throw invalidParameter('signature', 'is missing: the address is incomplete')
  if (!req.url.endsWith(`/${req.params.name}?expires=${expires}&signature=${signature}`)) throw alteredDownloadUrl()
  return { expires, signature }
}

interface DownloadContext {
  service: Service
  security: HeaderList
}

async function sendFile(req: Request, res: Response, file: OpenedFile, { service, security }: DownloadContext) {
  const etag = `"${file.sha256}"`
  const always = ['ETag', etag, 'Cache-Control', 'private, max-age=3600', 'Accept-Ranges', 'bytes', ...security]
  if (excludesEtag(req.headers['if-match'], etag)) {
    const problem = `If-Match names another content: this address always has ${etag}.`
    return refuse(res, problem, { status: 412, param: 'If-Match' }, { service, security })
  }
  if (matchesEtag(req.headers['if-none-match'], etag)) return send(res, 304, always)
  const ifRange = req.headers['if-range']
  const range = ifRange === undefined || ifRange === etag ? byteRange(req.headers.range, file.bytes) : undefined
  if (range === 'unsatisfiable') {
    const problem = `Range lies beyond the end: the file has ${file.bytes} bytes.`
    const headers = [...security, 'Content-Range', `bytes */${file.bytes}`]
    return refuse(res, problem, { status: 416, param: 'Range' }, { service, security: headers })
  }
  const headers = [
    ...always,
    'Content-Type',
    file.mediaType,
    'Content-Disposition',
    `attachment; filename="${file.filename}"`,
    ...(range === undefined ? [] : ['Content-Range', `bytes ${range.first}-${range.last}/${file.bytes}`]),
  ]
  await stream(req, res, { file, range, headers })
}

function refuse(
  res: Response,
  problem: string,
  about: { status: number; param: string },
  { service, security }: DownloadContext,
): void {
  const err = new ApiError('invalid_parameter', problem, about)
  const headers = ['Content-Type', 'application/json; charset=utf-8', 'Cache-Control', 'no-store', ...security]
  send(res, err.status, headers, textBody(JSON.stringify(toErrorBody(err, service.config.baseUrl))))
}

interface Part {
  file: OpenedFile
  range: ByteRange | undefined
  headers: HeaderList
}

async function stream(req: Request, res: Response, { file, range, headers }: Part): Promise<void> {
  const { first, last } = range ?? { first: 0, last: file.bytes - 1 }
  if (req.method === 'HEAD') {
    send(res, range ? 206 : 200, headers, { content: '', bytes: last - first + 1 })
    return
  }
  const context = contextOf(res)
  context.bodyBytes = last - first + 1
  res.writeHead(range ? 206 : 200, [...headers, REQUEST_ID, context.id, 'Content-Length', String(last - first + 1)])
  try {
    await pipeline(file.handle.createReadStream({ start: first, end: last, autoClose: false }), res)
  } catch (err) {
    if (!isClientDisconnect(err)) throw err
  }
}

/** Errors of a pipeline if the client disconnects while it runs, or has disconnected before it starts. */
const DISCONNECTED = ['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE']

/** The client closed the connection: not an error, and already in the access log. */
function isClientDisconnect(err: unknown): boolean {
  return err instanceof Error && 'code' in err && DISCONNECTED.some((code) => code === err.code)
}
