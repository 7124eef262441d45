/** `npm run export -- <dataset> --format parquet --out <file>`: writes a dataset of the bulk exports to a file, even beside a running service. */

import { rename } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { BULK_DATASETS, BULK_FORMATS, type BulkDataset, type BulkFormat } from '../api/contract/bulk.ts'
import { runMaker } from '../delivery/bulk/run-maker.ts'
import { removeOrphanedFiles, unfinishedFile } from '../delivery/bulk/unfinished-files.ts'
import type { MadeFile } from '../delivery/bulk/write-file.ts'
import { counted } from '../market/counted.ts'
import { type Config, readConfig } from '../service/config/config.ts'
import { openOrJoinDatabase } from '../service/open-database.ts'
import { connectDatabase } from '../store/database.ts'
import { assertMigrated } from '../store/migrate.ts'
import { refuseToOverwrite, runCommand, UsageError } from './command.ts'
import { print, printError } from './print.ts'

const USAGE = `usage: npm run export -- <dataset> [--format parquet|csv.gz|arrow] --out <file>
  datasets: ${BULK_DATASETS.join(', ')}`
/** The shell's exit code for an interrupted command. */
const INTERRUPTED = 130

interface ExportRequest {
  dataset: BulkDataset
  format: BulkFormat
  file: string
}

if (import.meta.main)
  await runCommand(async () => {
    const request = readArguments(process.argv.slice(2))
    const { dataset, file } = request
    await refuseToOverwrite(file)
    const config = readConfig({ LOG_LEVEL: 'warn', ...process.env })
    const stop = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort())
    const exported = await exportTo(request, config, stop.signal).catch((err: unknown) => {
      if (!stop.signal.aborted) throw err
    })
    if (stop.signal.aborted) {
      printError('interrupted; nothing was written')
      return INTERRUPTED
    }
    if (exported === undefined) {
      printError(`${dataset} has no rows that may be passed on in bulk; nothing was written`)
      return 1
    }
    const { rows, days, bytes, sha256 } = exported
    print(`${file}: ${counted(rows, 'row')} from ${days.from} to ${days.to}, ${bytes} bytes, sha256 ${sha256}`)
    return 0
  }, USAGE)

/** The file gets its final name only once it is complete and checked. */
async function exportTo(
  { dataset, format, file }: ExportRequest,
  config: Config,
  signal: AbortSignal,
): Promise<MadeFile | undefined> {
  const { url: databaseUrl, engine } = await openOrJoinDatabase(config)
  await using stack = new AsyncDisposableStack()
  if (engine !== undefined) stack.use(engine)
  await assertMigrated(stack.use(connectDatabase({ url: databaseUrl, poolSize: 1 })))
  const folder = path.dirname(file)
  await removeOrphanedFiles(folder)
  const tempFile = stack.use(await unfinishedFile(folder))
  const isServer = config.database.url !== undefined
  const task = { databaseUrl, isServer, dataset, format, file: tempFile.path }
  const [exported] = await runMaker(task, { signal, niceness: 0 })
  if (exported !== undefined) await rename(tempFile.path, file)
  return exported
}

export function readArguments(args: string[]): ExportRequest {
  const options = { format: { type: 'string', default: 'parquet' }, out: { type: 'string' } } as const
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const dataset = BULK_DATASETS.find((name) => name === positionals[0])
  if (dataset === undefined || positionals.length !== 1)
    throw new UsageError(
      `${positionals.length === 0 ? 'a dataset is missing' : `${positionals.join(' ')} is not a dataset`}\n${USAGE}`,
    )
  const format = BULK_FORMATS.find((name) => name === values.format)
  if (format === undefined) throw new UsageError(`"${values.format}" is not a format\n${USAGE}`)
  if (values.out === undefined) throw new UsageError(`--out is missing\n${USAGE}`)
  return { dataset, format, file: path.resolve(values.out) }
}
