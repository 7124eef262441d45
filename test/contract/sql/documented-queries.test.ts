/** `POST /sql` accepts every query in the documentation and dashboards unchanged. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { sqlRequest } from '../../../src/api/contract/analyst-sql.ts'
import { zoneDay } from '../../support/prices.ts'
import { serviceOfFile } from '../../support/service.ts'
import { sendJson } from '../send-json.ts'

const ROOT = path.join(import.meta.dirname, '../../..')

const service = await serviceOfFile({ now: '2026-11-21T10:00:00Z', analysts: true })
await service.seed([zoneDay('nord', '2026-10-25', 60, () => 80)])
const headers = await service.asPlan('Trading')

const queries = [
  ...queriesOfRecipes('analysts.md'),
  ...queriesOfRecipes('it/analysts.md'),
  ...queriesOfDashboard('prices'),
  sqlRequest.parse(sqlRequest.meta()?.example).sql,
]

it('at least 50 documented queries are found, each of at most five lines', () => {
  expect(queries.length).toBeGreaterThanOrEqual(50)
  const linesOf = (query: string) =>
    query
      .replace(/^--.*\n/gm, '')
      .trim()
      .split('\n')
  expect(queries.filter((query) => linesOf(query).length > 5)).toEqual([])
})

it.each(queries)('POST /sql returns 200 for the documented query: %s', async (sql) => {
  const answer = await sendJson(service, '/v1/sql', { sql }, headers)
  expect({ status: answer.status, message: answer.json().message }).toEqual({ status: 200, message: undefined })
})

/** Queries of psql, without its own commands; and quoted queries of Excel, Python and the shell. */
function queriesOfRecipes(document: string): string[] {
  const text = readFileSync(path.join(ROOT, 'src/web/docs', document), 'utf8')
  const blocks = [...text.matchAll(/^```sql\n([\s\S]*?)^```/gm)].map(([, block = '']) => block)
  const ofPsql = blocks.flatMap((block) => block.replace(/^\\.*$/gm, '').split(';')).filter((one) => one.trim() !== '')
  const copied = [...text.matchAll(/\\copy \((.*)\) to /g)].map(([, query = '']) => query)
  const quoted = [...text.matchAll(/(["'`])((?:select|table) .*?)\1/g)].map(([, , query = '']) => query)
  return [...ofPsql, ...copied, ...quoted]
}

/** Queries of a dashboard; Grafana replaces its macro with the time range of the panel. */
function queriesOfDashboard(name: string): string[] {
  const dashboard = JSON.parse(readFileSync(path.join(ROOT, `sql/server/dashboards/${name}.json`), 'utf8')) as {
    panels: { targets: { rawSql: string }[] }[]
  }
  return dashboard.panels
    .flatMap(({ targets }) => targets.map(({ rawSql }) => rawSql))
    .map((sql) =>
      sql.replace(/\$__timeFilter\((.*?)\)(?= order)/g, `$1 between '2026-01-01T00:00:00Z' and '2026-12-31T00:00:00Z'`),
    )
}
