/** Every document as Markdown in both languages: the guides of `docs/`, the cards of the models, the changelog. Read as text: no model is loaded. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { DATASETS } from '../api/endpoints/bulk/schema-org.ts'
import { type Language, messages } from './i18n/language.ts'

const GUIDES = new URL('./docs/', import.meta.url)
const MODELS = new URL('../../models/', import.meta.url)
const CHANGELOG = new URL('../../CHANGELOG.md', import.meta.url)
const CHANGELOG_IN_ITALIAN = new URL('../../CHANGELOG.it.md', import.meta.url)

interface DocumentFile {
  /** Path of its page: `/docs/quick-start`. */
  path: string
  texts: Record<Language, string>
}

const read = (file: string | URL, folder?: URL) => readFileSync(new URL(file, folder), 'utf8')

/** `docs/<name>.md`, in the order of their names; their translations are in `docs/it/`. */
const guides = (): DocumentFile[] =>
  readdirSync(GUIDES)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => {
      const english = read(file, GUIDES)
      const italian = withCodeOf(english, read(`it/${file}`, GUIDES))
      return {
        path: `/docs/${file.slice(0, -'.md'.length)}`,
        texts: { en: withColumns(english, 'en'), it: withColumns(italian, 'it') },
      }
    })

/** `models/<folder>/card.md` is at `/docs/models/<folder>`, `models/hourly/<folder>/card.md` at `/docs/models/hourly-<folder>`. */
export const modelCards = (): DocumentFile[] =>
  ['', 'hourly/'].flatMap((parent) =>
    readdirSync(new URL(parent, MODELS))
      .sort()
      .map((name) => `${parent}${name}`)
      .filter((folder) => existsSync(new URL(`${folder}/card.md`, MODELS)))
      .map((folder) => {
        const en = read(`${folder}/card.md`, MODELS)
        const path = `/docs/models/${folder.replace('/', '-')}`
        return { path, texts: { en, it: withRowsOf(en, read(`${folder}/card.it.md`, MODELS)) } }
      }),
  )

export function documentFiles(): DocumentFile[] {
  const texts = { en: read(CHANGELOG), it: read(CHANGELOG_IN_ITALIAN) }
  return [...guides(), ...modelCards(), { path: '/docs/changes', texts }]
}

const CODE_BLOCK = ' *(?:```.*\\n(?:.*\\n)*? *```|<!-- code -->)'
/** Blocks with nothing between them. */
const CODE_RUNS = new RegExp(`^${CODE_BLOCK}(?:\\n+${CODE_BLOCK})*$`, 'gm')
const CODE_BLOCKS = new RegExp(`^${CODE_BLOCK}$`, 'gm')

/** Replaces each `<!-- code -->` of a translation by the English code at the same position: by all blocks, or by one if other blocks adjoin. */
export function withCodeOf(english: string, translation: string): string {
  const runs = [...english.matchAll(CODE_RUNS)].map(([run]) => run)
  let place = 0
  return translation.replace(CODE_RUNS, (own: string) => {
    const original = runs[place++]
    if (original === undefined) throw new Error(`the English text has ${runs.length} places with code, this one more`)
    if (own.trim() === '<!-- code -->') return original
    const blocks = [...(original.match(CODE_BLOCKS) ?? [])]
    return own.replace(CODE_BLOCKS, (block) => {
      const inEnglish = blocks.shift() ?? block
      return block.endsWith('```') ? block : inEnglish
    })
  })
}

const TABLE_ROWS = /^\|[ :|-]+\|\n((?:\|.+\n)*)/gm

/** Fills each table without rows with the rows of the English table at the same position, with decimal commas. */
function withRowsOf(english: string, translation: string): string {
  const tables = [...english.matchAll(TABLE_ROWS)].map(([, rows = '']) => rows.replace(/(\d)\.(\d)/g, '$1,$2'))
  let place = 0
  return translation.replace(TABLE_ROWS, (table: string, own: string) => {
    const rows = tables[place++] ?? ''
    return own === '' ? table + rows : table
  })
}

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

/** Italian meanings of columns, keyed by the English ones. */
export const ITALIAN_MEANINGS: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL('i18n/bulk-meanings.json', import.meta.url), 'utf8'),
)

/** Replaces `<!-- columns -->` in each section that is named after a dataset by a table of its columns. */
function withColumns(text: string, language: Language): string {
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
