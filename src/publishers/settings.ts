/** Environment variables of publishers that are fetched from: their schemas, each with a description for the README. */
import { z } from 'zod'
import { Secret } from '../platform/secret.ts'

export function credential(about: string) {
  return z
    .string()
    .min(1)
    .transform((text) => new Secret(text))
    .optional()
    .describe(`${about}; never logged`)
}

export function address(about: string) {
  return z
    .url({ protocol: /^https?$/ })
    .transform((text) => new URL(text))
    .optional()
    .describe(about)
}

/** Variables of every publisher, after a prefix made from its id: `GME_MGP_ADDRESS`. */
export const COMMON_VARIABLES = {
  ADDRESS: address("another address in place of the publisher's, such as a mirror"),
  HISTORY_FROM: z.iso
    .date('must be a day such as 2025-10-01')
    .transform((text) => Temporal.PlainDate.from(text))
    .optional()
    .describe('first market day to be fetched'),
  REDISTRIBUTABLE: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional()
    .describe('whether its values may be passed on in bulk, in place of what its terms say'),
  REQUESTS_PER_DAY: wholeNumber(1, 1_000_000).optional().describe('requests of a day, in place of the usual budget'),
  INTERVAL_MS: wholeNumber(0, 3_600_000)
    .optional()
    .describe('least time between two requests, in place of the usual and of limits per hour'),
}

/** Settings by variable name; the common ones without their prefix. */
export type CommonSettings = Readonly<z.output<z.ZodObject<typeof COMMON_VARIABLES>>>
export type Settings = CommonSettings & Readonly<Record<string, unknown>>

/** Publishers named in `SOURCES`, and by id the settings of every publisher that can be fetched from. */
export interface SourcesConfig {
  enabled: ReadonlySet<string>
  bySource: Readonly<Record<string, Settings>>
}

/** A publisher's own variables. */
interface HasVariables {
  id: string
  fetching: { needs: z.ZodRawShape; variables: z.ZodRawShape } | undefined
}

/** Returns the schemas of the publisher's variables by full name; none if it is not fetched from. */
export function variablesOf({ id, fetching }: HasVariables): z.ZodRawShape {
  if (fetching === undefined) return {}
  const common = Object.entries(COMMON_VARIABLES).map(([name, shape]) => [prefixOf(id) + name, shape])
  return { ...fetching.needs, ...fetching.variables, ...Object.fromEntries(common) }
}

/** Returns the settings of a publisher from variables that its schemas have parsed. */
export function settingsOf({ id, fetching }: HasVariables, env: Readonly<Record<string, unknown>>): Settings {
  const own = Object.keys({ ...fetching?.needs, ...fetching?.variables })
  return Object.fromEntries([
    ...Object.keys(COMMON_VARIABLES).map((name) => [name, env[prefixOf(id) + name]]),
    ...own.map((name) => [name, env[name]]),
  ]) as Settings
}

function prefixOf(id: string): string {
  return `${id.toUpperCase().replaceAll('-', '_')}_`
}

/** Schema of a whole-number variable, with a clear message for any other value. */
export function wholeNumber(min: number, max?: number) {
  const message = `must be a whole number${max === undefined ? `, at least ${min}` : ` from ${min} to ${max}`}`
  const number = z.coerce.number(message).int(message).min(min, message)
  return max === undefined ? number : number.max(max, message)
}
