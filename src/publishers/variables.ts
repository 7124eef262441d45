/** Environment variables of publishers: their shapes, each with its line for the README. */
import { z } from 'zod'
import { Secret } from '../platform/secret.ts'
import { wholeNumber } from '../platform/whole-number.ts'

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

/** What all have alike, behind a prefix of their own: `GME_MGP_ADDRESS`. */
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
  INTERVAL_MS: wholeNumber(0, 3_600_000).optional().describe('least time between two requests, in place of the usual'),
}

/** By the names of the variables, without the prefix of those that all have alike. */
export type CommonSettings = Readonly<z.output<z.ZodObject<typeof COMMON_VARIABLES>>>
