/** Iceberg tables read by icebird, which shares no code with their writer: from a folder, or from the S3 server of the tests. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { icebergMetadata, icebergRead } from 'icebird'
import type { S3Server } from './s3-server.ts'

type Metadata = Awaited<ReturnType<typeof icebergMetadata>>

/** The rows of the current snapshot, or of an earlier one. `s3`: the server behind `s3://` URLs. */
export function icebergRows(
  tableUrl: string,
  { s3, snapshotId }: { s3?: S3Server; snapshotId?: number } = {},
): Promise<Record<string, unknown>[]> {
  return withS3Fetch(s3, async () => {
    const metadata = await icebergMetadata({ tableUrl })
    const wanted = snapshotId === undefined ? metadata : { ...metadata, 'current-snapshot-id': snapshotId }
    return icebergRead({ tableUrl, metadata: wanted })
  })
}

export function icebergTable(tableUrl: string, s3?: S3Server): Promise<Metadata> {
  return withS3Fetch(s3, () => icebergMetadata({ tableUrl }))
}

/** icebird reads with `fetch` and resolves `s3://` to Amazon's hosts only: `fetch` is replaced while it reads. */
async function withS3Fetch<T>(s3: S3Server | undefined, read: () => Promise<T>): Promise<T> {
  const { fetch } = globalThis
  globalThis.fetch = async (input, init) => {
    const url = new URL(String(input))
    if (url.protocol === 'file:') return rangeResponse(await readFile(fileURLToPath(url)).catch(() => undefined), init)
    if (url.hostname.endsWith('.s3.amazonaws.com')) return rangeResponse(s3?.objects.get(url.pathname.slice(1)), init)
    return fetch(input, init)
  }
  try {
    return await read()
  } finally {
    globalThis.fetch = fetch
  }
}

function rangeResponse(content: Buffer | undefined, init: RequestInit | undefined): Response {
  if (content === undefined) return new Response(null, { status: 404, statusText: 'Not Found' })
  const [, first, last] = /bytes=(\d+)-(\d+)/.exec(new Headers(init?.headers).get('range') ?? '') ?? []
  if (first === undefined) return new Response(new Uint8Array(content))
  return new Response(new Uint8Array(content.subarray(Number(first), Number(last) + 1)), { status: 206 })
}
