/** A value that is here already, or a promise of it: what is answered from memory does not wait, not even for a microtask. */
export type Awaitable<T> = T | Promise<T>
