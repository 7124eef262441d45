/** What the environment says of the publishers that are fetched from. */
import type { z } from 'zod'
import type { Publisher } from './publisher.ts'
import { COMMON_VARIABLES, type CommonSettings } from './variables.ts'

export type Settings = CommonSettings & Readonly<Record<string, unknown>>

/** Which publishers are named in `SOURCES`, and the settings of all that are fetched from, by id. */
export interface SourcesConfig {
  wanted: ReadonlySet<string>
  bySource: Readonly<Record<string, Settings>>
}

/** Shapes of the publisher's variables by their full names; none where nothing is fetched. */
export function variablesOf({ id, fetching }: Pick<Publisher, 'id' | 'fetching'>): z.ZodRawShape {
  if (fetching === undefined) return {}
  const common = Object.entries(COMMON_VARIABLES).map(([name, shape]) => [prefixOf(id) + name, shape])
  return { ...fetching.needs, ...fetching.variables, ...Object.fromEntries(common) }
}

/** The settings of a publisher, from variables that have passed its shapes. */
export function settingsOf(publisher: Publisher, env: Readonly<Record<string, unknown>>): Settings {
  const own = Object.keys({ ...publisher.fetching?.needs, ...publisher.fetching?.variables })
  return Object.fromEntries([
    ...Object.keys(COMMON_VARIABLES).map((name) => [name, env[prefixOf(publisher.id) + name]]),
    ...own.map((name) => [name, env[name]]),
  ]) as Settings
}

function prefixOf(id: string): string {
  return `${id.toUpperCase().replaceAll('-', '_')}_`
}
