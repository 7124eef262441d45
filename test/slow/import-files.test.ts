/** `npm run import` on a folder with every kind of entry: unreadable ones are skipped with a message, the rest is stored. */
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { productDatabaseOfFile } from '../support/database.ts'
import { commandOutcome } from '../support/product.ts'
import { zipArchive } from '../support/zip-archive.ts'

const TTF = 'date,ttf\n2026-03-27,30.1\n'

const copy = await productDatabaseOfFile()
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-e2e-'))
  return () => rm(folder, { recursive: true })
})

const inFolder = (...names: string[]) => path.join(folder, ...names)

const load = (...args: string[]) => commandOutcome(copy.env, 'import.ts', ...args)

/** Output lines of the command, without the folder of the test. */
const lines = (text: string) => text.replaceAll(`${folder}/`, '').trimEnd().split('\n')

it.skipIf(process.platform === 'win32')('skips special files and symbolic link loops', async () => {
  spawnSync('mkfifo', [inFolder('a-pipe')])
  await using socket = createServer().listen(inFolder('b-socket'))
  await new Promise((resolve) => socket.once('listening', resolve))
  await symlink('/dev/zero', inFolder('c-device'))
  await symlink('d-loop', inFolder('d-loop'))
  await mkdir(inFolder('e-folder'))
  await symlink('..', inFolder('e-folder', 'up'))
  await symlink('nowhere', inFolder('f-dangling'))
  await writeFile(inFolder('g.csv'), TTF)
  const { code, stdout, stderr } = await load(folder)
  expect(lines(stderr)).toEqual([
    'd-loop: is a symbolic link that leads back to itself: skipped',
    'e-folder/up: is a symbolic link that leads back to a folder above it: skipped',
    'f-dangling: there is no such file: skipped',
    'a-pipe: is a named pipe, not a regular file: skipped',
    'b-socket: is a socket, not a regular file: skipped',
    'c-device: is a device, not a regular file: skipped',
  ])
  expect(stdout).toBe('1 document, 1 price read: 1 stored, 0 unchanged, 0 corrected; 0 quarantined; 6 skipped\n')
  expect(code).toBe(1)
})

it.skipIf(process.platform !== 'linux')('skips an unreadable file', async () => {
  await symlink('/proc/self/mem', inFolder('a-memory'))
  await writeFile(inFolder('b.csv'), TTF)
  const { code, stdout, stderr } = await load(inFolder('a-memory'), inFolder('b.csv'))
  expect(lines(stderr)).toEqual(['a-memory: cannot be read (EIO): skipped'])
  expect(stdout).toMatch(/^1 document, 1 price read: .* 1 skipped$/m)
  expect(code).toBe(1)
})

it('imports the other files if one is missing, and names the missing one', async () => {
  await writeFile(inFolder('b.csv'), 'date,ttf\n2026-03-25,30.1\n')
  await mkdir(inFolder('c-empty'))
  const { code, stdout, stderr } = await load(...['a.csv', 'b.csv', 'c-empty'].map((name) => inFolder(name)))
  expect({ code, lines: lines(stderr) }).toEqual({
    code: 1,
    lines: [
      'a.csv: there is no such file: skipped',
      'c-empty: is an empty folder: put the files in it, or name another: skipped',
    ],
  })
  expect(stdout).toMatch(/^1 document, 1 price read: 1 stored, .* 2 skipped$/m)
})

it('exits with 2 if every file is missing', async () => {
  const { code, stdout, stderr } = await load(inFolder('a.csv'), inFolder('b.csv'))
  expect({ code, stdout, lines: lines(stderr) }).toEqual({
    code: 2,
    stdout: '',
    lines: ['a.csv: there is no such file'],
  })
})

it('quarantines every day of a file with 130,000 invalid days', async () => {
  const days = 130_000
  const first = Temporal.PlainDate.from('1600-01-01')
  const rows = Array.from({ length: days }, (_, i) => `${first.add({ days: i })},30\n`)
  await writeFile(inFolder('refused.csv'), `date,ttf\n${rows.join('')}`)
  const { code, stdout } = await load(inFolder('refused.csv'))
  expect(stdout).toBe(
    `1 document, ${days} prices read: 0 stored, 0 unchanged, 0 corrected; ${days} quarantined (${days} past_day)\n`,
  )
  expect(code).toBe(1)
  await using opened = await copy.open()
  await opened.database.sql`delete from quarantined_days`
})

describe('a file of unknown format', () => {
  it('is reported without a publisher, and not quarantined', async () => {
    await writeFile(inFolder('hello.txt'), 'hello\n')
    const { code, stdout, stderr } = await load(inFolder('hello.txt'))
    expect(stderr).toMatch(/^hello\.txt: header: is not recognised: .*its columns are: hello \[unreadable_document\]$/m)
    expect(stdout).toMatch(/^1 document, 0 prices read: .* 0 quarantined; 1 of no known publisher$/m)
    expect(code).toBe(1)
    await using opened = await copy.open()
    expect([...(await opened.database.sql`select source from quarantined_days`)]).toEqual([])
  })

  it('is quarantined under the publisher given by --source', async () => {
    await writeFile(inFolder('hello.txt'), 'hello\n')
    expect((await load(inFolder('hello.txt'), '--source', 'eex-ttf')).stdout).toMatch(/ 1 quarantined/)
    await using opened = await copy.open()
    expect([...(await opened.database.sql`select source from quarantined_days`)]).toEqual([{ source: 'eex-ttf' }])
  })
})

it('escapes control characters in names of files, entries and columns', async () => {
  const evil = '\x1b]0;title\x07\x1b[2J\u202e\nall is well'
  await writeFile(inFolder('entry.zip'), zipArchive([{ name: `${evil}.csv`, content: 'hello' }]))
  await writeFile(inFolder('column.csv'), `date,"\x1b[31m\x9bprice"\n2026-03-27,1\n`)
  await writeFile(inFolder(`\x1b[2J\nfile.csv`), 'hello')
  const { stdout, stderr } = await load(folder)
  expect(stderr).toContain('entry.zip!\\u001b]0;title\\u0007\\u001b[2J\\u202e\\u000aall is well.csv: header: ')
  expect(stderr).toContain('\\u001b[31m\\u009bprice')
  expect(stderr).toContain('\\u001b[2J\\u000afile.csv: header: ')
  expect(stdout + stderr).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]|^all is well|^file/mu)
})
