/**
 * The publishers that can be fetched from, as the environment configures them. All are off until `SOURCES` names them: a service that
 * was just installed calls nobody.
 */
import { z } from 'zod'
import { type SourcesConfig, settingsOf, variablesOf } from '../../publishers/settings.ts'
import { FETCHED_PUBLISHERS } from '../../publishers/sources.ts'

/** Shapes of all variables of sources, for env.ts. */
export const SOURCE_VARIABLES = {
  SOURCES: z.string().default(''),
  ...(Object.assign({}, ...FETCHED_PUBLISHERS.map(variablesOf)) as Record<never, never>),
}

/** What the variables mean; they have passed `SOURCE_VARIABLES`. */
export function readSourcesConfig({ SOURCES, ...env }: { SOURCES: string }): SourcesConfig {
  return {
    wanted: new Set(namesIn(SOURCES)),
    bySource: Object.fromEntries(FETCHED_PUBLISHERS.map((publisher) => [publisher.id, settingsOf(publisher, env)])),
  }
}

/** Checks across variables. */
export function contradictionsOfSources(stated: Partial<Record<string, string>>): string[] {
  const ids = FETCHED_PUBLISHERS.map(({ id }) => id)
  const unknown = namesIn(stated.SOURCES ?? '').filter((name) => !ids.includes(name))
  const torn = FETCHED_PUBLISHERS.flatMap(({ fetching }) => {
    const [first, ...others] = fetching?.together ?? []
    const isTorn = others.some((name) => (stated[name] === undefined) !== (stated[first ?? ''] === undefined))
    return isTorn ? [`${first}: needs ${others.join(', ')}, and vice versa`] : []
  })
  return [...unknown.map((name) => `SOURCES: there is no "${name}", only ${ids.join(', ')}`), ...new Set(torn)]
}

function namesIn(list: string): string[] {
  return list.split(/[\s,]+/).filter((name) => name !== '')
}
