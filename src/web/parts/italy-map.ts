/**
 * The market zones as shapes: the regions of `@svg-maps/italy` (MapSVG, CC BY 4.0), rounded to the map's own units, each in its zone. Read once; the
 * page loads nothing for it.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { MarketZone } from '../../market/zones.ts'

/** Terna's zones since 2021: Umbria is in the Centre-South, Calabria a zone of its own. */
const REGIONS: Record<MarketZone, readonly string[]> = {
  nord: [
    'aosta-valley',
    'piedmont',
    'liguria',
    'lombardy',
    'trentino-south-tyrol',
    'veneto',
    'friuli-venezia-giulia',
    'emilia-romagna',
  ],
  cnor: ['tuscany', 'marche'],
  csud: ['lazio', 'umbria', 'abruzzo', 'campania'],
  sud: ['molise', 'apulia', 'basilicata'],
  cala: ['calabria'],
  sici: ['sicily'],
  sard: ['sardinia'],
}

interface ZoneShape {
  code: MarketZone
  path: string
  /** Where its figure stands. */
  label: { x: number; y: number }
}

const LABELS: Record<MarketZone, ZoneShape['label']> = {
  nord: { x: 190, y: 118 },
  cnor: { x: 250, y: 245 },
  csud: { x: 330, y: 352 },
  sud: { x: 487, y: 415 },
  cala: { x: 487, y: 565 },
  sici: { x: 372, y: 690 },
  sard: { x: 98, y: 480 },
}

const STEP = /(-?[\d.]+(?:e-?\d+)?)[ ,]+(-?[\d.]+(?:e-?\d+)?)/g
const MAP = readFileSync(createRequire(import.meta.url).resolve('@svg-maps/italy/italy.svg'), 'utf8')
const PATHS = new Map(
  [...MAP.matchAll(/<path([^>]*)>/g)].map(([, attributes = '']) => [
    attribute('id', attributes),
    attribute('d', attributes),
  ]),
)

export const MAP_VIEW_BOX = attribute('viewBox', MAP)
export const ZONE_SHAPES: readonly ZoneShape[] = (Object.keys(REGIONS) as MarketZone[]).map((code) => {
  return { code, path: REGIONS[code].map((region) => rounded(PATHS.get(region) ?? '')).join(''), label: LABELS[code] }
})

function attribute(name: string, markup: string): string {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(markup)?.[1]
  if (value === undefined) throw new Error(`the map has no ${name}`)
  return value
}

/** Closed shapes of relative steps, `m 374.27,304.03 1.36,6.34 … z`, as lines between whole places; steps too short to see are left out. */
function rounded(path: string): string {
  let start = { x: 0, y: 0 } // to which `z` returns
  return path
    .split('z')
    .filter((shape) => shape.trim() !== '')
    .map((shape) => {
      let { x, y } = start
      const places = [...shape.matchAll(STEP)].map(([, dx, dy]) => {
        x += Number(dx)
        y += Number(dy)
        return { x, y }
      })
      start = places[0] ?? start
      const whole = places.map((place) => `${Math.round(place.x)} ${Math.round(place.y)}`)
      return `M${whole.filter((place, i) => place !== whole[i - 1]).join('L')}z`
    })
    .join('')
}
