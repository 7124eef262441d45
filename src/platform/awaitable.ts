/** A value that is here already, or a promise of it: what is answered from memory does not wait, not even for a microtask. */
export type Awaitable<T> = T | Promise<T>

/** Does the work with the value, at once where it is here. */
export function thenSync<T, R>(value: Awaitable<T>, work: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(work) : work(value)
}

/** The answer of its first call at every call; that of the next one where it failed. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch((err) => {
      made = undefined
      throw err
    })
    return made
  }
}
