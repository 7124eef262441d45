import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll } from 'vitest'

/** A new, empty folder that is removed with the stack. */
export async function scratchFolder(stack: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A new, empty folder for all tests of the file that calls it; removed after the last. */
export async function scratchFolderOfFile(): Promise<string> {
  const stack = new AsyncDisposableStack()
  afterAll(() => stack.disposeAsync())
  return scratchFolder(stack)
}
