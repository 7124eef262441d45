/** A value, or a promise of it, so that answers from memory do not wait, not even for a microtask. */
export type Awaitable<T> = T | Promise<T>

/** Applies `work` to the value, synchronously if it is not a promise. */
export function thenSync<T, R>(value: Awaitable<T>, work: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(work) : work(value)
}

/** Returns a function that calls `make` once and shares its result with later calls; after a failure the next call tries again. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let cached: Promise<T> | undefined
  return () => {
    cached ??= make().catch((err) => {
      cached = undefined
      throw err
    })
    return cached
  }
}
