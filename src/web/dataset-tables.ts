/** The order and the columns of each dataset of the bulk exports, as its section of the documents shows them. */
import { readFileSync } from 'node:fs'
import { DATASETS } from '../api/endpoints/bulk/schema-org.ts'
import { type Language, messages } from './i18n/language.ts'

const TEXTS = messages({
  sortedBy: ['Sorted by', 'Ordinato per'],
  heads: [
    ['Column', 'Type', 'Meaning'],
    ['Colonna', 'Tipo', 'Significato'],
  ],
  types: [
    { text: 'text', date: 'date', instant: 'timestamp, UTC', integer: 'int32', number: 'double' },
    { text: 'testo', date: 'data', instant: 'istante, UTC', integer: 'int32', number: 'double' },
  ],
  optional: ['may be missing', 'può mancare'],
})

/** Meanings of columns by the English ones. */
export const ITALIAN_MEANINGS: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL('i18n/bulk-meanings.json', import.meta.url), 'utf8'),
)

/** The text with the columns of the dataset that a section is named after in place of its line `<!-- columns -->`. */
export function withColumns(text: string, language: Language): string {
  return text.replace(/^## (\S+)\n((?:(?!## ).*\n)*?)<!-- columns -->$/gm, (_section, name: string, before: string) => {
    const table = tableOf(DATASETS[name as keyof typeof DATASETS], language)
    return `## ${name}\n${before}${table}`
  })
}

function tableOf({ columns, sortedBy }: (typeof DATASETS)['pun-hourly'], language: Language): string {
  const { sortedBy: order, heads, types, optional } = TEXTS[language]
  const rows = columns.map(({ name, type, nullable, meaning }) => [
    `\`${name}\``,
    nullable ? `${types[type]}, ${optional}` : types[type],
    language === 'it' ? (ITALIAN_MEANINGS[meaning] ?? meaning) : meaning,
  ])
  const lines = [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return [`${order} ${sortedBy.map((name) => `\`${name}\``).join(', ')}.`, '', ...lines].join('\n')
}
