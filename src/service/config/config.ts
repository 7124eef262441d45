/** Reads the configuration from the environment: parsed by the table of variables, cross-checked, frozen. Only commands read other variables. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { ConfigurationError } from '../../platform/configuration-error.ts'
import { Secret } from '../../platform/secret.ts'
import { type SourcesConfig, settingsOf, variablesOf } from '../../publishers/settings.ts'
import { FETCHED_PUBLISHERS } from '../../publishers/sources.ts'
import { splitList, VARIABLES, type Values } from './variables.ts'

/** The roles of sql/roles. */
export type RoleName = 'analyst' | 'energy_api' | 'energy_worker' | 'energy_monitor'

export type Config = ReturnType<typeof readConfig>

/** An S3-compatible store. */
export interface S3Config extends Pick<Values['s3'], 'prefix' | 'region' | 'endpoint' | 'pathStyle'> {
  bucket: string
  /** Undefined: the credentials of the machine's role. */
  credentials: { id: string; secret: Secret } | undefined
}

const OWN_VARIABLES = Object.values(VARIABLES).flatMap((group) => Object.values(group))
const ENVIRONMENT = z.object({
  ...Object.fromEntries(OWN_VARIABLES.map(({ name, shape }) => [name, shape])),
  ...(Object.assign({}, ...FETCHED_PUBLISHERS.map(variablesOf)) as z.ZodRawShape),
})

/** Throws one ConfigurationError that lists every problem. */
export function readConfig(variables: Record<string, string | undefined>) {
  // An empty variable, as compose files and shells set it, counts as absent.
  const present = Object.fromEntries(
    Object.entries({ ...proxiesInLowerCase(variables), ...variables }).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, value]],
    ),
  )
  const { values: stated, problems: unreadable } = readValueFiles(present)
  const parsed = ENVIRONMENT.safeParse(stated)
  const invalidValues = (parsed.error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  const problems = [...unreadable, ...invalidValues, ...contradictions(stated)]
  if (!parsed.success || problems.length > 0) throw new ConfigurationError(problems)

  const { process, http, limits, bulk, s3, mail, sources, ...values } = valuesOf(parsed.data)
  const { password, analystPassword, apiPassword, workerPassword, monitorPassword, ...database } = values.database
  const { store, password: storePassword, ...requests } = limits
  return Object.freeze({
    ...values,
    ...process,
    http,
    database: {
      ...database,
      url: withPassword(database.url, password),
      readUrls: database.readUrls.map((url) => withPassword(url, password)),
      analystUrl: withPassword(database.analystUrl, analystPassword),
      /** Passwords that `npm run db:roles` gives to the roles of sql/roles. */
      rolePasswords: {
        ...(analystPassword && { analyst: analystPassword }),
        ...(apiPassword && { energy_api: apiPassword }),
        ...(workerPassword && { energy_worker: workerPassword }),
        ...(monitorPassword && { energy_monitor: monitorPassword }),
      } as Readonly<Partial<Record<RoleName, Secret>>>,
    },
    limits: {
      ...requests,
      /** Store of the request counts: in this process, in the database, or at a Valkey or Redis address. */
      store: limitsStore(store ?? (http.processes > 1 ? 'postgres' : 'memory'), storePassword),
    },
    bulk: {
      ...bulk,
      folder: path.resolve(bulk.folder ?? path.join(database.dataDir, 'bulk')),
      /** Undefined: files stay in the folder. */
      s3: s3Config(s3),
    },
    /** Undefined: no mail server is configured, and nothing is sent. */
    mail: mail.smtp === undefined || mail.from === undefined ? undefined : { smtp: mail.smtp, from: mail.from },
    /** Publishers that are fetched from; all are off until `SOURCES` names them. */
    sources: {
      enabled: new Set(namesIn(sources.enabled)),
      bySource: Object.fromEntries(FETCHED_PUBLISHERS.map((one) => [one.id, settingsOf(one, parsed.data)])),
    } satisfies SourcesConfig as SourcesConfig,
  })
}

/** Groups the values by group and field, as in the table. */
function valuesOf(env: Record<string, unknown>): Values {
  const fieldsOf = (group: object) =>
    Object.fromEntries(Object.entries(group).map(([field, { name }]) => [field, env[name]]))
  return Object.fromEntries(Object.entries(VARIABLES).map(([name, group]) => [name, fieldsOf(group)])) as Values
}

/** `http_proxy` and the like are the older and more common spelling. */
function proxiesInLowerCase(variables: Record<string, string | undefined>): Record<string, string | undefined> {
  const names = Object.values(VARIABLES.proxies).map(({ name }) => name)
  return Object.fromEntries(names.map((name) => [name, variables[name.toLowerCase()]]))
}

const FILE_SUFFIX = '_FILE'

/** Reads `<NAME>_FILE`, a file with the value of `<NAME>`, as containers receive secrets. The line end that editors add is removed. */
function readValueFiles(stated: Readonly<Record<string, string>>) {
  const values = { ...stated }
  const problems: string[] = []
  for (const name of Object.keys(ENVIRONMENT.shape)) {
    const file = stated[name + FILE_SUFFIX]
    if (file === undefined) continue
    delete values[name + FILE_SUFFIX]
    if (stated[name] !== undefined) {
      problems.push(`${name}: is set twice, directly and by ${name + FILE_SUFFIX}`)
      continue
    }
    try {
      values[name] = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
    } catch (err) {
      problems.push(`${name + FILE_SUFFIX}: ${err instanceof Error ? err.message : String(err)}`)
    }
  }
  return { values, problems }
}

type Stated = Partial<Record<string, string>>

