/** A fair lock within one thread: holders take turns in the order of their requests. */
export class Exclusive {
  #last: Promise<void> = Promise.resolve()

  /** Waits for its turn; the caller must call what it gets, once, to pass the turn on. */
  async acquire(): Promise<() => void> {
    const previous = this.#last
    const turn = Promise.withResolvers<void>()
    this.#last = turn.promise
    await previous
    return turn.resolve
  }
}
