/** Every page outside `/v1`: the site map. */
import { ASSETS } from '../market/assets.ts'
import type { Page } from './page.ts'
import { analystsPage } from './pages/analysts.ts'
import { bandsPage } from './pages/bands.ts'
import { docsPage } from './pages/docs.ts'
import { documentPages } from './pages/documents.ts'
import { errorsPage } from './pages/errors.ts'
import { forecastsPage } from './pages/forecasts.ts'
import { homePage } from './pages/home.ts'
import { hourlyForecastsPage } from './pages/hourly-forecasts.ts'
import { hoursPage } from './pages/hours.ts'
import { limitsPage } from './pages/limits.ts'
import { marketsPage } from './pages/markets.ts'
import { offersPage } from './pages/offers.ts'
import { pastForecastsPage } from './pages/past-forecasts.ts'
import { plansPage } from './pages/plans.ts'
import { pricePage } from './pages/price.ts'
import { referencePage, referenceTagPage, referenceTagPaths } from './pages/reference.ts'
import { sampleDataPage } from './pages/sample-data.ts'
import { sqlPage } from './pages/sql.ts'
import { statusPage } from './pages/status.ts'
import { tradingPage } from './pages/trading.ts'
import { usagePage } from './pages/usage.ts'
import { widgetsPage } from './pages/widgets.ts'
import { zonesPage } from './pages/zones.ts'

export const pages: readonly Page[] = [
  homePage,
  hoursPage,
  pricePage,
  bandsPage,
  zonesPage,
  marketsPage,
  forecastsPage,
  hourlyForecastsPage,
  pastForecastsPage,
  docsPage,
  referencePage,
  referenceTagPage,
  limitsPage,
  errorsPage,
  analystsPage, // before the document of that name, which introduces it
  sampleDataPage,
  offersPage,
  sqlPage,
  statusPage,
  tradingPage,
  plansPage,
  usagePage,
  widgetsPage,
  ...documentPages,
]

/** The paths of pages with a parameter in their path. */
const ADDRESSES = new Map<string, readonly string[]>([
  [pricePage.path, Object.values(ASSETS).map(({ slug }) => pricePage.path.replace('{slug}', slug))],
  [referenceTagPage.path, referenceTagPaths],
])

/** The paths of all pages, without a language. */
export const pagePaths: readonly string[] = [...new Set(pages.flatMap(({ path }) => ADDRESSES.get(path) ?? [path]))]
