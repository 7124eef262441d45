/** The JSON body of every error. Spec: "Errors". */
import * as z from 'zod'
import type { ApiError } from './errors.ts'
import { ERROR_CODES } from './errors.ts'
import { PLAN_NAMES } from './plans.ts'

export const errorBody = z
  .strictObject({
    error: z.enum(ERROR_CODES).meta({ description: 'Machine code.', example: 'invalid_parameter' }),
    message: z.string().meta({ description: 'Human-readable text.', example: 'from must not be empty.' }),
    required_tier: z.enum(PLAN_NAMES).optional().meta({ description: 'Needed plan, on `tier_required`.' }),
    param: z.string().optional().meta({ description: 'Offending parameter, on `invalid_parameter`.', example: 'from' }),
    docs: z.string().optional().meta({ description: 'Link to the paragraph about this error.' }),
  })
  .meta({ id: 'Error', description: 'What went wrong, for a program and for a person.' })

type ErrorBody = z.infer<typeof errorBody>

/** Fields without a value are left out, never null. */
export function toErrorBody(err: ApiError, baseUrl: URL): ErrorBody {
  return {
    error: err.code,
    message: err.message,
    required_tier: err.requiredTier,
    param: err.param,
    docs: new URL(`/docs/errors#${err.code}`, baseUrl).href,
  }
}
