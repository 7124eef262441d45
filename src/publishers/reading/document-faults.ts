/** Faults of rows that belong to no day, such as an impossible date: each text once, and not for ever. */
import { type FaultCode, UnreadableDocument } from '../faults.ts'
import type { DocumentFault } from '../observations.ts'

const FAULTS_PER_DOCUMENT = 100

export class DocumentFaults {
  readonly #seen = new Set<string>()

  /** The fault to yield, undefined where the same text was reported before. Gives up on a document that has nothing else. */
  report(code: FaultCode, place: string, detail: string): DocumentFault | undefined {
    if (this.#seen.has(detail)) return undefined
    if (this.#seen.size >= FAULTS_PER_DOCUMENT) {
      throw new UnreadableDocument(place, `more than ${FAULTS_PER_DOCUMENT} rows belong to no day, reading stops here`)
    }
    this.#seen.add(detail)
    return { kind: 'document-fault', fault: { code, place, detail } }
  }
}
