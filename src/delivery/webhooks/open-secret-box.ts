/**
 * The key that encrypts signing secrets: the configured one or, with the embedded engine, one generated at the first start and kept in
 * its data directory, in a file that only its owner can read. With a database server and no SECRETS_KEY there is none.
 */
import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ConfigurationError } from '../../platform/configuration-error.ts'
import { isSecretsKey, SECRETS_KEY_BYTES, Secret } from '../../platform/secret.ts'
import type { Config } from '../../service/config/config.ts'
import { type SecretBox, secretBox } from './secret-box.ts'

const KEY_FILE = 'secrets.key'

interface SecretBoxConfig extends Pick<Config, 'secrets'> {
  database: Pick<Config['database'], 'url' | 'dataDir'>
}

/** Undefined if there is no key; throws if the file does not contain one. */
export async function openSecretBox(config: SecretBoxConfig): Promise<SecretBox | undefined> {
  const key = await findSecretsKey(config)
  return key && secretBox(key, config.secrets.previous)
}

/** The key itself, from which others are derived. */
export async function findSecretsKey({ secrets, database }: SecretBoxConfig): Promise<Secret | undefined> {
  if (secrets.key !== undefined) return secrets.key
  if (database.url !== undefined) return undefined
  return readOrCreateKeyFile(secretsKeyFile(database.dataDir))
}

/** File with the key of an embedded database, below its DATA_DIR. */
export function secretsKeyFile(dataDir: string): string {
  return path.join(dataDir, KEY_FILE)
}

/** Throws if the key file exists but contains no valid key. Creates nothing; call it before changing anything. */
export async function checkSecretsKey({ secrets, database }: SecretBoxConfig): Promise<void> {
  if (secrets.key === undefined && database.url === undefined) await readKeyFile(secretsKeyFile(database.dataDir))
}

async function readOrCreateKeyFile(file: string): Promise<Secret> {
  const key = await readKeyFile(file)
  if (key) return key
  await makeKeyFile(file)
  return await readOrCreateKeyFile(file)
}

async function readKeyFile(file: string): Promise<Secret | undefined> {
  try {
    const text = (await readFile(file, 'utf8')).trim()
    if (isSecretsKey(text)) return new Secret(text)
  } catch (err) {
    if (isCode(err, 'ENOENT') || isCode(err, 'ENOTDIR')) return undefined
    throw new ConfigurationError([`${file}: ${err instanceof Error ? err.message : err}`])
  }
  const remedy = 'restore it from a backup, or give the key as SECRETS_KEY'
  throw new ConfigurationError([`${file}: does not hold a key of 32 bytes in base64; ${remedy}`])
}

/** Creates the file atomically and syncs it before the key is used. Of two concurrent starts the first wins. */
async function makeKeyFile(file: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true })
  const tempFile = `${file}.${randomBytes(6).toString('hex')}`
  await writeFile(tempFile, `${randomBytes(SECRETS_KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flush: true })
  try {
    await link(tempFile, file)
  } catch (err) {
    if (!isCode(err, 'EEXIST')) throw err
  } finally {
    await rm(tempFile)
  }
  await using folder = await open(path.dirname(file))
  await folder.sync()
}

function isCode(err: unknown, code: string): boolean {
  return err instanceof Error && 'code' in err && err.code === code
}
