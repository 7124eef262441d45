/**
 * The files that pages load, all from this service: style sheets, scripts, the icon. The URL of each contains the hash of its
 * bytes, so browsers may cache it for ever and see a new release at once.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const TYPES = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
} as const

export interface Asset {
  /** `/assets/site.3f2a9c01.css` */
  address: string
  contentType: string
  text: string
}

const require = createRequire(import.meta.url)
const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

/** The sheets of `styles/` as one, in the order of their names. */
function siteCss(): string {
  const files = readdirSync(new URL('./styles/', import.meta.url)).filter((file) => file.endsWith('.css'))
  return files
    .sort()
    .map((file) => read(`./styles/${file}`))
    .join('\n')
}

const published = (file: string) => readFileSync(require.resolve(file), 'utf8')

const ASSETS = {
  'site.css': asset('site.css', siteCss()),
  'icon.svg': asset('icon.svg', read('./icon.svg')),
  'theme.js': asset('theme.js', read('./client/theme.js')),
  'copy.js': asset('copy.js', read('./client/copy.js')),
  'tomorrow.js': asset('tomorrow.js', read('./client/tomorrow.js')),
  'hours.js': asset('hours.js', read('./client/hours.js')),
  'key.js': asset('key.js', read('./client/key.js')),
  'live.js': asset('live.js', read('./client/live.js')),
  'sql.js': asset('sql.js', read('./client/sql.js')),
  'charts.js': asset('charts.js', read('./client/charts.js')),
  'zones.js': asset('zones.js', read('./client/zones.js')),
  'heat-map.js': asset('heat-map.js', read('./client/heat-map.js')),
  'chart-tools.js': asset('chart-tools.js', read('./client/chart-tools.js')),
  'uplot.css': asset('uplot.css', published('uplot/dist/uPlot.min.css')),
  'uplot.js': asset('uplot.js', published('uplot/dist/uPlot.iife.min.js')),
} as const
export type AssetName = keyof typeof ASSETS

/** The address that pages load it by. */
export function assetAddress(name: AssetName): string {
  return ASSETS[name].address
}

export function allAssets(): readonly Asset[] {
  return Object.values(ASSETS)
}

function asset(name: string, text: string): Asset {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8)
  const [stem, extension] = name.split('.') as [string, keyof typeof TYPES]
  return { address: `/assets/${stem}.${hash}.${extension}`, contentType: TYPES[extension], text }
}
