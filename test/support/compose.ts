/** compose.yaml as Compose reads it: anchors are merged, `$$` is a dollar sign. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'

interface ComposeService {
  image?: string
  build?: string
  read_only?: boolean
  security_opt?: string[]
  command?: string | string[]
  environment?: Record<string, string>
  healthcheck?: { test: string[] }
  secrets?: (string | { source: string })[]
  configs?: (string | { source: string })[]
  networks?: string[]
  volumes?: string[]
  memswap_limit?: string
  depends_on?: Record<string, unknown>
  deploy?: { replicas?: number; resources?: { limits?: { cpus: string; memory: string } } }
}

export interface ComposeFile {
  services: Record<string, ComposeService>
  secrets: Record<string, { file: string }>
  configs: Record<string, { file?: string; content?: string }>
  networks: Record<string, unknown>
  volumes: Record<string, unknown>
}

export function composeFile(): ComposeFile {
  const text = readFileSync(path.join(import.meta.dirname, '../../compose.yaml'), 'utf8')
  return parse(text, { merge: true })
}

/** The content of `configs: { <name>: … }`, which a container finds at its target; it must be inline in compose.yaml. */
export function configContent(name: string): string {
  const content = composeFile().configs[name]?.content
  if (content === undefined) throw new Error(`compose.yaml has no configuration ${name} with a content`)
  return content.replaceAll('$$', '$')
}
