import { sampleSource } from '../../publishers/sample/index.ts'

/** Whether the `source` of a response says that its values are synthetic. */
export function isSynthetic(source: string | undefined): boolean {
  return source?.split('; ').includes(sampleSource.name) ?? false
}
