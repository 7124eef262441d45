/** The tables of `src/publishers/README.md`, generated from the publishers' definitions. */
import type { z } from 'zod'
import { GENERIC_DOCUMENTS, PUBLISHERS } from '../../src/publishers/index.ts'
import type { Moment } from '../../src/publishers/publisher.ts'
import { COMMON_VARIABLES } from '../../src/publishers/settings.ts'
import { FETCHED_PUBLISHERS } from '../../src/publishers/sources.ts'

export function publisherTables(): string {
  const publishers = PUBLISHERS.map(({ id, delivers, fetching, lateAt }) => {
    if (fetching === undefined) return [code(id), delivers, 'none', 'made here', '', '', '']
    const { needs, together, readFrom, askFrom, earlyAt, refetchAt, historyFrom } = fetching
    const account = [...Object.keys(needs), ...together].map(code).join(', ') || 'none'
    const optional = together.length > 0 ? '; none needed' : ''
    const first = [...new Set([askFrom, refetchAt ?? []].flat().map(moment))].join('; again at ')
    const times = earlyAt ? `${first}; early at ${moment(earlyAt)}` : first
    return [code(id), delivers, account + optional, readFrom, times, moment(lateAt), historyFrom]
  })
  const terms = [...Map.groupBy(PUBLISHERS, ({ terms }) => terms)].map(([text, those]) => [
    those.map(({ id }) => code(id)).join(', '),
    those[0]?.redistributable ? 'yes' : 'no',
    text,
  ])
  const documents = [
    ...PUBLISHERS.map(({ id, documents }) => ({ whose: code(id), documents })),
    { whose: 'anybody', documents: GENERIC_DOCUMENTS },
  ].flatMap(({ whose, documents }) => documents.map(({ kind, about }) => [whose, code(kind), about]))
  const common = Object.entries(COMMON_VARIABLES).map(([name, { description }]) => [
    code(`<ID>_${name}`),
    'its own',
    description ?? '',
  ])
  const own = Object.assign(
    {},
    ...FETCHED_PUBLISHERS.map(({ fetching }) => ({ ...fetching?.needs, ...fetching?.variables })),
  )
  return [
    table(['Publisher', 'Delivers', 'Account', 'Read from', 'Requested from', 'Late at', 'History from'], publishers),
    table(['Publisher', 'May be redistributed', 'Terms'], terms),
    table(['Of', 'Document', 'What it is'], documents),
    table(
      ['Variable', 'Default', 'Meaning'],
      [...Object.entries<z.ZodType>(own).map(([name, shape]) => variable(name, shape)), ...common],
    ),
  ].join('\n')
}

/** `12:55 on the day before` */
function moment({ days, time }: Moment): string {
  if (days === 0) return `${time} on the day`
  if (days === -1) return `${time} on the day before`
  const distance = Math.abs(days)
  return `${time}, ${distance} day${distance === 1 ? '' : 's'} ${days < 0 ? 'earlier' : 'later'}`
}

function variable(name: string, shape: z.ZodType): string[] {
  return [code(name), defaultOf(shape), shape.description ?? '']
}

/** The default of a variable as documented; `none` if it has none or an empty list. */
export function defaultOf(shape: z.ZodType): string {
  const byDefault = shape.safeParse(undefined).data
  if (byDefault === '') return 'none'
  if (typeof byDefault === 'boolean') return code(byDefault ? 'on' : 'off')
  return typeof byDefault === 'string' || typeof byDefault === 'number' ? code(String(byDefault)) : 'none'
}

export function table(heads: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |\n`
  return line(heads) + line(heads.map(() => '---')) + rows.map(line).join('')
}

export function code(text: string): string {
  return `\`${text}\``
}
