/**
 * An SQL prompt for machines without psql: a semicolon ends a statement; `\q` or the end of the input ends the prompt. Of the
 * parameters of psql it has `-c`.
 */
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import postgres from 'postgres'
import { counted } from '../market/counted.ts'
import { print } from './print.ts'

const CONTINUATION_PROMPT = '... '
const PROMPT = 'sql> '

export async function runSqlPrompt(address: string): Promise<number> {
  const { command } = parseArgs({ options: { command: { type: 'string', short: 'c' } } }).values
  const folder = decodeURIComponent(new URL(address).hostname)
  const sql = postgres(address, {
    ...(folder.startsWith('/') && { host: folder }),
    max: 1,
    fetch_types: false,
    onnotice: () => {},
  })
  let failed = false
  let statement = ''
  try {
    if (command !== undefined) return (await runAndPrint(sql, command)) ? 0 : 1
    process.stdout.write(PROMPT)
    for await (const line of createInterface({ input: process.stdin })) {
      if (line.trim() === '\\q') break
      statement += `${line}\n`
      if (statement.trimEnd().endsWith(';')) {
        failed = !(await runAndPrint(sql, statement))
        statement = ''
      }
      process.stdout.write(statement === '' ? PROMPT : CONTINUATION_PROMPT)
    }
  } finally {
    await sql.end({ timeout: 1 })
  }
  return failed ? 1 : 0
}

async function runAndPrint(sql: postgres.Sql, statement: string): Promise<boolean> {
  try {
    const rows = await sql.unsafe(statement).values()
    if (rows.columns) print(rows.columns.map(({ name }) => name).join('\t'))
    for (const row of rows)
      print(row.map((value) => (value instanceof Date ? value.toISOString() : String(value ?? ''))).join('\t'))
    print(`(${counted(rows.length, 'row')})`)
    return true
  } catch (err) {
    if (!(err instanceof postgres.PostgresError)) throw err
    print(`ERROR: ${err.message}`)
    return false
  }
}
