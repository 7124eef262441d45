/** `npm run openapi`: writes the OpenAPI document, where a change of the contract is reviewed, and the clients' code that is made from it. */
import { writeFileSync } from 'node:fs'
import { generatedFiles } from '../clients/generate/files.ts'
import { committedOpenapi, OPENAPI_FILE } from '../web/openapi-file.ts'

const document = committedOpenapi()
writeFileSync(OPENAPI_FILE, document)
for (const { file, text } of await generatedFiles(JSON.parse(document))) writeFileSync(file, text)
