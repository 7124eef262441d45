import { expect, it } from 'vitest'
import { formatsOf } from '../../../src/web/i18n/formats.ts'
import { priceTexts } from '../../../src/web/i18n/indices.ts'
import { article } from '../../../src/web/i18n/italian.ts'
import { pricePageTexts } from '../../../src/web/i18n/price-page.ts'

const formats = formatsOf('it')

it.each([
  ['2026-11-01', 'del 1 nov 2026'],
  ['2026-11-07', 'del 7 nov 2026'],
  ['2026-11-08', 'dell’8 nov 2026'],
  ['2026-11-11', 'dell’11 nov 2026'],
  ['2026-11-18', 'del 18 nov 2026'],
  ['2026-11-28', 'del 28 nov 2026'],
])('a date has the right article: %s', (day, expected) => {
  expect(article('del', formats.day(day)) + formats.day(day)).toBe(expected)
})

it.each([
  [0, 'lo 0%'],
  [0.01, 'l’1%'],
  [0.08, 'l’8%'],
  [0.1, 'il 10%'],
  [0.11, 'l’11%'],
  [0.7, 'il 70%'],
  [0.8, 'l’80%'],
  [0.87, 'l’87%'],
  [1, 'il 100%'],
])('a percentage has the right article: %s', (share, expected) => {
  const text = formats.percent(share, 0)
  expect(article('il', text) + text).toBe(expected)
})

it('the texts of an index use the right articles', () => {
  const { accuracy, issued, caption } = pricePageTexts.it
  expect(accuracy('5,77', '83%', 30)).toContain('e l’83% dei prezzi')
  expect(issued(formats.instant('2026-11-11T13:00:00Z'), 'base')).toBe('Emessa l’11 nov 2026, 14:00 dal modello base.')
  expect(caption('PUN', '8 ott 2026', '11 nov 2026')).toBe('PUN, prezzi giornalieri dall’8 ott 2026 all’11 nov 2026')
  expect(priceTexts.it.trend('8 ott 2026', '7 nov 2026', '1', '2')).toMatch(/^Dall’8 ott 2026 al 7 nov 2026: /)
})
