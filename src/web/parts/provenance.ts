import { sampleSource } from '../../publishers/sample/index.ts'

/** Whether an answer's `source` says that its values are invented. */
export function isSynthetic(source: string | undefined): boolean {
  return source?.split('; ').includes(sampleSource.name) ?? false
}
