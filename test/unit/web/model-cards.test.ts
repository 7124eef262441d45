import { expect, it } from 'vitest'
import { HOURLY_MODELS } from '../../../models/hourly/registry.ts'
import { MODELS } from '../../../models/registry.ts'

import { modelCards } from '../../../src/web/model-cards.ts'
import { methodology } from '../../../src/web/pages/methodology.ts'

const cards = modelCards()

it.each([...MODELS, ...HOURLY_MODELS].map(({ id }) => id))('%s is described by a card', (id) => {
  expect(cards.filter(({ main }) => main.text.includes(`<code>${id}</code>`))).not.toEqual([])
})

it('every card is linked from the page about forecasts', () => {
  expect(cards.map(({ path }) => path)).toEqual(
    ['base', 'baselines', 'lear', 'output', 'pun-ensemble', 'hourly-ensemble', 'hourly-same-hour'].map(
      (name) => `/docs/models/${name}`,
    ),
  )
  const page = methodology().text
  for (const { path, title } of cards) expect(page).toContain(`<a href="${path}">${title}</a>`)
})
