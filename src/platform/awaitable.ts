/** A value that is here already, or a promise of it: what is answered from memory does not wait, not even for a microtask. */
export type Awaitable<T> = T | Promise<T>

/** Does the work with the value, at once where it is here. */
export function thenSync<T, R>(value: Awaitable<T>, work: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(work) : work(value)
}
