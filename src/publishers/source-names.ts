/** How sources are called wherever their values are shown. */
import { sourceById } from './index.ts'
import type { SourceDefinition } from './source.ts'

/** Names of the sources, each once, in the order given: `A; B`. */
export function sourceNames(ids: readonly string[]): string {
  return [...new Set(ids.map((id) => sourceDefinition(id).name))].join('; ')
}

/** Throws where a value names a source that is not listed. */
export function sourceDefinition(id: string): SourceDefinition {
  const definition = sourceById(id)
  if (!definition) throw new Error(`a value names the source "${id}", which src/publishers/index.ts does not list`)
  return definition
}
