/** A reply as short text for an assistant: fields, tables, and the unit, day, source and kind of the figures. */
import type { Tag } from '../contract/tags.ts'
import type { Endpoint } from '../http/endpoint.ts'

/** The quarter-hours of the longest day. */
const ROWS_MAX = 100
const LENGTH_MAX = 9_000

type Fields = Record<string, unknown>

/** Kind of the figures of a group, if they are not published values. */
const KINDS: Partial<Record<Tag, string>> = {
  Forecasts: 'forecast, not a published price',
  Tools: 'estimate',
  Trading: 'calculated from published values',
  Alerts: 'settings of the key',
  'Plans and status': 'about the service',
}

/** Units by the ending of field names. */
const UNITS_IN_NAMES: [ending: RegExp, unit: string][] = [
  [/_eur_kwh"/, '€/kWh'],
  [/_eur_mwh"/, '€/MWh'],
  [/_eur(_year|_month)?"/, '€'],
  [/_pct"/, '%'],
]

export function presentReply(endpoint: Pick<Endpoint, 'tag'>, reply: unknown, today: string): string {
  const fields = (typeof reply === 'object' && reply !== null ? reply : { answer: reply }) as Fields
  const { attribution, ...shown } = fields
  const lines = Object.entries(shown).flatMap(([name, value]) => linesOf(name, value))
  const text = lines.join('\n')
  const body = text.length > LENGTH_MAX ? `${text.slice(0, LENGTH_MAX)}\n… cut: ask for less at once` : text
  return `${body}\n\n${metadataLines(endpoint, fields, today).join('\n')}`
}

function linesOf(name: string, value: unknown): string[] {
  if (!Array.isArray(value)) {
    if (typeof value !== 'object' || value === null) return [`${name}: ${value}`]
    const inner = Object.values(value)
    // Objects by name, such as one for each index, are also shown as a table.
    if (inner.length > 1 && inner.every((one) => typeof one === 'object' && one !== null && !Array.isArray(one)))
      return table(
        name,
        Object.entries(value).map(([key, one]) => ({ name: key, ...(one as Fields) })),
      )
    return Object.entries(value).flatMap(([key, one]) => linesOf(`${name}.${key}`, one))
  }
  if (value.every((one) => typeof one !== 'object' || one === null)) return [`${name}: ${value.join(', ')}`]
  if (value.every((one) => Array.isArray(one))) return [`${name}:`, ...value.map((row) => `  ${row.join(' | ')}`)]
  return tableOrDays(name, value as Fields[])
}

/** Flattens rows that contain rows, such as days with hours, into one table. */
function tableOrDays(name: string, rows: Fields[]): string[] {
  const inner = Object.keys(rows[0] ?? {}).find((key) => rows.some((row) => isRows(row[key])))
  if (inner === undefined) return table(name, rows)
  const flat = rows.flatMap(({ [inner]: list, ...row }) =>
    isRows(list) ? list.map((one) => ({ ...dayOf(row), ...one })) : [row],
  )
  return table(`${name}.${inner}`, flat)
}

function dayOf({ date }: Fields): Fields {
  return date === undefined ? {} : { date }
}

function isRows(value: unknown): value is Fields[] {
  return (
    Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'object' && !Array.isArray(one))
  )
}

function table(name: string, rows: Fields[]): string[] {
  const flat = rows.map((row) => flattened(row))
  const columns = [...new Set(flat.flatMap((row) => Object.keys(row)))]
  const shown = flat.slice(0, ROWS_MAX).map((row) => `  ${columns.map((column) => row[column] ?? '').join(' | ')}`)
  const left = rows.length - shown.length
  const rest = left > 0 ? [`  … ${left} more rows: ask for a shorter interval`] : []
  return [`${name} (${rows.length}):`, `  ${columns.join(' | ')}`, ...shown, ...rest]
}

/** Flattens the nested fields of a row, without its attribution, source URL and page. */
function flattened(row: Fields): Fields {
  const entries = Object.entries(row).flatMap(([name, value]): [string, unknown][] => {
    if (['attribution', 'source_url', 'page'].includes(name)) return []
    if (Array.isArray(value))
      return [[name, value.map((one) => (typeof one === 'object' ? JSON.stringify(one) : one)).join(', ')]]
    if (typeof value !== 'object' || value === null) return [[name, value]]
    return Object.entries(flattened(value as Fields)).map(([key, one]) => [`${name}.${key}`, one])
  })
  return Object.fromEntries(entries)
}

function metadataLines({ tag }: Pick<Endpoint, 'tag'>, reply: Fields, today: string): string[] {
  const json = JSON.stringify(reply)
  const sources = textsOf(json, 'source')
  const isSynthetic = /synthetic/i.test([...sources, reply.attribution].join()) || reply.simulated === true
  return [
    `Unit: ${unitOf(json) ?? 'none'}`,
    `Market day: ${marketDayOf(reply, json) ?? today}`,
    `Source: ${sources.join('; ') || String(reply.attribution ?? 'this service')}`,
    `Kind: ${KINDS[tag] ?? 'published values'}`,
    `Data: ${isSynthetic ? 'SYNTHETIC sample data, not market prices' : 'real'}`,
  ]
}

function unitOf(json: string): string | undefined {
  const units = [...textsOf(json, 'unit'), ...textsOf(json, 'unit_native')]
  const named = UNITS_IN_NAMES.flatMap(([ending, unit]) => (ending.test(json) ? [unit] : []))
  return [...new Set([...units, ...named])].join(', ') || undefined
}

function marketDayOf(
  { date, from, to, target_date: target, updated_at: updated }: Fields,
  json: string,
): string | undefined {
  if (typeof date === 'string') return date
  if (typeof target === 'string') return target
  if (typeof from === 'string' && typeof to === 'string') return `${from} to ${to}`
  const dates = textsOf(json, 'date').sort()
  if (dates.length > 0) return dates[0] === dates.at(-1) ? dates[0] : `${dates[0]} to ${dates.at(-1)}`
  return typeof updated === 'string' ? updated.slice(0, 10) : undefined
}

/** Returns the distinct texts of a field, at any depth. */
function textsOf(json: string, name: string): string[] {
  const found = [...json.matchAll(new RegExp(`"${name}":("(?:[^"\\\\]|\\\\.)*")`, 'g'))]
  return [...new Set(found.map(([, text = '""']) => JSON.parse(text) as string))]
}
