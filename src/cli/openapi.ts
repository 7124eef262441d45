/**
 * `npm run openapi`: writes the OpenAPI document, in which changes of the contract are reviewed, the client code generated from it,
 * and the client packages.
 */
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { generatedFiles } from '../clients/generate/files.ts'
import { clientPackages, hasContentOf } from '../clients/generate/packages.ts'
import { CLIENT_PACKAGES } from '../web/client-packages.ts'
import { committedOpenapi, OPENAPI_FILE } from '../web/openapi-file.ts'

const document = committedOpenapi()
writeFileSync(OPENAPI_FILE, document)
for (const { file, text } of await generatedFiles(JSON.parse(document))) writeFileSync(file, text)

const packages = (await clientPackages()).map(({ name, content }) => ({
  file: new URL(name, CLIENT_PACKAGES),
  content,
}))
for (const { file, content } of packages)
  if (!existsSync(file) || !hasContentOf(readFileSync(file), content)) writeFileSync(file, content)
const names = packages.map(({ file }) => file.href)
for (const file of globSync('*.{tgz,whl}', { cwd: CLIENT_PACKAGES }).map((name) => new URL(name, CLIENT_PACKAGES)))
  if (!names.includes(file.href)) rmSync(file)
