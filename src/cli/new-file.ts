/** Files that commands write are new: an existing file is never overwritten. */
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { UsageError } from './command.ts'

/** Checked before the work starts. */
export async function refuseToOverwrite(file: string): Promise<void> {
  if ((await stat(file).catch(() => undefined)) !== undefined) throw new UsageError(`${file} exists already`)
  const folder = path.dirname(file)
  const found = await stat(folder).catch(() => undefined)
  if (!found?.isDirectory()) throw new UsageError(`there is no folder ${folder}`)
}
