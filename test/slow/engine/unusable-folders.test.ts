import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { preparedFolders } from '../../e2e/engine/engine-fixture.ts'
import { commandOutcome } from '../../support/product.ts'

const folderOfTest = await preparedFolders('engine')

/** Starts on an unusable folder print one sentence with the remedy, exit with 1, and leave the folder unchanged. */
describe('a start on an unusable data folder', () => {
  let dataDir: string
  beforeEach(() => {
    dataDir = folderOfTest()
  })

  const RESTORE = /: restore DATA_DIR from a backup, or .* "npm run move" copied\.\n$/

  test.each<[string, (pgdata: string) => void, RegExp]>([
    [
      'a damaged pg_control',
      (pgdata) => scribble(path.join(pgdata, 'global/pg_control')),
      /pgdata is damaged \(database files are/,
    ],
    [
      'an empty pg_control',
      (pgdata) => truncateSync(path.join(pgdata, 'global/pg_control')),
      /pgdata is damaged \(could not read file/,
    ],
    [
      'a damaged write-ahead log',
      (pgdata) => segments(pgdata).forEach(scribble),
      /is damaged \(could not locate a valid checkpoint/,
    ],
    [
      'a lost write-ahead log',
      (pgdata) => {
        for (const file of segments(pgdata)) rmSync(file)
      },
      /is damaged \(could not locate a valid/,
    ],
    [
      'a missing PG_VERSION',
      (pgdata) => rmSync(path.join(pgdata, 'PG_VERSION')),
      /is damaged \(PG_VERSION is missing\)/,
    ],
    [
      'a PG_VERSION that is none',
      (pgdata) => writeFileSync(path.join(pgdata, 'PG_VERSION'), 'x\n'),
      /is damaged \(".*pgdata" is not a valid/,
    ],
  ])('with %s exits with 1 and names the remedy', async (_, damage, sentence) => {
    damage(path.join(dataDir, 'engine/pgdata'))
    const message = await startError(dataDir)
    expect(message).toMatch(sentence)
    expect(message).toMatch(RESTORE)
  })

  test('with junk in secrets.key, which is configuration, exits with 2 and names the remedy', async () => {
    writeFileSync(path.join(dataDir, 'secrets.key'), 'junk')
    expect(await startError(dataDir, 2)).toMatch(
      /secrets\.key: does not hold a key .*; restore it from a backup, or give the key/,
    )
  })

  test('with junk in engine.lock exits with 1 and names the remedy', async () => {
    writeFileSync(path.join(dataDir, 'engine/engine.lock'), 'junk '.repeat(1_000))
    expect(await startError(dataDir)).toMatch(/^.*engine\.lock is damaged .* remove it, and start again\.\n$/)
  })

  test('that is a file exits with 1 and names the remedy', async () => {
    rmSync(dataDir, { recursive: true })
    mkdirSync(dataDir)
    writeFileSync(path.join(dataDir, 'engine'), '')
    expect(await startError(dataDir)).toMatch(/^The data folder .*engine is a file: remove it, or set DATA_DIR/)
  })

  test.skipIf(process.getuid?.() === 0)('that is not writable exits with 1 and names the remedy', async () => {
    chmodSync(path.join(dataDir, 'engine'), 0o500)
    expect(await startError(dataDir)).toMatch(
      /^The data folder .*engine cannot be written to \(EACCES\): make it this user's/,
    )
    chmodSync(path.join(dataDir, 'engine'), 0o700)
  })

  test.runIf(process.platform === 'linux')('that cannot be created exits with 1 and names the remedy', async () => {
    expect(await messageOf('/proc/energy/data')).toBe(
      'The folder /proc/energy cannot be made (ENOENT): make it yourself and let this user write to it, or name another (DATA_DIR, BULK_DIR).\n',
    )
  })
})

async function startError(dataDir: string, exitCode = 1): Promise<string> {
  const before = contentOf(dataDir)
  const message = await messageOf(dataDir, exitCode)
  expect(contentOf(dataDir)).toEqual(before)
  return message
}

async function messageOf(dataDir: string, exitCode = 1): Promise<string> {
  const { code, stderr } = await commandOutcome({ DATA_DIR: dataDir, PORT: '0' }, '../main.ts')
  expect(code).toBe(exitCode)
  expect(stderr).not.toMatch(/^ +at /m)
  return stderr
}

/** Each path with a digest of its content. */
function contentOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .map((entry) => {
      const file = path.join(entry.parentPath, entry.name)
      return entry.isFile() ? `${file} ${createHash('sha256').update(readFileSync(file)).digest('hex')}` : file
    })
    .sort()
}

function segments(pgdata: string): string[] {
  const folder = path.join(pgdata, 'pg_wal')
  return readdirSync(folder).flatMap((name) => (/^[\dA-F]{24}$/.test(name) ? [path.join(folder, name)] : []))
}

function scribble(file: string): void {
  writeFileSync(file, readFileSync(file).fill(0xa5))
}
