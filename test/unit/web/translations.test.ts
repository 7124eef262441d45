import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../src/api/endpoints/index.ts'
import { operationsOf } from '../../../src/clients/generate/operations.ts'
import { DATASETS } from '../../../src/delivery/bulk/datasets/index.ts'
import { PUBLISHERS } from '../../../src/publishers/index.ts'
import {
  documentFiles,
  ITALIAN_MEANINGS as ITALIAN_COLUMNS,
  modelCards,
  withCodeOf,
} from '../../../src/web/document-files.ts'
import { ITALIAN_MEANINGS } from '../../../src/web/i18n/analysts.ts'
import { endpointTexts, ITALIAN_FIELDS } from '../../../src/web/i18n/endpoints.ts'
import { termsIn, usualPublicationIn } from '../../../src/web/i18n/sources.ts'
import { analystObjects } from '../../../src/web/pages/analysts.ts'
import { shownFields } from '../../../src/web/pages/reference.ts'

/** Figures in order of size; English `2,184` is Italian `2.184`, `0.79` is `0,79`. */
const figures = (text: string, thousands: string) =>
  (text.match(/\d+(?:[.,]\d+)*/g) ?? [])
    .map((figure) => Number(figure.replaceAll(thousands, '').replace(',', '.')))
    .sort((a, b) => a - b)

const codeOf = (text: string) => [...new Set(text.match(/`[^`]*`/g))].sort()

describe('the Italian translation', () => {
  it('has every view, function and column for analysts, and nothing else', () => {
    const { views, functions } = analystObjects('en')
    const english = [...views, ...functions].flatMap(({ comment, columns }) => [
      comment,
      ...columns.flatMap((column) => ('comment' in column ? column.comment : [])),
    ])
    expect(Object.keys(ITALIAN_MEANINGS).sort()).toEqual([...new Set(english)].sort())
  })

  it('has every column of the bulk files, and nothing else', () => {
    const english = Object.values(DATASETS).flatMap(({ columns }) => columns.map(({ meaning }) => meaning))
    expect(Object.keys(ITALIAN_COLUMNS).sort()).toEqual([...new Set(english)].sort())
  })

  it.each(modelCards().map(({ path, texts }) => [path, texts] as const))('%s has the same figures', (_path, texts) => {
    expect(figures(texts.it, '.')).toEqual(figures(texts.en, ','))
    expect(texts.it.match(/^#+ /gm)).toEqual(texts.en.match(/^#+ /gm))
  })

  it('has every guide, and nothing else', () => {
    const guidesIn = (folder: string) =>
      readdirSync(new URL(`../../../src/web/docs/${folder}`, import.meta.url)).filter((file) => file.endsWith('.md'))
    expect(guidesIn('it')).toEqual(guidesIn('.'))
  })

  it('inserts English code blocks at placeholders, and refuses one too many', () => {
    const english = '```sh\na\n```\ntext\n```sh\nb\n```\n\n```sh\nc\n```\n'
    expect(withCodeOf(english, '```sh\nmio\n```\ntesto\n<!-- code -->\n')).toBe(
      '```sh\nmio\n```\ntesto\n```sh\nb\n```\n\n```sh\nc\n```\n',
    )
    expect(() => withCodeOf(english, 'testo\n<!-- code -->\n'.repeat(3))).toThrow('the English text has 2 places')
  })

  it('has the same changelog entries', () => {
    const texts = documentFiles().find(({ path }) => path === '/docs/changes')?.texts
    const shape = (text = '') => text.match(/^(#+ [\d.]+.*|#+ |- (`[^`]+`)?)/gm) ?? []
    expect(shape(texts?.en).length).toBeGreaterThan(20)
    expect(shape(texts?.it)).toEqual(shape(texts?.en))
  })

  it.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))(
    'has a summary of %s and a description with the same code',
    (_id, one) => {
      const [italian, english] = [endpointTexts(one, 'it'), endpointTexts(one, 'en')]
      expect(english).toEqual({ summary: one.summary, description: one.description })
      for (const words of ['summary', 'description'] as const) expect(italian[words]).not.toBe(one[words])
      expect(codeOf(italian.description)).toEqual(codeOf(one.description))
    },
  )

  it('has every parameter and field of the reference with the same code, and nothing else', () => {
    const operations = operationsOf(JSON.parse(readFileSync('src/web/openapi.json', 'utf8')))
    const english = operations.flatMap((one) => Object.values(shownFields(one)).flat()).map((one) => one.description)
    expect(Object.keys(ITALIAN_FIELDS).sort()).toEqual([...new Set(english.filter(Boolean))].sort())
    for (const [text, italian] of Object.entries(ITALIAN_FIELDS)) {
      expect({ text, code: codeOf(italian) }).toEqual({ text, code: codeOf(text) })
    }
  })

  it.each(PUBLISHERS.map(({ id, terms }) => [id, terms] as const))('has the terms of source %s', (id, terms) => {
    expect(termsIn('it', id, terms)).not.toBe(terms)
    expect(termsIn('en', id, terms)).toBe(terms)
  })

  it.each([
    ['12:55 Europe/Rome on the day before', '12:55, ora di Roma, del giorno prima'],
    ['18:00 Europe/Rome on the day', '18:00, ora di Roma, del giorno stesso'],
    ['20:00 Europe/Rome 1 day later', '20:00, ora di Roma, un giorno dopo'],
    ['20:00 Europe/Rome 8 days later', '20:00, ora di Roma, 8 giorni dopo'],
  ])('translates the publication time %s', (english, italian) => {
    expect(usualPublicationIn('it', english)).toBe(italian)
    expect(usualPublicationIn('en', english)).toBe(english)
  })
})

it.each(['en', 'it'] as const)('the page on bulk files has the columns of every dataset, in %s', (language) => {
  const { texts } = documentFiles().find(({ path }) => path === '/docs/bulk') as ReturnType<typeof modelCards>[0]
  for (const [name, { columns }] of Object.entries(DATASETS)) {
    const section = texts[language].split(`## ${name}\n`)[1]?.split('\n## ')[0] ?? ''
    expect([...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, column]) => column)).toEqual(
      columns.map((column) => column.name),
    )
  }
})
