/** What a fault did to the service, sentence by sentence. */
export interface Finding {
  /** What is promised, in words. */
  promise: string
  held: boolean
  /** What was seen, with figures. */
  seen: string
}

/** A fault that could not be made here, such as for want of rights. */
export class CannotBeMade extends Error {
  override name = 'CannotBeMade'
}
