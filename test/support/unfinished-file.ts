import { watch } from 'node:fs/promises'

/** Resolves when a partial file appears in the folder, even if it is renamed soon after. */
export async function untilPartialFile(folder: string): Promise<void> {
  for await (const { filename } of watch(folder)) if (filename?.endsWith('.part')) return
}
