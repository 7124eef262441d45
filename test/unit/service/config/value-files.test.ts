import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Secret } from '../../../../src/platform/secret.ts'
import { readConfig } from '../../../../src/service/config/config.ts'
import { problems } from '../../../support/configuration.ts'
import { scratchFolderOfFile } from '../../../support/scratch-folder.ts'

const folder = await scratchFolderOfFile()

function secretFile(name: string, text: string): string {
  const file = path.join(folder, name)
  writeFileSync(file, text)
  return file
}

describe('a value in a file', () => {
  it('replaces the variable, without the trailing newline', () => {
    const DATABASE_URL_FILE = secretFile('url', 'postgres://energy_api:s3cret@db/energy\n')
    expect(readConfig({ DATABASE_URL_FILE }).database.url?.reveal()).toBe('postgres://energy_api:s3cret@db/energy')
  })

  it('may be only the password, with any characters', () => {
    const DATABASE_PASSWORD_FILE = secretFile('password', 'a/b@c:d#e%f\r\n')
    const { database } = readConfig({
      DATABASE_URL: 'postgres://energy_api@db/energy',
      READ_DATABASE_URL: 'postgres://energy_api@replica/energy',
      DATABASE_PASSWORD_FILE,
    })
    for (const url of [database.url, ...database.readUrls])
      expect(decodeURIComponent(new URL(url?.reveal() ?? '').password)).toBe('a/b@c:d#e%f')
  })

  it('may be the password of the rate-limit store or of a role', () => {
    const config = readConfig({
      LIMITS_STORE: 'valkey://valkey:6379',
      LIMITS_STORE_PASSWORD_FILE: secretFile('counters', 'secret'),
      WORKER_DATABASE_PASSWORD_FILE: secretFile('worker', 'of-the-worker'),
    })
    expect((config.limits.store as Secret).reveal()).toBe('valkey://:secret@valkey:6379')
    expect(config.database.rolePasswords.energy_worker?.reveal()).toBe('of-the-worker')
    expect(JSON.stringify(config)).not.toContain('of-the-worker')
  })

  it.each([
    ['that is not there', { DATABASE_URL_FILE: '/nowhere/at/all' }, /DATABASE_URL_FILE: ENOENT/],
    ['beside the value itself', { PORT: '1', PORT_FILE: '/dev/null' }, /PORT: is set twice/],
    ['that holds something else', { DATABASE_URL_FILE: secretFile('wrong', 'mysql://db') }, /DATABASE_URL: /],
    ['that is empty', { ANALYST_DATABASE_PASSWORD_FILE: secretFile('empty', '\n') }, /ANALYST_DATABASE_PASSWORD: must/],
    [
      'where the address has a password already',
      { DATABASE_URL: 'postgres://a:b@db/energy', DATABASE_PASSWORD_FILE: secretFile('second', 'x') },
      /DATABASE_PASSWORD: DATABASE_URL holds a password already/,
    ],
  ])('%s is refused', (_, variables, reason) => {
    expect(problems(variables)).toEqual([expect.stringMatching(reason)])
  })
})

it('MIGRATIONS=check requires a database server', () => {
  expect(problems({ MIGRATIONS: 'check' })).toEqual([expect.stringMatching(/MIGRATIONS: "check" needs DATABASE_URL/)])
})
