/**
 * Finished files in an S3-compatible store, downloaded from there by presigned addresses. An object appears when its upload is
 * complete; what a killed upload leaves is no object, and is ended by the next export.
 */
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { S3Config } from '../config/config.ts'
import type { FileStore } from './file-store.ts'

const PART_BYTES = 8 * 1024 * 1024

export function s3Store({ bucket, prefix, region, endpoint, pathStyle, credentials }: S3Config): FileStore {
  const client = new S3Client({
    region,
    forcePathStyle: pathStyle,
    ...(endpoint && { endpoint: endpoint.href }),
    ...(credentials && {
      credentials: { accessKeyId: credentials.id, secretAccessKey: credentials.secret.reveal() },
    }),
    // Checksums beyond what S3 asks for are not understood by every compatible store.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  const keyOf = (name: string) => `${prefix}${name}`

  return {
    async put(file, name, { mediaType }) {
      await endAbandonedUploads()
      const params = { Bucket: bucket, Key: keyOf(name), Body: createReadStream(file), ContentType: mediaType }
      await new Upload({ client, params, partSize: PART_BYTES, queueSize: 1 }).done()
      await rm(file)
    },

    async remove(name) {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: keyOf(name) }))
    },

    async namesBefore(instant) {
      const names: string[] = []
      for (let token: string | undefined; ; ) {
        const page = await client.send(
          new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ...(token && { ContinuationToken: token }) }),
        )
        for (const { Key: key, LastModified: modified } of page.Contents ?? [])
          if (key !== undefined && modified !== undefined && modified.getTime() < instant.epochMilliseconds)
            names.push(key.slice(prefix.length))
        token = page.NextContinuationToken
        if (token === undefined) return names
      }
    },

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

  /** Of processes that died: one under way in another worker is younger than a day. */
  async function endAbandonedUploads(): Promise<void> {
    const yesterday = Temporal.Now.instant().subtract({ hours: 24 }).epochMilliseconds
    const { Uploads: uploads = [] } = await client.send(
      new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix }),
    )
    for (const { Key: key, UploadId: id, Initiated: at } of uploads) {
      if (key === undefined || id === undefined || at === undefined || at.getTime() > yesterday) continue
      await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key: key, UploadId: id }))
    }
  }
}
