/** `npm run openapi`: writes the OpenAPI document to `src/web/openapi.json`, where a change of the contract is reviewed. */
import { writeFileSync } from 'node:fs'
import { committedOpenapi, OPENAPI_FILE } from '../web/openapi-file.ts'

writeFileSync(OPENAPI_FILE, committedOpenapi())
