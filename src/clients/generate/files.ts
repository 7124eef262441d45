import type { OpenapiDocument } from './operations.ts'
import { pythonClient } from './python.ts'
import { typescriptClient } from './typescript.ts'

/** Returns every file generated from the OpenAPI document. */
export async function generatedFiles(document: OpenapiDocument): Promise<{ file: URL; text: string }[]> {
  return [
    { file: new URL('../typescript/src/api.generated.ts', import.meta.url), text: await typescriptClient(document) },
    { file: new URL('../python/energy_prices/_generated.py', import.meta.url), text: pythonClient(document) },
  ]
}
