/**
 * A small S3 server that verifies every request's signature (AWS Signature Version 4, in the header or the query), written from
 * the specification: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html. Objects are kept in memory.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listenLocally } from './local-server.ts'

export interface S3Server extends AsyncDisposable {
  endpoint: string
  objects: Map<string, Buffer>
  /** `PUT /bucket/key`, in order; requests with an invalid signature begin with 403. */
  requests: string[]
  /** Makes uploads fail from now on, as if the store were full. */
  refuseUploads(refuse: boolean): void
}

export interface S3Credentials {
  id: string
  secret: string
}

const REGION = 'eu-south-1'

export async function startS3Server({ id, secret }: S3Credentials): Promise<S3Server> {
  const objects = new Map<string, Buffer>()
  const uploads = new Map<string, Map<number, Buffer>>()
  const requests: string[] = []
  let isFull = false
  const server = createServer(async (req, res) => {
    const url = new URL(req.url ?? '/', `http://${req.headers.host}`)
    const body = Buffer.concat(await req.toArray())
    const problem = signatureProblem(req, url, body, { id, secret })
    requests.push(`${problem ? '403 ' : ''}${req.method} ${url.pathname}`)
    if (problem !== undefined) return answer(res, 403, error('SignatureDoesNotMatch', problem))
    if (isFull && req.method === 'PUT') return answer(res, 507, error('InsufficientStorage', 'full'))
    handleOperation(req, res, { url, body, objects, uploads })
  })
  const { baseUrl, [Symbol.asyncDispose]: dispose } = await listenLocally(server)
  return {
    endpoint: baseUrl,
    objects,
    requests,
    refuseUploads: (refuse) => {
      isFull = refuse
    },
    [Symbol.asyncDispose]: dispose,
  }
}

interface Operation {
  url: URL
  body: Buffer
  objects: Map<string, Buffer>
  uploads: Map<string, Map<number, Buffer>>
}

function handleOperation(req: IncomingMessage, res: ServerResponse, operation: Operation): ServerResponse {
  const { url, body, objects, uploads } = operation
  const key = decodeURIComponent(url.pathname.split('/').slice(2).join('/'))
  const query = url.searchParams
  if (req.method === 'GET' && key === '' && query.has('uploads'))
    return answer(res, 200, '<ListMultipartUploadsResult/>')
  if (req.method === 'GET' && key === '')
    return answer(res, 200, listing(objects, query.get('prefix') ?? '', query.get('delimiter') ?? undefined))
  if (req.method === 'POST' && query.has('uploads')) {
    uploads.set(key, new Map())
    return answer(
      res,
      200,
      `<InitiateMultipartUploadResult><UploadId>${key}</UploadId></InitiateMultipartUploadResult>`,
    )
  }
  if (req.method === 'PUT' && query.has('partNumber')) {
    uploads.get(key)?.set(Number(query.get('partNumber')), body)
    return answer(res, 200, '', { ETag: etagOf(body) })
  }
  if (req.method === 'POST') {
    const parts = [...(uploads.get(key) ?? [])].sort(([a], [b]) => a - b).map(([, part]) => part)
    objects.set(key, Buffer.concat(parts))
    return answer(res, 200, `<CompleteMultipartUploadResult><Key>${key}</Key></CompleteMultipartUploadResult>`)
  }
  if (req.method === 'PUT') {
    objects.set(key, body)
    return answer(res, 200, '', { ETag: etagOf(body) })
  }
  if (req.method === 'DELETE') {
    objects.delete(key)
    return answer(res, 204, '')
  }
  const object = objects.get(key)
  if (object === undefined) return answer(res, 404, error('NoSuchKey', key))
  return answer(res, 200, object, {
    'Content-Length': String(object.length),
    'Content-Disposition': query.get('response-content-disposition') ?? '',
    'Content-Type': query.get('response-content-type') ?? '',
  })
}

