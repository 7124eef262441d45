/** The effect of a fault on the service, one promise each. */
export interface Finding {
  /** The promise, as a sentence. */
  promise: string
  isMet: boolean
  /** The observation, with figures. */
  seen: string
}

/** Thrown if a fault cannot be produced here, for example for lack of privileges. */
export class CannotBeMade extends Error {
  override name = 'CannotBeMade'
}