/** Contradictions, checked on the raw texts, so that they are reported even if another variable is invalid. */
const CONTRADICTIONS: readonly (readonly [isSo: (stated: Stated) => boolean, problem: string])[] = [
  [
    ({ CLOCK, NODE_ENV }) => CLOCK !== undefined && NODE_ENV === 'production',
    'CLOCK: is for demonstrations and tests, refused when NODE_ENV=production',
  ],
  [
    ({ READ_DATABASE_URL, DATABASE_URL }) => READ_DATABASE_URL !== undefined && DATABASE_URL === undefined,
    'READ_DATABASE_URL: needs DATABASE_URL, the embedded engine has no replica',
  ],
  [
    ({ MIGRATIONS, DATABASE_URL }) => MIGRATIONS === 'check' && DATABASE_URL === undefined,
    'MIGRATIONS: "check" needs DATABASE_URL, the process that starts the embedded engine migrates it',
  ],
  ...(
    [
      ['DATABASE_URL', 'DATABASE_PASSWORD'],
      ['READ_DATABASE_URL', 'DATABASE_PASSWORD'],
      ['ANALYST_DATABASE_URL', 'ANALYST_DATABASE_PASSWORD'],
      ['LIMITS_STORE', 'LIMITS_STORE_PASSWORD'],
    ] as const
  ).map(
    ([address, password]) =>
      [
        (stated: Stated) => stated[password] !== undefined && splitList(stated[address] ?? '').some(holdsPassword),
        `${password}: ${address} holds a password already`,
      ] as const,
  ),
  ...(['api', 'worker'] as const).map(
    (role) =>
      [
        ({ ROLE, DATABASE_URL }: Stated) => ROLE === role && DATABASE_URL === undefined,
        `ROLE: "${role}" needs DATABASE_URL, the embedded engine needs ROLE=all`,
      ] as const,
  ),
  [
    (stated) => hasSeveralProcesses(stated) && stated.DATABASE_URL === undefined,
    'API_PROCESSES: needs DATABASE_URL, the embedded engine serves one process',
  ],
  [
    (stated) => hasSeveralProcesses(stated) && stated.DATABASE_URL !== undefined && stated.LIMITS_STORE === 'memory',
    'API_PROCESSES: needs a LIMITS_STORE that the processes share',
  ],
  [
    (stated) => hasSeveralProcesses(stated) && stated.DATABASE_URL !== undefined && stated.ROLE === 'worker',
    'API_PROCESSES: a worker serves no API',
  ],
  [({ SMTP_URL, MAIL_FROM }) => SMTP_URL === undefined && MAIL_FROM !== undefined, 'MAIL_FROM: needs SMTP_URL'],
  [
    ({ SMTP_URL, MAIL_FROM }) => SMTP_URL !== undefined && MAIL_FROM === undefined,
    'SMTP_URL: needs MAIL_FROM, the sender of the mails',
  ],
  [
    (stated) => (stated.BULK_S3_ACCESS_KEY_ID === undefined) !== (stated.BULK_S3_SECRET_ACCESS_KEY === undefined),
    'BULK_S3_ACCESS_KEY_ID: and BULK_S3_SECRET_ACCESS_KEY come together',
  ],
]

function contradictions(stated: Stated): string[] {
  const orphans = Object.keys(stated).filter((name) => name.startsWith('BULK_S3_'))
  return [
    ...CONTRADICTIONS.flatMap(([isSo, problem]) => (isSo(stated) ? [problem] : [])),
    ...(stated.BULK_S3_BUCKET === undefined ? orphans.map((name) => `${name}: needs BULK_S3_BUCKET`) : []),
    ...contradictionsOfSources(stated),
  ]
}

function contradictionsOfSources(stated: Stated): string[] {
  const ids = FETCHED_PUBLISHERS.map(({ id }) => id)
  const unknown = namesIn(stated.SOURCES ?? '').filter((name) => !ids.includes(name))
  const incompleteGroups = FETCHED_PUBLISHERS.flatMap(({ fetching }) => {
    const [first, ...others] = fetching?.together ?? []
    const isIncomplete = others.some((name) => (stated[name] === undefined) !== (stated[first ?? ''] === undefined))
    return isIncomplete ? [`${first}: needs ${others.join(', ')}, and vice versa`] : []
  })
  return [
    ...unknown.map((name) => `SOURCES: there is no "${name}", only ${ids.join(', ')}`),
    ...new Set(incompleteGroups),
  ]
}

function hasSeveralProcesses({ API_PROCESSES = '1' }: Stated): boolean {
  return API_PROCESSES !== '1'
}

function holdsPassword(url: string): boolean {
  return URL.canParse(url) && new URL(url).password !== ''
}

function s3Config({ bucket, accessKeyId: id, secretAccessKey: secret, ...store }: Values['s3']): S3Config | undefined {
  if (bucket === undefined) return undefined
  const credentials = id === undefined || secret === undefined ? undefined : { id, secret: new Secret(secret) }
  return { ...store, bucket, credentials }
}

/** An address may contain a password, so it is returned as a Secret. */
function limitsStore(text: string, password: Secret | undefined): 'memory' | 'postgres' | Secret {
  return text === 'memory' || text === 'postgres' ? text : withPassword(text, password)
}

/** Adds the password to the address, which does not contain one yet (see CONTRADICTIONS). */
function withPassword(address: string, password: Secret | undefined): Secret
function withPassword(address: string | undefined, password: Secret | undefined): Secret | undefined
function withPassword(address: string | undefined, password: Secret | undefined): Secret | undefined {
  if (address === undefined || password === undefined) return address === undefined ? undefined : new Secret(address)
  const url = new URL(address)
  url.password = encodeURIComponent(password.reveal())
  return new Secret(url.href)
}

function namesIn(list: string): string[] {
  return list.split(/[\s,]+/).filter((name) => name !== '')
}
