/** How to call an operation, for its documentation. The address and the key are placeholders. */
import type { Endpoint } from './endpoint.ts'

const BASE = 'https://energy.example/v1'
const KEY = '<API_KEY>'

export interface CodeSample {
  lang: string
  label: string
  source: string
}

/** The simplest call: path parameters take their documented example, the key goes into the header where one is needed. */
export function codeSamples(endpoint: Endpoint): CodeSample[] {
  const url = `${BASE}${endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => exampleOf(endpoint, name))}`
  const method = endpoint.method.toUpperCase()
  const isKeyed = endpoint.plan !== 'Open'
  return [
    { lang: 'Shell', label: 'curl', source: curl(url, method, isKeyed) },
    { lang: 'JavaScript', label: 'JavaScript', source: javascript(url, method, isKeyed) },
    { lang: 'Python', label: 'Python', source: python(url, method, isKeyed) },
  ]
}

function exampleOf(endpoint: Endpoint, name: string): string {
  const example = endpoint.pathSchema.shape[name]?.meta()?.example
  if (typeof example !== 'string') throw new Error(`${endpoint.id}: the path parameter ${name} has no example`)
  return example
}

function curl(url: string, method: string, isKeyed: boolean): string {
  return [
    'curl',
    method === 'GET' ? '' : `-X ${method}`,
    isKeyed ? `-H 'Authorization: Bearer ${KEY}'` : '',
    `'${url}'`,
  ]
    .filter((part) => part !== '')
    .join(' ')
}

function javascript(url: string, method: string, isKeyed: boolean): string {
  const options = [
    method === 'GET' ? '' : `method: '${method}'`,
    isKeyed ? `headers: { Authorization: 'Bearer ${KEY}' }` : '',
  ].filter((part) => part !== '')
  const second = options.length === 0 ? '' : `, { ${options.join(', ')} }`
  return `const response = await fetch('${url}'${second})\nconst data = await response.json()`
}

function python(url: string, method: string, isKeyed: boolean): string {
  const headers = isKeyed ? `, headers={"Authorization": "Bearer ${KEY}"}` : ''
  return `import requests\n\ndata = requests.${method.toLowerCase()}("${url}"${headers}).json()`
}
