import stringify from 'json-stringify-pretty-compact'
import { BASE_PATH } from '../api/contract/identity.ts'
import { endpoints } from '../api/endpoints/index.ts'
import { openapiDocument } from '../api/http/openapi.ts'

export const OPENAPI_FILE = new URL('./openapi.json', import.meta.url)

/** Returns the document as committed: without the URL of a deployment, and with every registered endpoint. */
export function committedOpenapi(): string {
  const document = openapiDocument(endpoints, { serverUrl: BASE_PATH, comingEndpoints: new Set() })
  return `${stringify({ 'x-generated-by': 'npm run openapi', ...document }, { maxLength: 400, indent: 1 })}\n`
}
