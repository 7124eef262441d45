/** How to call an operation, for its documentation. The address and the key are placeholders. */
import type { Endpoint } from './endpoint.ts'

const BASE = 'https://energy.example/v1'
const KEY = '<API_KEY>'

export interface CodeSample {
  lang: string
  label: string
  source: string
}

/** The simplest call: path parameters and body are the documented examples, the key goes into the header where one is needed. */
export function codeSamples(endpoint: Endpoint): CodeSample[] {
  const url = `${BASE}${endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => exampleOf(endpoint, name))}`
  const method = endpoint.method.toUpperCase()
  const isKeyed = endpoint.plan !== 'Open'
  const example = endpoint.body?.meta()?.example
  const body = example === undefined ? '' : JSON.stringify(example)
  return [
    { lang: 'Shell', label: 'curl', source: curl(url, method, isKeyed, body) },
    { lang: 'JavaScript', label: 'JavaScript', source: javascript(url, method, isKeyed, body) },
    { lang: 'Python', label: 'Python', source: python(url, method, isKeyed, body) },
  ]
}

function exampleOf(endpoint: Endpoint, name: string): string {
  const example = endpoint.pathSchema.shape[name]?.meta()?.example
  if (typeof example !== 'string') throw new Error(`${endpoint.id}: the path parameter ${name} has no example`)
  return example
}

function curl(url: string, method: string, isKeyed: boolean, body: string): string {
  return [
    'curl',
    method === 'GET' ? '' : `-X ${method}`,
    isKeyed ? `-H 'Authorization: Bearer ${KEY}'` : '',
    ...(body === '' ? [] : [`-H 'Content-Type: application/json' -d '${body.replaceAll("'", `'\\''`)}'`]),
    `'${url}'`,
  ]
    .filter((part) => part !== '')
    .join(' ')
}

function javascript(url: string, method: string, isKeyed: boolean, body: string): string {
  const headers = [
    isKeyed ? `Authorization: 'Bearer ${KEY}'` : '',
    body === '' ? '' : `'Content-Type': 'application/json'`,
  ].filter((part) => part !== '')
  const options = [
    method === 'GET' ? '' : `method: '${method}'`,
    headers.length === 0 ? '' : `headers: { ${headers.join(', ')} }`,
    body === '' ? '' : `body: JSON.stringify(${body})`,
  ].filter((part) => part !== '')
  const second = options.length === 0 ? '' : `, { ${options.join(', ')} }`
  return `const response = await fetch('${url}'${second})\nconst data = await response.json()`
}

function python(url: string, method: string, isKeyed: boolean, body: string): string {
  const headers = isKeyed ? `, headers={"Authorization": "Bearer ${KEY}"}` : ''
  const json = body === '' ? '' : `, json=${body}`
  return `import requests\n\ndata = requests.${method.toLowerCase()}("${url}"${headers}${json}).json()`
}
