/** How answers name where their values come from. Spec: "Attribution"; synthetic data says so by its source's name. */
import { SERVICE_NAME } from '../contract/identity.ts'
import { sourceById } from '../sources/index.ts'
import type { SourceDefinition } from '../sources/source.ts'

/** Names of the sources, each once, in the order given: `A; B`. */
export function sourceNames(ids: readonly string[]): string {
  return [...new Set(ids.map((id) => definitionOf(id).name))].join('; ')
}

/** Address of the first source; our own pages are below the base address. */
export function sourceUrl(ids: readonly string[], baseUrl: URL): string {
  const [first] = ids
  if (first === undefined) throw new Error('a value without a source')
  const { url } = definitionOf(first)
  return url.startsWith('/') ? new URL(url, baseUrl).href : url
}

/** `Source: …, via Italian Energy Prices, https://energy.example/`; without sources only the service is named. */
export function attributionText(ids: readonly string[], baseUrl: URL): string {
  const service = `${SERVICE_NAME}, ${baseUrl.origin}/`
  return ids.length === 0 ? service : `Source: ${sourceNames(ids)}, via ${service}`
}

function definitionOf(id: string): SourceDefinition {
  const definition = sourceById(id)
  if (!definition) throw new Error(`a value names the source "${id}", which src/sources/index.ts does not list`)
  return definition
}
