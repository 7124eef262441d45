import type { ChangeFilter, ChangeLog } from '../../../store/changes.ts'
import { readCursor } from '../../contract/changes.ts'
import { invalidParameter } from '../../contract/errors.ts'
import { type Caller, keyOf } from '../../http/caller.ts'

/** Returns the position of the cursor that `param` carried. Throws `invalid_parameter`, with a remedy, if it cannot be resumed from. */
export function positionAfter(text: string, log: ChangeLog, param = 'since'): number {
  const cursor = readCursor(text)
  if (cursor === undefined) throw invalidParameter(param, 'must be a cursor of an answer, unaltered, or latest')
  const again = 'Read everything again and resume from since=latest'
  if (cursor.logId !== log.id)
    throw invalidParameter(param, `is a cursor of another service, or of a database that has been replaced. ${again}`)
  if (cursor.position > log.position)
    throw invalidParameter(param, `is ahead of everything that has happened here: the database was restored. ${again}`)
  if (cursor.position < log.removed)
    throw invalidParameter(param, `is too old: the changes that follow it are no longer kept. ${again}`)
  return cursor.position
}

/** A caller sees only the changes of its own keys. */
export function ownChanges(caller: Caller): Required<Pick<ChangeFilter, 'keyRoot'>> {
  return { keyRoot: keyOf(caller).root }
}
