/** The S3 store, against a server that verifies every signature. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FileStore } from '../../../../src/delivery/bulk/file-store.ts'
import { s3Store } from '../../../../src/delivery/bulk/s3-store.ts'
import { Secret } from '../../../../src/platform/secret.ts'
import { listenLocally } from '../../../support/local-server.ts'
import { type S3Server, startS3Server } from '../../../support/s3-server.ts'
import { scratchFolderOfFile } from '../../../support/scratch-folder.ts'

const CREDENTIALS = { id: 'an-access-key', secret: 'not-a-secret-of-anybody' }
const ABOUT = { mediaType: 'application/vnd.apache.parquet', filename: 'pun-hourly.parquet' }
/** More than one part of a multipart upload. */
const LARGE = randomBytes(9 * 1024 * 1024)

let server: S3Server
let store: FileStore
const folder = await scratchFolderOfFile()
beforeAll(async () => {
  server = await startS3Server(CREDENTIALS)
  store = storeWith(CREDENTIALS.secret)
})
afterAll(async () => {
  store[Symbol.dispose]()
  await server[Symbol.asyncDispose]()
})

function storeWith(secret: string, endpoint = server.endpoint, options = {}): FileStore {
  return s3Store(
    {
      bucket: 'energy',
      prefix: 'bulk/',
      region: 'eu-south-1',
      endpoint: new URL(endpoint),
      pathStyle: true,
      credentials: { id: CREDENTIALS.id, secret: new Secret(secret) },
    },
    options,
  )
}

async function localFile(content: Buffer): Promise<string> {
  const file = path.join(folder, randomBytes(4).toString('hex'))
  await writeFile(file, content)
  return file
}

it.each([
  ['in one piece', Buffer.from('PAR1 and so on')],
  ['in parts', LARGE],
])('the S3 store uploads a file %s and presigns a download URL with its file name', async (_how, content) => {
  const file = await localFile(content)
  await store.put(file, 'a.parquet', ABOUT)
  expect(existsSync(file)).toBe(false)
  expect(server.objects.get('bulk/a.parquet')?.equals(content)).toBe(true)
  const url = (await store.presign?.('a.parquet', ABOUT, 3_600)) ?? ''
  const answer = await fetch(url)
  expect([answer.status, answer.headers.get('content-disposition')]).toEqual([
    200,
    'attachment; filename="pun-hourly.parquet"',
  ])
  expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true)
  expect(new URL(url).searchParams.get('X-Amz-Expires')).toBe('3600')
})

it('a presigned URL grants access to its own file and expiry only', async () => {
  const url = (await store.presign?.('a.parquet', ABOUT, 3_600)) ?? ''
  expect((await fetch(url.replace('a.parquet', 'b.parquet'))).status).toBe(403)
  expect((await fetch(url.replace('Expires=3600', 'Expires=9999'))).status).toBe(403)
  expect((await fetch(`${server.endpoint}/energy/bulk/a.parquet`)).status).toBe(403)
})

it('the S3 store lists and removes only objects under its prefix', async () => {
  server.objects.set('elsewhere/x', Buffer.from('x'))
  server.objects.set('bulk/lake/b.parquet', Buffer.from('b'))
  const { length: bytes } = server.objects.get('bulk/a.parquet') ?? Buffer.alloc(0)
  const storedAt = Temporal.Instant.from('2020-01-01T00:00:00Z')
  expect(await store.list('')).toEqual([{ name: 'a.parquet', bytes, storedAt }])
  expect(await store.list('lake/')).toEqual([{ name: 'lake/b.parquet', bytes: 1, storedAt }])
  expect(store.uri('lake/b.parquet')).toBe('s3://energy/bulk/lake/b.parquet')
  await store.remove('lake/b.parquet')
  expect(await store.has({ name: 'a.parquet', bytes })).toBe(true)
  expect(await store.has({ name: 'a.parquet', bytes: bytes + 1 })).toBe(false)
  await store.remove('a.parquet')
  await store.remove('a.parquet')
  expect(await store.has({ name: 'a.parquet', bytes })).toBe(false)
  expect([...server.objects.keys()]).toEqual(['elsewhere/x'])
})

it('the S3 store fails if its secret is wrong', async () => {
  using other = storeWith('another secret')
  await expect(other.put(await localFile(Buffer.from('x')), 'c.parquet', ABOUT)).rejects.toThrow()
  await expect(other.has({ name: 'c.parquet', bytes: 1 })).rejects.toThrow()
  expect(server.requests.at(-1)).toMatch(/^403 /)
})

it('a failed upload keeps the local file and leaves no object', async () => {
  server.refuseUploads(true)
  const file = await localFile(Buffer.from('x'))
  await expect(store.put(file, 'd.parquet', ABOUT)).rejects.toThrow()
  expect(existsSync(file)).toBe(true)
  expect(server.objects.has('bulk/d.parquet')).toBe(false)
  server.refuseUploads(false)
})

/** Starts another server in place of S3, which is closed with the stack; returns a store on it. */
async function storeOn(stack: AsyncDisposableStack, respond: RequestListener, options = {}): Promise<FileStore> {
  const other = stack.use(await listenLocally(createServer(respond)))
  return stack.use(storeWith(CREDENTIALS.secret, other.baseUrl, options))
}

it('an S3 store that accepts connections but never responds times out in every operation', async () => {
  await using stack = new AsyncDisposableStack()
  const away = await storeOn(stack, () => {}, { silenceMs: 50 })
  const file = await localFile(Buffer.from('x'))
  await Promise.all([
    expect(away.put(file, 'e.parquet', ABOUT)).rejects.toThrow(),
    expect(away.has({ name: 'e.parquet', bytes: 1 })).rejects.toThrow(),
    expect(away.remove('e.parquet')).rejects.toThrow(),
    expect(away.list('')).rejects.toThrow(),
  ])
  expect(existsSync(file)).toBe(true)
})

it('a hanging upload is aborted on shutdown', async () => {
  await using stack = new AsyncDisposableStack()
  const stopping = new AbortController()
  const hanging = await storeOn(stack, (req, res) => {
    if (req.method === 'GET') res.end('<ListMultipartUploadsResult/>')
    else stopping.abort()
  })
  const file = await localFile(Buffer.from('x'))
  const aborted = { name: 'AbortError' }
  await expect(hanging.put(file, 'f.parquet', ABOUT, stopping.signal)).rejects.toMatchObject(aborted)
  await expect(hanging.has({ name: 'f.parquet', bytes: 1 }, stopping.signal)).rejects.toMatchObject(aborted)
  expect(existsSync(file)).toBe(true)
})
