/** The command line of the TypeScript client, as installed by its package. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { startClientScene } from '../support/client-scene.ts'
import { installClient } from '../support/installed-client.ts'

const run = promisify(execFile)

const service = await startClientScene()
afterAll(() => service.stop())
const client = await installClient(service)
afterAll(() => client[Symbol.asyncDispose]())
const { key } = await service.issueKey('API')
const env = { ...process.env, ENERGY_PRICES_URL: service.baseUrl, ENERGY_PRICES_KEY: key }

describe('the command line', () => {
  const command = (args: string[], own: NodeJS.ProcessEnv = {}) =>
    run(client.bin, args, { env: { ...env, ...own } }).then(
      ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
      (err: { code: number; stdout: string; stderr: string }) => err,
    )

  it('shows today’s prices', async () => {
    const { code, stdout } = await command(['today'])
    expect([code, stdout]).toEqual([0, expect.stringMatching(/PUN +120\.485 +€\/MWh +2026-11-20\nPSV +32 +€\/MWh/)])
  })

  it('draws the hours of both change days', async () => {
    const spring = await command(['hours', 'nord', '2026-03-29'])
    expect(spring.stdout).toContain('█')
    expect(spring.stdout).toContain('01:00+01:00')
    expect(spring.stdout).not.toContain('02:00+01:00')
    const autumn = await command(['hours', 'nord', '2026-10-25'])
    expect(autumn.stdout).toMatch(/02:00\+02:00 +63\.00 .*\n02:00\+01:00 +64\.00/)
  })

  it('prints CSV, JSON and the forecast', async () => {
    const csv = await command(['series', 'psv', '--from', '2026-11-18', '--to', '2026-11-19', '--csv'])
    expect(csv.stdout).toBe('asset;unit;date;value\r\nPSV;€/MWh;2026-11-18;31,8\r\nPSV;€/MWh;2026-11-19;31,9\r\n')
    const json = await command(['call', 'getPunZones', 'date=2026-11-21', '--json'])
    expect(JSON.parse(json.stdout)).toMatchObject({ date: '2026-11-21' })
    expect((await command(['forecast', 'pun'])).stdout).toMatch(/2026-11-22 +81 +91 +103/)
    expect((await command(['hours', 'nord', '2026-05-01'])).stdout).toContain('1 missing')
  })

  it('finds the cheapest hours, and shows what changes until it is interrupted', async () => {
    const { stdout } = await command(['cheapest', '3', '--deadline', '07:00'])
    expect(stdout).toContain('2026-11-20 14:30 to 2026-11-20 17:30')
    const { json } = await service.ask('/v1/changes?limit=1', { headers: { authorization: `Bearer ${key}` } })
    const [oldest] = (json() as { changes: { cursor: string }[] }).changes
    const watch = spawn(client.bin, ['watch', '--since', oldest?.cursor ?? '', '--json'], { env })
    const [line] = await once(createInterface(watch.stdout), 'line')
    expect(JSON.parse(line)).toMatchObject({ cursor: expect.stringMatching(/^2-/) })
    watch.kill('SIGINT')
    expect(await once(watch, 'exit')).toEqual([130, null])
  })

  it.each([
    { args: ['hours', 'milano'], code: 1, stderr: 'zone' },
    { args: ['weather'], code: 2 },
    { args: ['today', '--colour'], code: 2 },
    { args: ['call', 'getPunZones', 'dat=2026-03-29'], code: 2 },
    { args: ['today'], env: { ENERGY_PRICES_URL: 'localhost' }, code: 2, stderr: 'got "localhost"' },
    { args: ['hours', 'nord'], env: { ENERGY_PRICES_KEY: '' }, code: 3 },
    { args: ['hours', 'nord', '2026-11-23'], code: 4 },
  ])('exits with $code after $args $env', async ({ args, env: own, code, stderr = '' }) => {
    expect(await command(args, own)).toMatchObject({ code, stderr: expect.stringContaining(stderr) })
  })

  it('lists its commands in --help, separated from their descriptions', async () => {
    const { stdout } = await command(['--help'])
    expect(stdout).toMatch(/^ {2}cheapest \[hours\] .*\[--zone nord\] {2,}when to run/m)
  })

  it.each(['bash', 'zsh', 'fish'])('completes commands in %s', async (shell) => {
    const { stdout } = await command(['completion', shell])
    for (const word of ['today', 'hours', 'watch', 'getPunHourly', 'json']) expect(stdout).toContain(word)
    if (shell === 'bash') await run('bash', ['-n', '-c', stdout])
  })
})
