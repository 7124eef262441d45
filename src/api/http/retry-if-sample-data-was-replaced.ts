import type { SampleData } from '../../store/sample-data.ts'

/** Computes a response, and retries if publishers' values replaced sample data meanwhile, since it may mix both. */
export async function retryIfSampleDataWasReplaced<Answer>(
  sampleData: Pick<SampleData, 'end'>,
  make: () => Promise<Answer>,
): Promise<Answer> {
  const before = await sampleData.end()
  const answer = await make()
  return before === undefined && (await sampleData.end()) !== undefined ? make() : answer
}
