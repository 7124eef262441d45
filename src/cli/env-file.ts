/**
 * `npm start` and the other npm commands read `.env` in the project's folder; variables that are already set win. Only the program
 * that the npm script names reads it: programs that `npm test` starts must never see the settings of an installation.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'

const FILE = '.env'

if (isNpmScriptProgram(process.argv[1] ?? '') && existsSync(FILE)) {
  try {
    process.loadEnvFile(FILE)
  } catch (err) {
    process.stderr.write(`${path.resolve(FILE)} cannot be read: ${err instanceof Error ? err.message : err}\n`)
    process.exit(1)
  }
}

function isNpmScriptProgram(program: string): boolean {
  const { npm_lifecycle_script: script = '' } = process.env
  return script.includes(path.relative('.', program).replaceAll('\\', '/'))
}
