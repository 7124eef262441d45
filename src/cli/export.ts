/** `npm run export -- <dataset> --format parquet --out <file>`: writes a dataset of the bulk exports to a file, beside a running service too. */
import { access } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '../config/config.ts'
import { BULK_DATASETS, BULK_FORMATS, type BulkDataset, type BulkFormat } from '../contract/bulk.ts'
import { runExport } from '../exports/run-export.ts'
import { openOrJoinDatabase } from '../open-database.ts'
import { runCommand, UsageError } from './command.ts'

const USAGE = `usage: npm run export -- <dataset> [--format parquet|csv.gz|arrow] --out <file>
  datasets: ${BULK_DATASETS.join(', ')}`

await runCommand(async () => {
  const { dataset, format, file } = readArguments()
  if (await exists(file)) throw new UsageError(`${file} exists already`)
  if (!(await exists(path.dirname(file)))) throw new UsageError(`there is no folder ${path.dirname(file)}`)
  const config = readConfig({ LOG_LEVEL: 'warn', ...process.env })
  const location = await openOrJoinDatabase(config)
  await using stack = new AsyncDisposableStack()
  if (location.engine !== undefined) stack.use(location.engine)
  const isServer = config.database.url !== undefined
  const task = { databaseUrl: location.url, isServer, dataset, format, file }
  const exported = await runExport(task, { signal: new AbortController().signal, niceness: 0 })
  if (exported === undefined) {
    console.error(`${dataset} has no rows that may be passed on in bulk; nothing was written`)
    return 1
  }
  const { rows, days, bytes, sha256 } = exported
  console.log(`${file}: ${rows} rows from ${days.from} to ${days.to}, ${bytes} bytes, sha256 ${sha256}`)
  return 0
})

function readArguments(): { dataset: BulkDataset; format: BulkFormat; file: string } {
  const { values, positionals } = parsed()
  const dataset = BULK_DATASETS.find((name) => name === positionals[0])
  if (dataset === undefined || positionals.length !== 1)
    throw new UsageError(`${positionals.join(' ') || 'nothing'} is not a dataset\n${USAGE}`)
  const format = BULK_FORMATS.find((name) => name === values.format)
  if (format === undefined) throw new UsageError(`"${values.format}" is not a format\n${USAGE}`)
  if (values.out === undefined) throw new UsageError(`--out is missing\n${USAGE}`)
  return { dataset, format, file: path.resolve(values.out) }
}

function parsed() {
  try {
    const options = { format: { type: 'string', default: 'parquet' }, out: { type: 'string' } } as const
    return parseArgs({ options, allowPositionals: true })
  } catch (err) {
    throw new UsageError(`${err instanceof Error ? err.message : err}\n${USAGE}`)
  }
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}
