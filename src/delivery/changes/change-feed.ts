/** Reads the change log once for all listeners of the process. */
import type { Change, ChangeFilter, ChangeLog, ChangeStore } from '../../store/changes.ts'

const READ_MAX = 500

export interface ChangeFeed extends ChangeStore {
  /**
   * Passes every change from now on to the listener, in order and once; resolves with a function that unsubscribes it. Changes read
   * afterwards with `after` and changes passed to the listener may overlap, but leave no gap.
   */
  listen(listener: ChangeListener): Promise<() => void>
  /** Resolves once a change after the position passes the filter, the signal aborts, or the feed is closed. */
  next(position: number, filter: ChangeFilter, signal: AbortSignal): Promise<void>
  /** Ends all listeners and resolves all pending `next` calls. */
  close(): void
}

interface ChangeListener {
  onChanges(changes: readonly Change[], log: ChangeLog): void
  onEnd(): void
}

/** Whether a change passes the filter. A change without a dataset concerns all datasets, so it passes any dataset filter. */
export function matchesFilter({ kind, dataset, keyRoot }: Change, filter: ChangeFilter): boolean {
  const isOfDataset = filter.datasets === undefined || dataset === null || filter.datasets.includes(dataset)
  const isOfKind = filter.kinds === undefined || filter.kinds.includes(kind)
  return isOfDataset && isOfKind && (keyRoot === null || filter.keyRoot === undefined || keyRoot === filter.keyRoot)
}

interface ChangeFeedOptions {
  store: ChangeStore
  everyMs: number
  /** Called before listeners are notified, so that their next request is not answered from a stale cache. */
  beforeNotifying(): Promise<unknown>
  onError(error: unknown): void
}

export function changeFeed({ store, everyMs, beforeNotifying, onError }: ChangeFeedOptions): ChangeFeed {
  const listeners = new Set<ChangeListener>()
  /** The last position emitted. */
  let lastEmitted = 0
  /** Pending until `lastEmitted` is known; undefined while there are no listeners. */
  let started: Promise<void> | undefined
  let isClosed = false

  const after: ChangeStore['after'] = async (position, options) => {
    const page = await store.after(position, options)
    if (page.changes.length > 0) await beforeNotifying()
    return page
  }

  async function start(): Promise<void> {
    lastEmitted = (await store.log()).readable
    setTimeout(poll, everyMs)
  }

  async function poll(): Promise<void> {
    if (listeners.size > 0) await notifyListeners().catch(onError)
    if (listeners.size > 0) setTimeout(poll, everyMs)
    else started = undefined
  }

  async function notifyListeners(): Promise<void> {
    const { changes, log, next } = await after(lastEmitted, { limit: READ_MAX })
    for (const listener of changes.length > 0 ? listeners : []) listener.onChanges(changes, log)
    lastEmitted = next
    if (changes.length === READ_MAX) await notifyListeners()
  }

  async function listen(listener: ChangeListener): Promise<() => void> {
    const unsubscribe = () => {
      listeners.delete(listener)
    }
    listeners.add(listener)
    started ??= start()
    try {
      await started
    } catch (err) {
      unsubscribe()
      started = undefined
      throw err
    }
    if (isClosed) listener.onEnd()
    return unsubscribe
  }

  return {
    log: store.log,
    after,
    listen,
    async next(position, filter, signal) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const isNew = (change: Change) => change.position > position && matchesFilter(change, filter)
      const stopListening = await listen({
        onChanges: (changes) => {
          if (changes.some(isNew)) resolve()
        },
        onEnd: resolve,
      })
      try {
        signal.addEventListener('abort', () => resolve(), { once: true })
        // The change may have been committed before the listener was added.
        const { changes } = await store.after(position, { ...filter, limit: 1 })
        if (changes.length === 0 && !signal.aborted) await promise
      } finally {
        stopListening()
      }
    },
    close() {
      isClosed = true
      for (const listener of listeners) listener.onEnd()
      listeners.clear()
    },
  }
}
