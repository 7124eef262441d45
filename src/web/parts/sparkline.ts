import { type Html, html } from '../html.ts'

const WIDTH = 120
const HEIGHT = 32
const MARGIN = 2

/**
 * A line without axes. Days without a price are gaps of time, not of the line: points lie where their day is.
 * `label` says in words what the line shows.
 */
export function sparkline(points: readonly { date: string; value: number }[], label: string): Html {
  const times = points.map(({ date }) => Date.parse(date))
  const values = points.map(({ value }) => value)
  const x = scale(Math.min(...times), Math.max(...times), MARGIN, WIDTH - MARGIN)
  const y = scale(Math.min(...values), Math.max(...values), HEIGHT - MARGIN, MARGIN)
  const line = points.map((point, i) => `${x(times[i] as number)},${y(point.value)}`).join(' ')
  return html`<svg class="sparkline" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}">
<polyline points="${line}" /></svg>`
}

function scale(from: number, to: number, low: number, high: number): (value: number) => number {
  const span = to - from
  const middle = (low + high) / 2
  return (value) => Math.round((span === 0 ? middle : low + ((value - from) / span) * (high - low)) * 100) / 100
}
