import { randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { openSecretBox } from '../../../../src/delivery/webhooks/open-secret-box.ts'
import { secretBox } from '../../../../src/delivery/webhooks/secret-box.ts'
import { Secret } from '../../../../src/platform/secret.ts'
import { scratchFolderOfFile } from '../../../support/scratch-folder.ts'

const dataDir = await scratchFolderOfFile()
const newKey = () => new Secret(randomBytes(32).toString('base64'))

describe('an encrypted secret', () => {
  it('is decrypted only with its key and for its subject', () => {
    const box = secretBox(newKey())
    const sealed = box.seal('whsec_x', 'alr_1')
    expect(sealed).not.toContain('whsec')
    expect(box.seal('whsec_x', 'alr_1')).not.toBe(sealed)
    expect(box.open(sealed, 'alr_1')).toBe('whsec_x')
    expect(() => box.open(sealed, 'alr_2')).toThrow()
    expect(() => secretBox(newKey()).open(sealed, 'alr_1')).toThrow('SECRETS_KEY_PREVIOUS')
  })

  it('fails to decrypt after a single changed character', () => {
    const box = secretBox(newKey())
    const sealed = box.seal('whsec_x', 'alr_1')
    for (let i = sealed.lastIndexOf('.') + 1; i < sealed.length - 1; i += 5) {
      const other = sealed[i] === 'A' ? 'B' : 'A'
      expect(() => box.open(sealed.slice(0, i) + other + sealed.slice(i + 1), 'alr_1')).toThrow()
    }
  })

  it('remains readable with the previous key until it is re-encrypted', () => {
    const [old, next] = [newKey(), newKey()]
    const sealed = secretBox(old).seal('whsec_x', 'alr_1')
    const box = secretBox(next, [old])
    expect(() => secretBox(next).open(sealed, 'alr_1')).toThrow('SECRETS_KEY_PREVIOUS')
    expect(secretBox(next).open(box.seal(box.open(sealed, 'alr_1'), 'alr_1'), 'alr_1')).toBe('whsec_x')
  })
})

describe('the generated key of an embedded database', () => {
  it('is created once, even by two concurrent starts, and readable only by its owner', async () => {
    const config = { secrets: { key: undefined, previous: [] }, database: { dataDir, url: undefined } }
    const [one, two] = await Promise.all([openSecretBox(config), openSecretBox(config)])
    expect(two?.open(one?.seal('x', 'y') ?? '', 'y')).toBe('x')
    const file = path.join(dataDir, 'secrets.key')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(Buffer.from((await readFile(file, 'utf8')).trim(), 'base64')).toHaveLength(32)
  })

  it('is not created for a database server, where it must be configured', async () => {
    const database = { dataDir: '/nowhere', url: new Secret('postgres://db/x') }
    expect(await openSecretBox({ secrets: { key: undefined, previous: [] }, database })).toBeUndefined()
  })
})
