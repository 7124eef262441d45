/** The index at the API base: every endpoint, its plan, and how long its responses may be cached. */
import * as z from 'zod'
import * as field from './fields.ts'
import { FORMATS, PLAN_NAMES } from './plans.ts'

const entry = z
  .strictObject({
    method: z.enum(['GET', 'POST', 'PATCH', 'DELETE']).meta({ example: 'GET' }),
    path: field.text('Relative to the API base.', '/pun/today'),
    summary: z.string().meta({ example: 'PUN of today' }),
    plan: z.enum(PLAN_NAMES).meta({ description: 'Minimum plan.', example: 'Open' }),
    status: z.enum(['live', 'coming']).meta({
      description: '`coming`: the contract is published, but the endpoint does not answer yet.',
      example: 'live',
    }),
    cache_seconds: field.count('How long a response may be cached; 0: not at all.', 900),
    formats: z.array(z.enum(FORMATS)).meta({ example: ['json'] }),
  })
  .meta({ id: 'EndpointEntry' })

export const endpointIndex = z
  .strictObject({
    name: field.text('Name of the service.'),
    version: field.text('Version of the contract.', '1.0.0'),
    openapi: field.text('Address of the OpenAPI document.', 'https://energy.example/v1/openapi.json'),
    docs: field.text('Address of the documentation.', 'https://energy.example/v1/docs/'),
    disclaimer: z.string(),
    endpoints: z.array(entry),
  })
  .meta({ id: 'EndpointIndex', description: 'Every endpoint of the service.' })

export type EndpointIndex = z.infer<typeof endpointIndex>
