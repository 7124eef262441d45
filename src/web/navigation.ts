/** The entries of the main navigation, in order. */
import { ASSETS, type AssetSlug, assetBySlug } from '../market/assets.ts'
import { frameTexts } from './i18n/frame.ts'
import type { Language } from './i18n/language.ts'
import type { Section } from './page.ts'

interface NavigationEntry {
  section: Section
  path: string
  /** Whether it is a tab on a phone; the others are in the menu of the last tab. */
  isTab?: true
}

const INDICES = Object.values(ASSETS).map(({ slug }) => ({ section: slug, path: `/prices/${slug}` }))

export const NAVIGATION: readonly NavigationEntry[] = [
  { section: 'home', path: '/', isTab: true },
  { section: 'bill', path: '/bands', isTab: true },
  { section: 'forecasts', path: '/forecasts', isTab: true },
  ...INDICES,
  { section: 'offers', path: '/offers' },
  { section: 'tools', path: '/tools' },
  { section: 'docs', path: '/docs' },
  { section: 'status', path: '/status' },
]

/** The code of an index, which is the same in every language, or the name of the section. */
export function navigationLabel({ section }: NavigationEntry, language: Language): string {
  return assetBySlug(section)?.code ?? frameTexts[language][section as Exclude<Section, AssetSlug>]
}
