/**
 * Stores finished files in an S3-compatible store, from which clients download them with presigned URLs. An object appears when its
 * upload is complete; a killed upload leaves no object, and an export at least a day later aborts it.
 */
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  NotFound,
  S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { S3Config } from '../../service/config/config.ts'
import type { FileStore, ListedFile } from './file-store.ts'

const PART_BYTES = 8 * 1024 * 1024
const CONNECT_MS = 10_000
/** A store that is silent for this long is treated as unreachable; each request is tried three times. */
const SILENCE_MS = 60_000

export function s3Store(
  { bucket, prefix, region, endpoint, pathStyle, credentials }: S3Config,
  { silenceMs = SILENCE_MS } = {},
): FileStore {
  const client = new S3Client({
    region,
    forcePathStyle: pathStyle,
    ...(endpoint && { endpoint: endpoint.href }),
    ...(credentials && {
      credentials: { accessKeyId: credentials.id, secretAccessKey: credentials.secret.reveal() },
    }),
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: silenceMs },
    // Not every compatible store supports the checksums that S3 does not require.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  const keyOf = (name: string) => `${prefix}${name}`
  const abortOptions = (signal: AbortSignal | undefined) => (signal ? { abortSignal: signal } : {})

  return {
    async put(file, name, { mediaType }, signal) {
      await endAbandonedUploads(signal)
      const params = { Bucket: bucket, Key: keyOf(name), Body: createReadStream(file), ContentType: mediaType }
      const upload = new Upload({ client, params, partSize: PART_BYTES, queueSize: 1 })
      const stop = () => void upload.abort()
      signal?.addEventListener('abort', stop, { once: true })
      try {
        await upload.done()
      } finally {
        signal?.removeEventListener('abort', stop)
      }
      await rm(file)
    },

    async has({ name, bytes }, signal) {
      try {
        const head = await client.send(
          new HeadObjectCommand({ Bucket: bucket, Key: keyOf(name) }),
          abortOptions(signal),
        )
        return head.ContentLength === bytes
      } catch (err) {
        if (err instanceof NotFound) return false
        throw err
      }
    },

    async remove(name, signal) {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: keyOf(name) }), abortOptions(signal))
    },

    async list(folder, signal) {
      const files: ListedFile[] = []
      const within = { Bucket: bucket, Prefix: keyOf(folder), Delimiter: '/' }
      for (let token: string | undefined; ; ) {
        const page = await client.send(
          new ListObjectsV2Command({ ...within, ...(token && { ContinuationToken: token }) }),
          abortOptions(signal),
        )
        for (const { Key: key, Size: bytes = 0, LastModified: modified } of page.Contents ?? [])
          if (key !== undefined && modified !== undefined)
            files.push({ name: key.slice(prefix.length), bytes, storedAt: modified.toTemporalInstant() })
        token = page.NextContinuationToken
        if (token === undefined) return files
      }
    },

    uri: (name) => `s3://${bucket}/${keyOf(name)}`,

    presign(name, { filename, mediaType }, seconds) {
      const command = new GetObjectCommand({
        Bucket: bucket,
        Key: keyOf(name),
        ResponseContentDisposition: `attachment; filename="${filename}"`,
        ResponseContentType: mediaType,
      })
      return getSignedUrl(client, command, { expiresIn: seconds })
    },

    [Symbol.dispose]: () => client.destroy(),
  }

  /** Aborts uploads of processes that died. An upload still running in another worker is less than a day old. */
  async function endAbandonedUploads(signal: AbortSignal | undefined): Promise<void> {
    const yesterday = Temporal.Now.instant().subtract({ hours: 24 }).epochMilliseconds
    const { Uploads: uploads = [] } = await client.send(
      new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix }),
      abortOptions(signal),
    )
    for (const { Key: key, UploadId: id, Initiated: at } of uploads) {
      if (key === undefined || id === undefined || at === undefined || at.getTime() > yesterday) continue
      await client.send(
        new AbortMultipartUploadCommand({ Bucket: bucket, Key: key, UploadId: id }),
        abortOptions(signal),
      )
    }
  }
}
