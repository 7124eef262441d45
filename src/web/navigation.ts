/** The entries of the main navigation, in order. */
import { ASSETS } from '../market/assets.ts'
import type { frameTexts } from './i18n/frame.ts'
import type { Section } from './page.ts'

interface NavigationEntry {
  section: Section
  path: string
  /** A code that is the same in every language, or the name of a text. */
  label: { code: string } | { text: keyof (typeof frameTexts)['en'] }
  /** Whether it is a tab on a phone; the others are in the menu of the last tab. */
  isTab?: boolean
}

const INDICES = Object.values(ASSETS).map(
  ({ code, slug }): NavigationEntry => ({ section: slug, path: `/prices/${slug}`, label: { code } }),
)

export const NAVIGATION: readonly NavigationEntry[] = [
  { section: 'home', path: '/', label: { text: 'home' }, isTab: true },
  { section: 'bill', path: '/bands', label: { text: 'bill' }, isTab: true },
  { section: 'forecasts', path: '/forecasts', label: { text: 'forecasts' }, isTab: true },
  ...INDICES,
  { section: 'offers', path: '/offers', label: { text: 'offers' } },
  { section: 'tools', path: '/tools', label: { text: 'tools' } },
  { section: 'docs', path: '/docs', label: { text: 'docs' } },
  { section: 'status', path: '/status', label: { text: 'status' } },
]
