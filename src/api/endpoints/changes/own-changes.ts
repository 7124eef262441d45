import type { ChangeFeed } from '../../../delivery/changes/change-feed.ts'
import type { ChangeFilter } from '../../../store/changes.ts'
import type { Caller } from '../../http/caller.ts'

/** Of changes of keys a caller sees those of his own. */
export async function ownChanges(feed: ChangeFeed, { key }: Caller): Promise<Required<Pick<ChangeFilter, 'keyRoot'>>> {
  if (key === undefined) throw new Error('a caller without a key was admitted to changes')
  return { keyRoot: await feed.rootOf(key.id) }
}
