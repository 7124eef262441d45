import { describe, expect, it } from 'vitest'
import { HOURLY_MODELS, MODELS } from '../../../models/registry.ts'
import { PASS_THROUGH_RULES } from '../../../src/market/scenarios/pass-through.ts'
import { DEMAND_GROWTH } from '../../../src/market/scenarios/project-scenarios.ts'
import { documentFiles, modelCards } from '../../../src/web/document-files.ts'

const cards = modelCards()
const texts = documentFiles().find(({ path }) => path === '/docs/methodology')?.texts
const [english, italian] = [texts?.en ?? '', texts?.it ?? '']

it.each([...MODELS, ...HOURLY_MODELS].map(({ id }) => id))('%s is described by a card', (id) => {
  expect(cards.filter(({ texts }) => texts.en.includes(`\`${id}\``))).not.toEqual([])
})

describe.each([
  { language: 'English', text: english },
  { language: 'Italian', text: italian },
])('the methodology in $language', ({ text }) => {
  it('links every card', () => {
    const links = [...text.matchAll(/^- \[.+\]\((.+)\)$/gm)].map(([, path]) => path)
    expect(links).toEqual(cards.map(({ path }) => path))
  })

  it('states the enforced bounds of the scenarios', () => {
    const { PUN, PSV } = PASS_THROUGH_RULES
    const scenarios = text
      .slice(text.lastIndexOf('\n## '))
      .replace(/(\d),(\d)/g, '$1.$2')
      .replaceAll('−', '-')
    const stated = (scenarios.match(/-?\d+(\.\d+)?(?= |%)/g) ?? []).map(Number)
    expect(stated).toEqual(
      expect.arrayContaining([
        ...[PUN.gas.least, PUN.gas.most, PUN.co2.least, PUN.co2.most, PSV.gas.least, PSV.gas.most],
        ...[PUN.demandElasticity, PSV.demandElasticity, DEMAND_GROWTH.bull * 100, DEMAND_GROWTH.bear * 100],
      ]),
    )
  })
})

it('the methodology has the same programs, fields and figures in both languages', () => {
  const programs = (text: string) => text.match(/```python\n.+?```/gs)
  const fields = (text: string) => text.match(/^\| `\w+` \|/gm)
  const figures = (text: string) =>
    text
      .match(/^\|[^|]+\| ([\d*.,; –a-zMB]+) \| ([\d*.,; sMB]+) \|$/gm)
      ?.map((row) => row.replace(/^\|[^|]+\|/, '').match(/\d+/g))
  expect(programs(italian)).toEqual(programs(english))
  expect(programs(english)).toHaveLength(2)
  expect(fields(italian)).toEqual(fields(english))
  expect(fields(english)).toHaveLength(15)
  expect(figures(italian)).toEqual(figures(english))
  expect(figures(english)).toHaveLength(10)
})
