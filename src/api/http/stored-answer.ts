/**
 * A finished answer: its bytes, its entity tag, and every header, ready to be written as they are. Compressed variants are made on
 * first use and cached; each has its own entity tag, as strong tags require.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { HeaderList } from './headers.ts'
import type { Encoding } from './negotiate.ts'
import { type Body, bodyOf } from './send.ts'

/** Below this size compressing costs more than it saves. */
const COMPRESSED_BYTES_MIN = 1024
const compressGzip = promisify(gzip)
const compressBrotli = promisify(brotliCompress)

interface Variant {
  etag: string
  body: Body
  /** Serialised headers of the answer with the body, and of the 304. */
  headers: HeaderList
  notModifiedHeaders: HeaderList
}

interface AnswerHeaders {
  contentType: string
  /** Headers of both a success and a 304: `Cache-Control`, `Vary`, CORS, security. */
  always: HeaderList
  /** Further headers of answers with a body: `Content-Disposition`. */
  withBody: HeaderList
}

export class StoredAnswer {
  readonly identity: Variant
  readonly #utf8: Buffer
  readonly #hash: string
  readonly #headers: AnswerHeaders
  readonly #compressed = new Map<Encoding, Variant | Promise<Variant>>()

  constructor(body: string | Buffer, headers: AnswerHeaders) {
    this.#utf8 = typeof body === 'string' ? Buffer.from(body) : body
    this.#hash = createHash('sha256').update(this.#utf8).digest('base64url')
    this.#headers = headers
    this.identity = this.#variant('identity', this.#utf8)
  }

  /** Headers of an answer without a body. */
  get emptyHeaders(): HeaderList {
    return this.#headers.always
  }

  get text(): string {
    return this.#utf8.toString()
  }

  /** Upper bound of its memory: the body and, at most about as much again, its compressed variants and headers. */
  get bytesMax(): number {
    return 2 * this.#utf8.length + 2048
  }

  /** Returns the body in that encoding, or plain if it is too short to benefit or is a compressed font. */
  variant(encoding: Encoding): Variant | Promise<Variant> {
    const isCompressedFont = this.#headers.contentType.startsWith('font/')
    if (encoding === 'identity' || isCompressedFont || this.#utf8.length < COMPRESSED_BYTES_MIN) return this.identity
    const known = this.#compressed.get(encoding)
    if (known) return known
    const pending = compress(encoding, this.#utf8).then((body) => {
      const made = this.#variant(encoding, body)
      this.#compressed.set(encoding, made)
      return made
    })
    this.#compressed.set(encoding, pending)
    return pending
  }

  #variant(encoding: Encoding, bytes: Buffer): Variant {
    const isPlain = encoding === 'identity'
    const etag = isPlain ? `"${this.#hash}"` : `"${this.#hash}-${encoding}"`
    const notModifiedHeaders = [...this.#headers.always, 'ETag', etag]
    return {
      etag,
      body: bodyOf(bytes),
      notModifiedHeaders,
      headers: [
        'Content-Type',
        this.#headers.contentType,
        ...(isPlain ? [] : ['Content-Encoding', encoding]),
        ...this.#headers.withBody,
        ...notModifiedHeaders,
      ],
    }
  }
}

function compress(encoding: Encoding, body: Buffer): Promise<Buffer> {
  if (encoding === 'gzip') return compressGzip(body, { level: 6 })
  return compressBrotli(body, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
  })
}
