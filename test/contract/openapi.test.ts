import { readFileSync } from 'node:fs'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { RATE_HEADERS } from '../../src/api/contract/headers.ts'
import { endpoints } from '../../src/api/endpoints/index.ts'
import { type Endpoint, successStatus } from '../../src/api/http/endpoint.ts'
import { resolveParameter } from '../../src/api/http/openapi-shared.ts'
import { committedOpenapi, OPENAPI_FILE } from '../../src/web/openapi-file.ts'
import { OpenapiValidator } from '../support/openapi-validator.ts'

interface Described {
  name: string
  description?: string
  schema: { description?: string }
}

const document = JSON.parse(committedOpenapi())

/** Keys are optional for the plan Open; the query parameter is for CSV and calendars only. Spec: "Authentication". */
function securityOf({ plan, formats }: Endpoint): object[] {
  return [
    ...(plan === 'Open' ? [{}] : []),
    { key: [] },
    ...(formats.some((format) => ['csv', 'ics'].includes(format)) ? [{ csvKey: [] }] : []),
  ]
}

/** The schemas that these parts of the document reference, directly and transitively, as text. */
function schemasOf(parts: unknown[], seen = new Set<string>()): string[] {
  const references = [...JSON.stringify(parts).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) =>
    String(name),
  )
  const fresh = [...new Set(references)].filter((name) => !seen.has(name))
  for (const name of fresh) seen.add(name)
  const schemas = fresh.map((name) => document.components.schemas[name])
  return fresh.length === 0 ? [] : [...schemas.map((schema) => JSON.stringify(schema)), ...schemasOf(schemas, seen)]
}

