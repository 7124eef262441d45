import { execFile } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { generateSource } from 'oazapfts'
import { describe, expect, it } from 'vitest'
import { OPENAPI_FILE } from '../../src/web/openapi-file.ts'
import { zoneDay } from '../support/prices.ts'
import { scratchFolderOfFile } from '../support/scratch-folder.ts'
import { serviceOfFile } from '../support/service.ts'

const run = promisify(execFile)
const NODE_MODULES = path.join(import.meta.dirname, '../../node_modules')

/** What a user of the generated client writes; the lines after ts-expect-error must not compile. */
const PROGRAM = `
import { defaults, getPricesSeries, getPunHourly, getPunToday, getUsage } from './client.ts'

defaults.baseUrl = process.env.BASE_URL as string
const keyed = { headers: { authorization: 'Bearer ' + process.env.KEY } }

const today = await getPunToday()
const series = await getPricesSeries('pun', { $from: '2026-11-20', to: '2026-11-21', unit: 'mwh' })
const hourly = await getPunHourly({ date: '2026-10-25' }, keyed)
const withoutKey = await getPunHourly({ date: '2026-10-25' })
const usage = await getUsage(keyed)
if (today.status !== 200 || series.status !== 200 || hourly.status !== 200 || usage.status !== 200) throw new Error('refused')
if (withoutKey.status !== 401) throw new Error('not refused')

const price: number = today.data.value
const unit: '€/kWh' | '$/bbl' | '€/tCO2' = today.data.unit
const days: string[] = series.data.points.map((point) => point.date)

// @ts-expect-error there is no such index
const wrongAsset = () => getPricesSeries('coal')
// @ts-expect-error there is no such parameter
const wrongParameter = () => getPricesSeries('pun', { form: 'csv' })
// @ts-expect-error a price is a number
const wrongType = (): string => today.data.value

console.log(JSON.stringify({ price, unit, days, hourly: hourly.data, refusal: withoutKey.data, usage: usage.data }))
`

const COMPILER_OPTIONS =
  '--strict --target esnext --module nodenext --lib esnext,dom --types node --allowImportingTsExtensions --noEmit --skipLibCheck'

const folder = await scratchFolderOfFile()
await symlink(NODE_MODULES, path.join(folder, 'node_modules'))
await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }')
await writeFile(path.join(folder, 'client.ts'), await generateSource(fileURLToPath(OPENAPI_FILE)))
await writeFile(path.join(folder, 'program.ts'), PROGRAM)
const service = await serviceOfFile({ now: '2026-11-21T10:00:00Z' })
await service.seed([
  zoneDay('nazionale', '2026-10-25', 60, (hour) => hour),
  zoneDay('nazionale', '2026-11-20', 60, () => 90),
  zoneDay('nazionale', '2026-11-21', 60, () => 118.43),
])

describe('a TypeScript client generated from the OpenAPI document', () => {
  it('compiles, and rejects invalid assets, parameters and types at compile time', async () => {
    const tsc = path.join(NODE_MODULES, 'typescript/bin/tsc')
    const compile = run(process.execPath, [tsc, ...COMPILER_OPTIONS.split(' '), 'program.ts'], { cwd: folder })
    const compiled = await compile.catch((err: { stdout: string }) => err)
    expect(compiled.stdout).toBe('')
  })

  it('works against the service', async () => {
    const { key } = await service.issueKey('API')
    const env = { ...process.env, BASE_URL: `${service.baseUrl}/v1`, KEY: key }
    const { stdout } = await run(process.execPath, [path.join(folder, 'program.ts')], { env })
    const seen = JSON.parse(stdout)
    expect(seen).toMatchObject({
      price: 0.11843,
      unit: '€/kWh',
      days: ['2026-11-20', '2026-11-21'],
      hourly: { date: '2026-10-25', zone: 'nazionale' },
      refusal: { error: 'missing_key' },
      usage: { plan: 'API' },
    })
    expect(seen.hourly.hours).toHaveLength(25)
  })
})
