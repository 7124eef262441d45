/** Changes of `GET /changes` and `GET /stream`, and the cursors that both resume from. */
import { createHash } from 'node:crypto'
import * as z from 'zod'
import { ASSET_CODES } from '../../market/assets.ts'
import * as field from './fields.ts'
import { hourlyZone } from './hourly.ts'
import { anyCase, distinctOf, parsedText } from './parameters.ts'

/** Meaning of each event, for the documentation. */
const CHANGE_KINDS = {
  'day.published': 'A market day has its first values, or values where there were none.',
  'day.corrected': 'Later values have replaced some of a market day.',
  'hours.negative': 'Hours or quarter-hours of a market day just published or corrected are below zero.',
  'forecast.issued': 'Forecasts of an index have been issued.',
  'offers.updated': 'A day’s list of retail offers has been stored.',
  'export.ready': 'A bulk file has been remade with other contents, or an export that you ordered is ready.',
  'source.late': 'A publisher’s day is not complete in time.',
  'source.recovered': 'A publisher that was late or refused us delivers again.',
  'key.rotated': 'Your key has been replaced by another.',
  'key.revoked': 'Your key has been revoked.',
  'quota.reached': 'Your key has used 80 or 100% of the month’s requests.',
  'dataset.reset': 'All sample data are gone: delete what you hold and read everything again.',
} as const
export type ChangeKind = keyof typeof CHANGE_KINDS

const CHANGE_DATASETS = [
  'pun',
  'zones',
  'psv',
  'ttf',
  'brent',
  'co2',
  'forecasts',
  'forecasts-hourly',
  'fundamentals',
  'markets',
  'offers',
  'exports',
  'sources',
  'keys',
] as const
export type ChangeDataset = (typeof CHANGE_DATASETS)[number]

export const changeKind = z.enum(Object.keys(CHANGE_KINDS) as [ChangeKind, ...ChangeKind[]]).meta({
  id: 'ChangeKind',
  description: Object.entries(CHANGE_KINDS)
    .map(([kind, meaning]) => `\`${kind}\`: ${meaning}`)
    .join(' '),
})
export const changeDataset = anyCase(z.enum(CHANGE_DATASETS).meta({ id: 'ChangeDataset' }))

export const change = z
  .strictObject({
    cursor: field.text('Of this change: what comes after it follows `since` this.'),
    kind: changeKind,
    dataset: changeDataset.optional().meta({ description: 'Absent where all of them are concerned.' }),
    asset: z.enum(ASSET_CODES).optional().meta({ description: 'Index that was forecast.', example: 'PUN' }),
    zones: z.array(hourlyZone).optional().meta({ description: 'Market zones concerned.' }),
    day: field.day.optional('Market day concerned.', '2026-11-22'),
    version: field.positive.optional('Of the day’s values: 1 at first, one more with each correction.', 1),
    as_of: field.text(
      'When it happened, UTC. As the parameter `as_of` it gives the values as they were then.',
      '2026-11-21T11:58:03.412Z',
    ),
    sample: z.literal(true).optional().meta({ description: 'Sample data.' }),
    details: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Facts of the kind, such as how many intervals of each zone were written.' }),
    url: field.url.optional('Address of the value as it is now.'),
  })
  .meta({ id: 'Change', description: 'Something that happened.' })

export const changeList = z
  .strictObject({
    changes: z.array(change).meta({ description: 'In the order in which they happened.' }),
    next: field.text('Cursor to resume from.', '184-9f2c01ab-31f1ca'),
    more: field.flag('Whether there are more already.'),
  })
  .meta({ id: 'ChangeList', description: 'Changes after a cursor.' })

/** Parses `dataset=pun,zones` into a list. */
export const changeDatasets = listOf(CHANGE_DATASETS, {
  what: 'datasets',
  description: 'Only changes of these datasets (`ChangeDataset`), comma-separated. Default: all.',
  example: 'pun,zones',
})

/** Parses `events=day.published,day.corrected` into a list. */
export const changeKinds = listOf(changeKind.options, {
  what: 'kinds',
  description: 'Only changes of these kinds (`ChangeKind`), comma-separated. Default: all.',
  example: 'day.published,day.corrected',
})

function listOf<T extends string>(
  values: readonly T[],
  { what, description, example }: { what: string; description: string; example: string },
) {
  return parsedText(
    (text) => distinctOf(text, (given) => values.find((value) => value === given.toLowerCase())),
    `must be a comma-separated list of distinct ${what} (${values.join(', ')})`,
  )
    .optional()
    .meta({ description, example, override: { type: 'string' } })
}

/** Maximum number of changes on a page of `/changes`, and of changes that a stream replays. */
export const CHANGES_LIMIT_MAX = 1_000

export type ChangeBody = z.infer<typeof change>
export type ChangeList = z.infer<typeof changeList>

const CURSOR = /^(\d{1,15})-([0-9a-f]{8})-([0-9a-f]{6})$/

/** `184-9f2c01ab-31f1ca`: a position, the id of the change log, and a checksum of both that detects typing errors, not tampering. */
export function cursorOf(position: number, logId: string): string {
  return `${position}-${logId}-${checksum(position, logId)}`
}

/** Parses a cursor; undefined if it is malformed or its checksum is wrong. */
export function readCursor(text: string): { position: number; logId: string } | undefined {
  const [, digits, logId] = CURSOR.exec(text) ?? []
  if (digits === undefined || logId === undefined) return undefined
  const position = Number(digits)
  return cursorOf(position, logId) === text ? { position, logId } : undefined
}

function checksum(position: number, logId: string): string {
  return createHash('sha256').update(`${logId} ${position}`).digest('hex').slice(0, 6)
}
