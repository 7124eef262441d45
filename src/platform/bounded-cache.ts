/** A cache that forgets what was not used for longest. Its memory grows with what is in it; LRUCache's own `max` takes that of all entries at once. */
import { LRUCache } from 'lru-cache'

export function boundedCache<Value extends {}>(entriesMax: number): LRUCache<string, Value> {
  return new LRUCache({ maxSize: entriesMax, sizeCalculation: () => 1 })
}
