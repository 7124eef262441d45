/** A fair lock within one thread, granted in the order of the requests. */
export class Mutex {
  #last: Promise<void> = Promise.resolve()

  /** Waits for the lock and returns the function that releases it; call that exactly once. */
  async acquire(): Promise<() => void> {
    const previous = this.#last
    const turn = Promise.withResolvers<void>()
    this.#last = turn.promise
    await previous
    return turn.resolve
  }
}
