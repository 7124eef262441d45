import { watch } from 'node:fs/promises'

/** Resolves when a file that is being written appears in the folder, however soon it is whole and has its name. */
export async function unfinishedFileIn(folder: string): Promise<void> {
  for await (const { filename } of watch(folder)) if (filename?.endsWith('.part')) return
}
