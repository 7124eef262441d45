import { describe, expect, it } from 'vitest'
import { retryIfSampleDataWasReplaced } from '../../../../src/api/http/retry-if-sample-data-was-replaced.ts'

const END = { at: Temporal.Instant.from('2026-10-25T00:00:00Z'), removedPrices: 1 }

/** Computes a response from two prices; sample data end before the given read, counted from 0. */
async function answerAround(endsBefore: number) {
  let reads = 0
  let ended = endsBefore <= 0
  const read = () => {
    if (reads++ === endsBefore) ended = true
    return ended ? 'real' : 'sample'
  }
  const sampleData = { end: async () => (ended ? END : undefined) }
  const answer = await retryIfSampleDataWasReplaced(sampleData, async () => [read(), read()])
  return { answer, reads }
}

describe('a response computed while sample data end', () => {
  it.each([
    { endsBefore: 0, kind: 'real', reads: 2 },
    { endsBefore: 1, kind: 'real', reads: 4 },
    { endsBefore: 2, kind: 'sample', reads: 2 },
  ])('has values of one kind if sample data end before read $endsBefore', async ({ endsBefore, kind, reads }) => {
    expect(await answerAround(endsBefore)).toEqual({ answer: [kind, kind], reads })
  })
})
