/** Files that commands write are new: what is there already is never overwritten. */
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { UsageError } from './command.ts'

/** Before the work begins, so that it is not done in vain. */
export async function refuseToOverwrite(file: string): Promise<void> {
  if ((await stat(file).catch(() => undefined)) !== undefined) throw new UsageError(`${file} exists already`)
  const folder = path.dirname(file)
  const found = await stat(folder).catch(() => undefined)
  if (!found?.isDirectory()) throw new UsageError(`there is no folder ${folder}`)
}
