#!/usr/bin/env node
/** The command-line interface `energy-prices`. */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { EnergyPrices } from '../client.ts'
import { ApiError, ConnectionError } from '../errors.ts'
import { COMMANDS, type Command, OPTIONS, UsageError } from './commands.ts'

/** Exit codes of failures. 0 is success, 130 is SIGINT. */
const EXIT = { other: 1, usage: 2, key: 3, noData: 4, limit: 5, connection: 6 } as const

const SUMMARIES = Object.entries(COMMANDS).map(([name, { usage, summary }]) => [`${name} ${usage}`, summary] as const)
const COLUMN = Math.max(...SUMMARIES.map(([call]) => call.length)) + 2

const HELP = `energy-prices <command> [options]

${SUMMARIES.map(([call, summary]) => `  ${call.padEnd(COLUMN)}${summary}`).join('\n')}

  --url <url>        base URL of the service; also ENERGY_PRICES_URL. Default: http://127.0.0.1:8080
  --key <key>        API key; also ENERGY_PRICES_KEY
  --json, --csv      print JSON or CSV instead of a table
  --help, --version

Exit codes: 0 success, 1 other error, 2 usage, 3 key or plan, 4 no data yet, 5 rate limit or quota, 6 connection failed.
`

async function main(argv: string[]): Promise<void> {
  const { values, positionals } = readArguments(argv)
  const [name, ...words] = positionals
  if (values.version) return print(`${packageVersion()}\n`)
  if (values.help || name === undefined) return print(HELP)
  const command: Command | undefined = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) throw new UsageError(`there is no command ${name}; energy-prices --help lists them`)
  const stop = new AbortController()
  process.once('SIGINT', () => {
    process.exitCode = 130
    stop.abort()
  })
  const client = new EnergyPrices({
    url: values.url ?? process.env.ENERGY_PRICES_URL,
    key: values.key ?? process.env.ENERGY_PRICES_KEY,
  })
  for await (const { json, csv, text } of command.run({ client, words, values, signal: stop.signal })) {
    if (values.json) print(`${JSON.stringify(json)}\n`)
    else if (!values.csv) print(`${text().replace(/(?!\n)\p{Cc}/gu, '')}\n`)
    else if (csv === undefined) throw new UsageError(`${name} has no CSV`)
    else print(await csv())
  }
}

function readArguments(argv: string[]) {
  try {
    return parseArgs({ args: argv, options: OPTIONS, allowPositionals: true })
  } catch (err) {
    throw new UsageError((err as Error).message)
  }
}

function packageVersion(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version
}

function print(text: string): void {
  process.stdout.write(text)
}

function exitCodeOf(err: unknown): number {
  if (err instanceof UsageError || err instanceof TypeError) return EXIT.usage
  if (err instanceof ConnectionError) return EXIT.connection
  if (!(err instanceof ApiError)) return EXIT.other
  if (err.code === 'no_data') return EXIT.noData
  if (err.status === 429) return EXIT.limit
  return err.status === 401 || err.status === 403 ? EXIT.key : EXIT.other
}

try {
  await main(process.argv.slice(2))
} catch (err) {
  if (process.exitCode !== 130) {
    process.stderr.write(`energy-prices: ${(err as Error).message}\n`)
    process.exitCode = exitCodeOf(err)
  }
}
