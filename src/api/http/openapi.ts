/** The OpenAPI 3.1 document, generated from the registry, so that it cannot differ from what is enforced. */
import * as z from 'zod'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi'
import { alertCall } from '../contract/alerts.ts'
import { CONTRACT_VERSION, DISCLAIMER, SERVICE_NAME } from '../contract/identity.ts'
import { TAGS, type Tag } from '../contract/tags.ts'
import { challengeCall, changeCall } from '../contract/webhooks.ts'
import { CACHE_TIMES, type Endpoint, endpointStatus, KEY_IN_QUERY, successStatus } from './endpoint.ts'
import { KEY_PARAMETER } from './identify-caller.ts'
import { errorResponses, replyResponse } from './openapi-responses.ts'
import { addDefaults, describeParameters, shareParameters } from './openapi-shared.ts'

interface OpenapiOptions {
  /** `https://energy.example/v1`; relative to the document if the service does not know its own URL. */
  serverUrl: string
  comingEndpoints: ReadonlySet<string>
}

const DESCRIPTION = `Italian wholesale energy prices and derived indices: the electricity price PUN, the gas price PSV, and TTF, Brent and CO2 beside them.

Market days are calendar days in Europe/Rome. A missing value is never 0. Clients must ignore fields they do not know.

Every answer carries \`X-Request-Id\` and the limits: \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\`, \`X-RateLimit-Reset\` and, where there is a
monthly quota, \`X-Quota-Remaining\`. What is read carries \`Cache-Control\` and an \`ETag\`; ask again with \`If-None-Match\`.

${DISCLAIMER}`

const KEY_DESCRIPTION = 'An API key, `svc_live_` and 32 characters.'
const CSV_KEY_DESCRIPTION = 'The same key, for CSV and calendars in tools that cannot set headers.'

export function openapiDocument(registry: readonly Endpoint[], options: OpenapiOptions) {
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: SERVICE_NAME,
        version: CONTRACT_VERSION,
        description: DESCRIPTION,
        contact: { name: SERVICE_NAME, url: URL.parse('/docs', options.serverUrl)?.href ?? '/docs' },
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: options.serverUrl }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      paths: paths(registry, options),
      webhooks: webhookPaths(),
      components: {
        securitySchemes: {
          key: { type: 'http', scheme: 'bearer', description: KEY_DESCRIPTION },
          csvKey: { type: 'apiKey', in: 'query', name: KEY_PARAMETER, description: CSV_KEY_DESCRIPTION },
        },
      },
    },
    {
      override: ({ jsonSchema, io }) => {
        // Answers may gain fields within v1, so the document must not forbid them; our own tests do.
        if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
        // Every response and every body has one example as a whole. A schema used by both must be identical, or it would be defined twice.
        if (io === 'output' || 'id' in jsonSchema) delete jsonSchema.example
        // `format` suffices; a regular expression for calendar dates does not help readers.
        if (jsonSchema.format === 'date' || jsonSchema.format === 'date-time') delete jsonSchema.pattern
        // JavaScript's limits of integers are not part of the contract.
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      },
    },
  )
  addDefaults(document, registry)
  for (const { post } of Object.values(document.webhooks ?? {})) {
    const received = post?.responses?.['2XX']
    if (post === undefined || received === undefined || !('content' in received)) continue
    post.requestBody = { required: true, content: received.content ?? {} }
    delete received.content
  }
  describeParameters(document)
  shareParameters(document)
  return document
}

function paths(registry: readonly Endpoint[], options: OpenapiOptions): ZodOpenApiPathsObject {
  const byPath = Map.groupBy(registry, (endpoint) => endpoint.path)
  return Object.fromEntries(
    [...byPath].map(([path, endpoints]) => [
      path,
      Object.fromEntries(endpoints.map((endpoint) => [endpoint.method, operation(endpoint, options)])),
    ]),
  )
}

/** Headers of every call; after a rotation there is also `X-SVC-Signature-Previous`. */
const CALL_HEADERS = z.object({
  'X-SVC-Signature': z
    .string()
    .meta({ description: 'Hexadecimal HMAC-SHA256 of the raw body, keyed with the signing secret.' }),
  'webhook-id': z.string().meta({ description: 'Identifier of the event, the same at every attempt.' }),
  'webhook-timestamp': z.string().meta({ description: 'When this attempt was made, in seconds since 1970.' }),
  'webhook-signature': z.string().meta({ description: 'Signature of Standard Webhooks, `v1,…`.' }),
})

/** Calls from the service to receivers. Like a response, a call may gain fields, so it is declared as one and then moved to the request. */
function webhookPaths(): ZodOpenApiPathsObject {
  const call = (operationId: string, tag: Tag, summary: string, payload: z.ZodType) => ({
    post: {
      operationId,
      tags: [tag],
      summary,
      security: [],
      requestParams: { header: CALL_HEADERS },
      responses: {
        '2XX': {
          description: 'Received, within 10 seconds. Any other answer is a failure, and the call is repeated.',
          content: { 'application/json': { schema: payload } },
        },
      },
    },
  })
  return {
    alert: call('receiveAlert', 'Alerts', 'Receive an alert', alertCall),
    change: call('receiveChange', 'Webhooks', 'Receive a change', changeCall),
    challenge: call('receiveChallenge', 'Webhooks', 'Return a challenge', challengeCall),
  }
}

function operation(endpoint: Endpoint, options: OpenapiOptions): ZodOpenApiOperationObject {
  return {
    operationId: endpoint.id,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: endpoint.description,
    deprecated: endpoint.deprecation ? true : undefined,
    security: securityOf(endpoint),
    requestParams: { path: endpoint.pathSchema, query: endpoint.query },
    ...(endpoint.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: endpoint.body, example: endpoint.body.meta()?.example } },
      },
    }),
    responses: { [successStatus(endpoint)]: replyResponse(endpoint), ...errorResponses(endpoint) },
    'x-min-plan': endpoint.plan,
    'x-status': endpointStatus(endpoint, options.comingEndpoints),
    'x-interval-days-max': endpoint.intervalDaysMax,
    'x-cache-seconds': CACHE_TIMES[endpoint.cache],
  }
}

/** Open endpoints accept a key too: its plan's history and limits then apply. */
function securityOf(endpoint: Endpoint): Record<string, string[]>[] {
  const withKey: Record<string, string[]>[] = endpoint.formats.some((format) => KEY_IN_QUERY.includes(format))
    ? [{ key: [] }, { csvKey: [] }]
    : [{ key: [] }]
  return endpoint.plan === 'Open' ? [{}, ...withKey] : withKey
}
