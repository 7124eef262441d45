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