function answer(
  res: ServerResponse,
  status: number,
  body: string | Buffer,
  headers: Record<string, string> = {},
): ServerResponse {
  return res.writeHead(status, { 'Content-Type': 'application/xml', ...headers }).end(body)
}

const error = (code: string, message: string) => `<Error><Code>${code}</Code><Message>${message}</Message></Error>`
const etagOf = (body: Buffer) => `"${createHash('md5').update(body).digest('hex')}"`
const hex = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

function listing(objects: ReadonlyMap<string, Buffer>, prefix: string, delimiter: string | undefined): string {
  const isDirectChild = (key: string) => !delimiter || !key.slice(prefix.length).includes(delimiter)
  const contents = [...objects]
    .filter(([key]) => key.startsWith(prefix) && isDirectChild(key))
    .map(
      ([key, { length }]) =>
        `<Contents><Key>${key}</Key><Size>${length}</Size><LastModified>2020-01-01T00:00:00.000Z</LastModified></Contents>`,
    )
  return `<ListBucketResult><IsTruncated>false</IsTruncated>${contents.join('')}</ListBucketResult>`
}

/** Describes the error in the request's signature; undefined if it is valid. */
function signatureProblem(req: IncomingMessage, url: URL, body: Buffer, own: S3Credentials): string | undefined {
  const query = url.searchParams
  const fields = query.has('X-Amz-Signature') ? signatureFromQuery(query) : signatureFromHeader(req)
  if (fields === undefined) return 'not signed'
  const { credential, signedHeaders, signature, date, expires, payload } = fields
  const [id, day = '', region, service] = credential.split('/')
  if (id !== own.id || region !== REGION || service !== 's3') return `credential ${credential}`
  if (expires !== undefined && instantOf(date) + expires * 1_000 < Date.now()) return 'expired'
  if (payload !== 'UNSIGNED-PAYLOAD' && !payload.startsWith('STREAMING-') && payload !== hex(body)) return 'payload'
  const canonical = [
    req.method,
    url.pathname,
    canonicalQuery(query),
    ...signedHeaders.map((name) => `${name}:${String(req.headers[name]).trim()}`),
    '',
    signedHeaders.join(';'),
    payload,
  ].join('\n')
  const scope = [day, region, service, 'aws4_request'].join('/')
  const text = ['AWS4-HMAC-SHA256', date, scope, hex(canonical)].join('\n')
  const key = [region, service, 'aws4_request'].reduce(
    hmac as (key: Buffer, text: string) => Buffer,
    hmac(`AWS4${own.secret}`, day),
  )
  const expected = hmac(key, text)
  const given = Buffer.from(signature, 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected) ? undefined : 'signature'
}

function signatureFromQuery(query: URLSearchParams) {
  const field = (name: string) => query.get(`X-Amz-${name}`) ?? ''
  return {
    credential: field('Credential'),
    signedHeaders: field('SignedHeaders').split(';'),
    signature: field('Signature'),
    date: field('Date'),
    expires: Number(field('Expires')),
    payload: query.get('X-Amz-Content-Sha256') ?? 'UNSIGNED-PAYLOAD',
  }
}

function signatureFromHeader({ headers }: IncomingMessage) {
  const [, credential, signedHeaders, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]+)$/.exec(
      headers.authorization ?? '',
    ) ?? []
  if (credential === undefined || signedHeaders === undefined || signature === undefined) return undefined
  return {
    credential,
    signedHeaders: signedHeaders.split(';'),
    signature,
    date: String(headers['x-amz-date']),
    expires: undefined,
    payload: String(headers['x-amz-content-sha256']),
  }
}

function canonicalQuery(query: URLSearchParams): string {
  return [...query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** Parses `20260121T100000Z` into epoch milliseconds. */
function instantOf(stamp: string): number {
  return Temporal.Instant.from(stamp.replace(/(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)/, '$1-$2-$3:$4:$5'))
    .epochMilliseconds
}
