/** How to call an operation, for its documentation. The address and the key are placeholders. */
import type * as z from 'zod'
import type { Endpoint } from './endpoint.ts'

const BASE = 'https://energy.example/v1'
const KEY = '<API_KEY>'

interface CodeSample {
  lang: string
  label: string
  source: string
}

interface Call {
  url: string
  method: string
  isKeyed: boolean
  /** JSON. */
  body: string | undefined
}

/** The simplest call: what is required takes its documented example, the key goes into the header where one is needed. */
export function codeSamples(endpoint: Endpoint): CodeSample[] {
  const call: Call = {
    url: BASE + filledPath(endpoint) + requiredQuery(endpoint),
    method: endpoint.method.toUpperCase(),
    isKeyed: endpoint.plan !== 'Open',
    body: exampleBody(endpoint),
  }
  return [
    { lang: 'Shell', label: 'curl', source: curl(call) },
    { lang: 'JavaScript', label: 'JavaScript', source: javascript(call) },
    { lang: 'Python', label: 'Python', source: python(call) },
  ]
}

function filledPath(endpoint: Endpoint): string {
  return endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => exampleOf(endpoint, endpoint.pathSchema, name))
}

function requiredQuery(endpoint: Endpoint): string {
  const required = Object.entries(endpoint.query.shape).filter(([, schema]) => !schema.safeParse(undefined).success)
  const query = new URLSearchParams(required.map(([name]) => [name, exampleOf(endpoint, endpoint.query, name)]))
  return query.size === 0 ? '' : `?${query}`
}

function exampleOf(endpoint: Endpoint, schema: z.ZodObject, name: string): string {
  const example = schema.shape[name]?.meta()?.example
  if (typeof example === 'string' || typeof example === 'number') return String(example)
  throw new Error(`${endpoint.id}: the parameter ${name} has no example`)
}

function exampleBody({ body }: Endpoint): string | undefined {
  const example = body?.meta()?.example
  return example === undefined ? undefined : JSON.stringify(example)
}

function curl({ url, method, isKeyed, body }: Call): string {
  return [
    'curl',
    method === 'GET' ? '' : `-X ${method}`,
    isKeyed ? `-H 'Authorization: Bearer ${KEY}'` : '',
    body === undefined ? '' : `-H 'Content-Type: application/json' -d '${body.replaceAll("'", `'\\''`)}'`,
    `'${url}'`,
  ]
    .filter((part) => part !== '')
    .join(' ')
}

function javascript({ url, method, isKeyed, body }: Call): string {
  const headers = [
    isKeyed ? `Authorization: 'Bearer ${KEY}'` : '',
    body === undefined ? '' : `'Content-Type': 'application/json'`,
  ].filter((part) => part !== '')
  const options = [
    method === 'GET' ? '' : `method: '${method}'`,
    headers.length === 0 ? '' : `headers: { ${headers.join(', ')} }`,
    body === undefined ? '' : `body: JSON.stringify(${body})`,
  ].filter((part) => part !== '')
  const second = options.length === 0 ? '' : `, { ${options.join(', ')} }`
  return `const response = await fetch('${url}'${second})\nconst data = await response.json()`
}

function python({ url, method, isKeyed, body }: Call): string {
  const headers = isKeyed ? `, headers={"Authorization": "Bearer ${KEY}"}` : ''
  const json = body === undefined ? '' : `, json=${body}`
  return `import requests\n\ndata = requests.${method.toLowerCase()}("${url}"${headers}${json}).json()`
}
