import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const SHEET = readFileSync(new URL('../../../src/web/styles/10-tokens.css', import.meta.url), 'utf8')
/** The light and dark colours of a token, or of a class. */
const PAIR = 'light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)'
const THEMES = ['light', 'dark'] as const
const SHADES = ['above', 'below'].flatMap((side) => [1, 2, 3].map((depth) => `${side}-${depth}`))

describe.each(THEMES)('colours in %s', (theme) => {
  const ground = colour(new RegExp(`--card: ${PAIR}`), theme)

  const tone = (name: string) => colour(new RegExp(`\\.${name}\\b[^{}]*\\{\\s*--tone: ${PAIR}`), theme)

  it.each(['previous', 'f1', 'f2', 'f3'])('line and label of %s have a contrast of 4.5 : 1', (name) => {
    expect(contrast(tone(name), ground)).toBeGreaterThanOrEqual(4.5)
  })

  it.each(['low', 'normal', 'high', 'negative', 'near-zero'])('a shape of %s has a contrast of 3 : 1', (name) => {
    expect(contrast(tone(name), ground)).toBeGreaterThanOrEqual(3)
  })

  it.each(SHADES)('text and the selected outline have enough contrast with the shade %s', (name) => {
    const shade = tone(name)
    expect(contrast(colour(new RegExp(`--text: ${PAIR}`), theme), shade)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(colour(new RegExp(`--accent: ${PAIR}`), theme), shade)).toBeGreaterThanOrEqual(3)
  })

  it.each([
    ['above', 3],
    ['below', 3],
    ['heat', 7],
  ])('each step of %s has a contrast of 1.15 : 1 with the one before', (name, steps) => {
    const tones = Array.from({ length: steps }, (_, i) => tone(`${name}-${i + 1}`))
    for (const [i, shade] of tones.entries()) {
      const before = tones[i - 1] ?? ground
      expect(contrast(shade, before), `${name}-${i + 1}`).toBeGreaterThanOrEqual(i === 0 ? 1.05 : 1.15)
      expect(contrast(shade, ground)).toBeGreaterThanOrEqual(contrast(before, ground))
    }
  })

  it.each(['text', 'soft', 'accent', 'actual', 'up', 'down'])('text in %s has a contrast of 4.5 : 1', (name) => {
    expect(contrast(colour(new RegExp(`--${name}: ${PAIR}`), theme), ground)).toBeGreaterThanOrEqual(4.5)
  })
})

it('font sizes use the five tokens, except relative sizes and map units', () => {
  const folder = new URL('../../../src/web/styles/', import.meta.url)
  const sheets = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'))
  const sizes = sheets.flatMap((sheet) =>
    [...sheet.matchAll(/font(?:-size)?:\s*([^;/]+)/g)].map(([, size = '']) => size.trim()),
  )
  const free = sizes.filter((size) => !/^var\(--text-\w+\)$|^[\d.]+(em|px)$|^inherit$/.test(size))
  expect(sizes.length).toBeGreaterThan(40)
  expect(free).toEqual([])
  expect(SHEET.match(/--text-\w+:/g)).toHaveLength(5)
})

function colour(pattern: RegExp, theme: (typeof THEMES)[number]): string {
  return SHEET.match(pattern)?.[theme === 'light' ? 1 : 2] ?? ''
}

/** Contrast ratio as defined by WCAG 2. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
