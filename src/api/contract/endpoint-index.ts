/** The index at the API base: every endpoint, its plan, and how long its responses may be cached. */
import * as z from 'zod'
import { FORMATS, PLAN_NAMES } from './plans.ts'

const entry = z
  .strictObject({
    method: z.enum(['GET', 'POST', 'DELETE']).meta({ example: 'GET' }),
    path: z.string().meta({ description: 'Relative to the API base.', example: '/pun/today' }),
    summary: z.string().meta({ example: 'PUN of today' }),
    plan: z.enum(PLAN_NAMES).meta({ description: 'Minimum plan.', example: 'Open' }),
    status: z.enum(['live', 'coming']).meta({
      description: '`coming`: the contract is published, but the endpoint does not answer yet.',
      example: 'live',
    }),
    cache_seconds: z
      .int()
      .nonnegative()
      .meta({ description: 'How long a response may be cached; 0: not at all.', example: 900 }),
    formats: z.array(z.enum(FORMATS)).meta({ example: ['json'] }),
  })
  .meta({ id: 'EndpointEntry' })

export const endpointIndex = z
  .strictObject({
    name: z.string().meta({ description: 'Name of the service.' }),
    version: z.string().meta({ description: 'Version of the contract.', example: '1.0.0' }),
    openapi: z
      .string()
      .meta({ description: 'Address of the OpenAPI document.', example: 'https://energy.example/v1/openapi.json' }),
    docs: z.string().meta({ description: 'Address of the documentation.', example: 'https://energy.example/v1/docs/' }),
    disclaimer: z.string(),
    endpoints: z.array(entry),
  })
  .meta({ id: 'EndpointIndex', description: 'Every endpoint of the service.' })

export type EndpointIndex = z.infer<typeof endpointIndex>
