/**
 * Assets of the pages, all served by this service. Scripts, the font and the icon are files with a content hash in their URL, so browsers
 * can cache them for ever and still get a new release at once. Assets that block the first paint are inlined in the page.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Html } from './html.ts'

const TYPES = {
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
} as const

export interface Asset {
  /** `/assets/charts.3f2a9c01.js` */
  address: string
  contentType: string
  body: string | Buffer
}

const require = createRequire(import.meta.url)
const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

/** Concatenates the style sheets of `styles/` in the order of their names. */
function siteCss(): string {
  const files = readdirSync(new URL('./styles/', import.meta.url)).filter((file) => file.endsWith('.css'))
  return files
    .sort()
    .map((file) => read(`./styles/${file}`))
    .join('\n')
}

/** Latin letters in every weight, 48 kB; under the OFL. */
const FONT = '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'

/** Minifies a style sheet and replaces the names of assets by their URLs. */
function minify(css: string): string {
  return css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,>]) ?/g, '$1')
    .replace(/url\(([\w.-]+)\)/g, (_, name: AssetName) => `url(${assetAddress(name)})`)
}

/** Styles of Swagger UI, in the colours of the pages. */
export const apiDocsCss = () => minify(read('./styles/10-tokens.css') + read('./swagger.css'))

const readPackageFile = (file: string) => readFileSync(require.resolve(file), 'utf8')

const ASSETS = {
  'inter.woff2': asset('inter.woff2', readFileSync(require.resolve(FONT))),
  'icon.svg': asset('icon.svg', read('./icon.svg')),
  'copy.js': asset('copy.js', read('./client/copy.js')),
  'tomorrow.js': asset('tomorrow.js', read('./client/tomorrow.js')),
  'hours.js': asset('hours.js', read('./client/hours.js')),
  'alerts.js': asset('alerts.js', read('./client/alerts.js')),
  'key.js': asset('key.js', read('./client/key.js')),
  'live.js': asset('live.js', read('./client/live.js')),
  'mine.js': asset('mine.js', read('./client/mine.js')),
  'meter-file.js': asset('meter-file.js', read('./client/meter-file.js')),
  'sql.js': asset('sql.js', read('./client/sql.js')),
  'reference.js': asset('reference.js', read('./client/reference.js')),
  'chart-lines.js': asset('chart-lines.js', read('./client/chart-lines.js')),
  'charts.js': asset('charts.js', read('./client/charts.js')),
  'zones.js': asset('zones.js', read('./client/zones.js')),
  'heat-map.js': asset('heat-map.js', read('./client/heat-map.js')),
  'chart-tools.js': asset('chart-tools.js', read('./client/chart-tools.js')),
  'uplot.js': asset('uplot.js', readPackageFile('uplot/dist/uPlot.iife.min.js')),
} as const
export type AssetName = keyof typeof ASSETS

/** Style sheets and scripts that are inlined in the page: a separate file would delay the first paint by a round trip. */
const INLINE = {
  'site.css': minify(siteCss()),
  'uplot.css': readPackageFile('uplot/dist/uPlot.min.css'),
  'theme.js': read('./client/theme.js'),
} as const
export type InlineName = keyof typeof INLINE

export function inline(name: InlineName): Html {
  return new Html(name.endsWith('.css') ? `<style>${INLINE[name]}</style>` : `<script>${INLINE[name]}</script>`)
}

/** Returns the hashes by which the content security policy allows the inline styles and scripts. */
export function inlineSources(): { styles: string[]; scripts: string[] } {
  const sources = (extension: string) =>
    Object.entries(INLINE)
      .filter(([name]) => name.endsWith(extension))
      .map(([, text]) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  return { styles: sources('.css'), scripts: sources('.js') }
}

/** Returns the URL from which pages load an asset. */
export function assetAddress(name: AssetName): string {
  return ASSETS[name].address
}

export function allAssets(): readonly Asset[] {
  return Object.values(ASSETS)
}

function asset(name: string, body: string | Buffer): Asset {
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 8)
  const [stem, extension] = name.split('.') as [string, keyof typeof TYPES]
  return { address: `/assets/${stem}.${hash}.${extension}`, contentType: TYPES[extension], body }
}