describe('the OpenAPI document', () => {
  it('passes a public linter without an error', async () => {
    const config = await createConfig({ extends: ['recommended'] })
    const problems = await lintFromString({ source: committedOpenapi(), absoluteRef: 'openapi.json', config })
    const errors = problems.filter((problem) => problem.severity === 'error')
    expect(errors.map((problem) => `${problem.ruleId}: ${problem.message}`)).toEqual([])
  })

  it('is the one kept in the project; `npm run openapi` writes it', () => {
    const kept = JSON.stringify(JSON.parse(readFileSync(OPENAPI_FILE, 'utf8')))
    expect(kept === JSON.stringify(document), 'src/web/openapi.json is stale').toBe(true)
  })

  it('stays below 325 kB and defines shared parts only once', () => {
    expect(Buffer.byteLength(JSON.stringify(document))).toBeLessThan(325_000) // a sixth are the headers of each response
    const twofold = Object.keys(document.components.schemas).filter((name) => name.endsWith('Output'))
    expect(twofold, 'one schema for requests, another for answers').toEqual([])
    const unshared = endpoints.flatMap(({ id, path, method }) =>
      Object.entries(document.paths[path][method].responses)
        .filter(([status, response]) => Number(status) >= 300 && !Object.hasOwn(response as object, '$ref'))
        .map(([status]) => `${id} ${status}`),
    )
    expect(unshared).toEqual([])
    const parameters = Map.groupBy(
      endpoints.flatMap(({ path, method }) => document.paths[path][method].parameters ?? []),
      (parameter) => JSON.stringify(parameter),
    )
    const repeated = [...parameters].filter(([text, uses]) => uses.length > 1 && !text.startsWith('{"$ref"'))
    expect(repeated.map(([text]) => text)).toEqual([])
  })

  it('describes the common response headers and declares them for every operation', () => {
    for (const name of ['X-Request-Id', ...RATE_HEADERS]) {
      expect(document.info.description).toContain(`\`${name}\``)
      expect(document.components.responses['429'].headers).toHaveProperty(name)
      for (const { path, method, ...one } of endpoints)
        expect(document.paths[path][method].responses[successStatus(one)].headers, path).toHaveProperty(name)
    }
  })

  it('declares exactly the tags it uses', () => {
    const used = new Set(endpoints.map(({ tag }) => tag))
    expect(document.tags.map(({ name }: { name: string }) => name).sort()).toEqual([...used].sort())
  })

  it('is version 1.0.0 of an OpenAPI 3.1 description, with a licence and a contact', () => {
    const info = { version: '1.0.0', license: { identifier: 'Apache-2.0' }, contact: { url: '/docs' } }
    expect(document).toMatchObject({ openapi: '3.1.0', info })
    expect(document.info.description).toContain('not financial advice')
  })

  it.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))('describes %s fully', (_id, endpoint) => {
    const operation = document.paths[endpoint.path][endpoint.method]
    expect(operation).toMatchObject({
      operationId: endpoint.id,
      'x-min-plan': endpoint.plan,
      'x-status': endpoint.status,
      security: securityOf(endpoint),
    })
    expect(Object.keys(operation.responses)).toEqual(
      expect.arrayContaining([String(successStatus(endpoint)), '400', '500', '503']),
    )
    expect('304' in operation.responses, 'only what is read, and ends, can be unchanged').toBe(
      endpoint.method === 'get' && endpoint.stream === undefined,
    )
    const { headers = {} } = operation.responses[successStatus(endpoint)]
    expect(Object.keys(headers)).toEqual(expect.arrayContaining([...(endpoint.headerNames ?? [])]))
    for (const parameter of operation.parameters ?? []) {
      const { name, description, schema } = resolveParameter<Described>(parameter, document)
      expect(description ?? schema.description, `description of ${name}`).toBeTruthy()
    }
  })

  it.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))(
    'has an example for %s that matches its schema',
    (_id, endpoint) => {
      expect(endpoint.reply.safeParse(endpoint.example)).toMatchObject({ success: true })
      const content = document.paths[endpoint.path][endpoint.method].responses[successStatus(endpoint)].content ?? {}
      const validator = new OpenapiValidator(document)
      for (const [contentType, { example }] of Object.entries<{ example: unknown }>(content)) {
        if (example === undefined) continue // binary formats have none
        const body = typeof example === 'string' ? example : JSON.stringify(example)
        const url = endpoint.path.replace(/\{\w+\}/, 'pun')
        const check = () =>
          validator.check({ method: endpoint.method, url, status: successStatus(endpoint), contentType, body })
        expect(check).not.toThrow()
      }
    },
  )

  it('has parameter and body examples that match their schemas', () => {
    const wrong: string[] = []
    const ajv = new Ajv2020({ strict: false })
    addFormats.default(ajv)
    ajv.addSchema(document, 'openapi')
    const look = (value: unknown, pointer: string) => {
      if (typeof value !== 'object' || value === null) return
      if ('example' in value && 'type' in value && typeof value.type === 'string') {
        const check = ajv.getSchema(`openapi#${pointer}`)
        if (check && !check(value.example)) wrong.push(`${pointer}: ${JSON.stringify(value.example)}`)
      }
      for (const [name, inner] of Object.entries(value)) {
        if (name !== 'example')
          look(inner, `${pointer}/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
      }
    }
    look(document, '')
    expect(wrong).toEqual([])
  })

  it.each(['alert', 'change', 'challenge'])('describes the webhook request for %s', (name) => {
    const { parameters, requestBody } = document.webhooks[name].post
    const headers = parameters.map((parameter: Described | { $ref: string }) => resolveParameter(parameter, document))
    expect(headers).toMatchObject([{ name: 'X-SVC-Signature', in: 'header' }, {}, {}, {}])
    const [schema] = schemasOf([requestBody])
    expect(Object.keys(JSON.parse(schema ?? '').properties)).toContain('type')
  })

  it('allows additional fields in responses but not in requests', () => {
    const answers = [document.webhooks, ...endpoints.map(({ path, method }) => document.paths[path][method].responses)]
    expect(schemasOf(answers).filter((schema) => schema.includes('"additionalProperties":false'))).toEqual([])
    const requests = endpoints.flatMap(({ path, method }) => document.paths[path][method].requestBody ?? [])
    const bodies = schemasOf(requests).filter((schema) => JSON.parse(schema).type === 'object')
    for (const schema of bodies) expect(schema).toContain('"additionalProperties":false')
  })
})
