/** Opens the configured store. The S3 client is loaded only if it is used. */
import { mkdir } from 'node:fs/promises'
import type { Config } from '../../service/config/config.ts'
import type { FileStore } from './file-store.ts'
import { folderStore } from './folder-store.ts'

export async function openFileStore({ folder, s3 }: Config['bulk']): Promise<FileStore> {
  if (s3 === undefined) {
    await mkdir(folder, { recursive: true })
    return folderStore(folder)
  }
  const { s3Store } = await import('./s3-store.ts')
  return s3Store(s3)
}
