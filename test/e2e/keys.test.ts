import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isWellFormedApiKey, makeApiKey } from '../../src/api/access/api-key.ts'
import { productDatabaseOfFile } from '../support/database.ts'
import { commandOutcome, endProcess, type Product, startProduct } from '../support/product.ts'

const PLANS = ['Developer', 'API', 'Pro', 'Trading', 'Enterprise']

const copy = await productDatabaseOfFile()
let product: Product
beforeAll(async () => {
  product = await startProduct({ dataDir: copy.dataDir, env: { ...copy.env, SAMPLE_DATA: 'off' } })
})
afterAll(() => stopProduct())

const stopProduct = () => endProcess(product.process, 'SIGTERM')

const keys = (...args: string[]) => commandOutcome(copy.env, 'keys.ts', ...args)

/** Returns the JSON output of a successful command. */
async function json<T = Record<string, string>>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await keys(...args, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as T
}

const status = async (key: string) =>
  (await fetch(new URL('/v1/usage', product.url), { headers: { authorization: `Bearer ${key}` } })).status

/** Every key issued in this file. */
const issued: { id: string; key: string }[] = []

async function create(...args: string[]): Promise<{ id: string; key: string }> {
  const made = await json<{ id: string; key: string }>('create', ...args)
  issued.push(made)
  return made
}

describe('npm run keys', () => {
  it('issues a key for every plan, which a running service accepts', async () => {
    const made = await Promise.all(
      PLANS.map((plan) => create('--plan', plan, '--owner', `${plan} user`, '--email', 'owner@example.com')),
    )
    expect(made).toMatchObject(
      PLANS.map((plan) => ({ plan, owner: `${plan} user`, email: 'owner@example.com', id: expect.any(String) })),
    )
    for (const { key } of made) {
      expect(isWellFormedApiKey(key)).toBe(true)
      await expect.poll(() => status(key)).toBe(200)
    }
  })

  it('stores an owner with quotes and SQL, and the limits and attribution of an Enterprise key', async () => {
    const owner = `O'Brien "Ltd"; drop table api_keys; -- €`
    const args = ['--per-minute', '20000', '--per-month', '5000000', '--attribution', 'Prices: Example']
    const { id } = await create('--plan', 'Enterprise', '--owner', owner, ...args)
    expect(await json<object[]>('list')).toContainEqual(
      expect.objectContaining({
        id,
        owner,
        requests_per_minute: 20_000,
        requests_per_month: 5_000_000,
        attribution: 'Prices: Example',
        state: 'active',
      }),
    )
    expect((await keys('list')).stdout).toContain(owner)
  })

  it('prints a key once, on a separate line', async () => {
    const { stdout } = await keys('create', '--plan', 'Pro', '--owner', 'for people')
    const [first = '', key = '', ...rest] = stdout.trimEnd().split('\n')
    expect(first).toMatch(/^key_[0-9a-z]{12} {2}Pro {2}for people$/)
    expect(isWellFormedApiKey(key)).toBe(true)
    expect(rest).toEqual(['The key is shown only now; keep it safe.'])
    issued.push({ id: first.slice(0, 16), key })
  })

  it('finds the owner of a key, and exits with 1 for an unknown key', async () => {
    const { id, key } = issued[0] as (typeof issued)[0]
    expect(await json('find', key)).toMatchObject({ id, owner: expect.stringMatching(/^\w+ user$/) })
    expect((await keys('find', key)).stdout).toContain(id)
    expect(await keys('find', makeApiKey(randomBytes))).toMatchObject({
      code: 1,
      stderr: 'no such key was issued here\n',
    })
  })

  it('rotates: both keys work until the overlap ends, then only the new one', async () => {
    const old = await create('--plan', 'API', '--owner', 'rotating')
    const next = await json('rotate', old.id, '--overlap', '2s')
    issued.push({ id: next.id as string, key: next.key as string })
    expect(next).toMatchObject({ plan: 'API', owner: 'rotating', rotated_from: old.id })
    await expect.poll(() => status(next.key as string)).toBe(200)
    await expect.poll(() => status(old.key)).toBe(401)
    expect(await status(next.key as string)).toBe(200)
    expect(await keys('rotate', old.id)).toMatchObject({
      code: 2,
      stderr: `the key ${old.id} is no longer valid; create a new one for rotating\n`,
    })
  })

  it('keeps a rotated key valid for seven days by default', async () => {
    const old = await create('--plan', 'Trading', '--owner', 'rotating')
    const { stdout } = await keys('rotate', old.id)
    const [said = '', , key = ''] = stdout.split('\n')
    issued.push({ id: '', key })
    const until = Temporal.Instant.from(said.split(' ').at(-1) as string)
    expect(Temporal.Now.instant().until(until).total('days')).toBeCloseTo(7, 1)
    expect(await status(old.key)).toBe(200)
  })

  it('revokes a key, which the running service then refuses', async () => {
    const { id, key } = await create('--plan', 'Pro', '--owner', 'leaked')
    await expect.poll(() => status(key)).toBe(200)
    expect(await keys('revoke', id)).toMatchObject({ code: 0, stdout: expect.stringContaining(`${id} is revoked`) })
    await expect.poll(() => status(key)).toBe(401)
    expect(await json('find', key)).toMatchObject({ id, state: 'revoked' })
    expect(await keys('rotate', id)).toMatchObject({ code: 2 })
  })

  it.each([
    ['an unknown flag', ['list', '--plan', 'Pro'], "Unknown option '--plan'"],
    ['an id that is not there', ['revoke', "key_' or true --"], "there is no key key_' or true --"],
  ])('refuses %s with a sentence and code 2', async (_name, args, message) => {
    const { code, stdout, stderr } = await keys(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
    expect(stderr).not.toMatch(/\bat .+:\d+:\d+/)
  })

  it('lists every key without a running service', async () => {
    await stopProduct()
    const listed = await json<{ id: string }[]>('list')
    expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining(issued.flatMap(({ id }) => id || [])))
    expect(JSON.stringify(listed)).not.toMatch(/svc_live_[0-9A-Za-z]{4}/)
  })
})
