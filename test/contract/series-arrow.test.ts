/** `format=arrow` for the daily series and the hours: the same values as JSON, with types. */
import { tableFromIPC } from 'apache-arrow'
import { expect, it } from 'vitest'
import { zoneDay } from '../support/prices.ts'
import { serviceOfFile } from '../support/service.ts'

const service = await serviceOfFile({ now: '2026-11-21T10:00:00Z' })
await service.seed(['2026-03-29', '2026-10-25'].map((day) => zoneDay('nazionale', day, 15, (quarter) => quarter - 20)))
const headers = await service.asPlan('API')

async function arrowOf(path: string) {
  const answer = await fetch(`${service.baseUrl}${path}&format=arrow`, { headers })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/vnd.apache.arrow.stream')
  expect(answer.headers.get('content-disposition')).toMatch(/\.arrows"$/)
  return tableFromIPC(new Uint8Array(await answer.arrayBuffer()))
}

it('Arrow of the series has dates and numbers', async () => {
  const path = '/v1/prices/pun/series?from=2026-03-01&to=2026-10-31'
  const table = await arrowOf(path)
  const { points } = (await service.ask(path, { headers })).json() as {
    points: { date: string; value: number }[]
  }
  expect(table.schema.fields.map((field) => `${field.name} ${field.type}`)).toEqual([
    'asset Utf8',
    'unit Utf8',
    'date Date32<DAY>',
    'value Float64',
  ])
  expect([...(table.getChild('date') ?? [])].map((ms) => new Date(Number(ms)).toISOString().slice(0, 10))).toEqual(
    points.map(({ date }) => date),
  )
  expect([...(table.getChild('value') ?? [])]).toEqual(points.map(({ value }) => value))
})

it.each([
  ['2026-03-29', 'hour', 23],
  ['2026-10-25', 'hour', 25],
  ['2026-10-25', 'quarter', 100],
])('Arrow of %s by %s has %i rows with instants in UTC', async (date, granularity, count) => {
  const path = `/v1/pun/hourly?date=${date}&granularity=${granularity}`
  const table = await arrowOf(path)
  const json = (await service.ask(path, { headers })).json() as Record<string, { starts_at: string; value: number }[]>
  const rows = json[`${granularity}s`] ?? []
  expect(table.numRows).toBe(count)
  expect(String(table.schema.fields.find(({ name }) => name === 'starts_at')?.type)).toBe('Timestamp<MILLISECOND, UTC>')
  expect([...(table.getChild('starts_at') ?? [])].map(Number)).toEqual(
    rows.map((row) => Temporal.Instant.from(row.starts_at).epochMilliseconds),
  )
  expect([...(table.getChild('value') ?? [])]).toEqual(rows.map(({ value }) => value))
})
