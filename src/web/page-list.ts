/** Every page outside `/v1`: the site map. */
import { ASSETS } from '../market/assets.ts'
import type { Page } from './page.ts'
import { analystsPage } from './pages/analysts.ts'
import { bandsPage } from './pages/bands.ts'
import { changesPage } from './pages/changes.ts'
import { docsPage } from './pages/docs.ts'
import { documentPages } from './pages/documents.ts'
import { errorsPage } from './pages/errors.ts'
import { forecastsPage } from './pages/forecasts.ts'
import { homePage } from './pages/home.ts'
import { hourlyForecastsPage } from './pages/hourly-forecasts.ts'
import { limitsPage } from './pages/limits.ts'
import { methodologyPage } from './pages/methodology.ts'
import { offersPage } from './pages/offers.ts'
import { pricePage } from './pages/price.ts'
import { sampleDataPage } from './pages/sample-data.ts'
import { statusPage } from './pages/status.ts'
import { widgetsPage } from './pages/widgets.ts'

export const pages: readonly Page[] = [
  homePage,
  pricePage,
  bandsPage,
  forecastsPage,
  hourlyForecastsPage,
  methodologyPage,
  docsPage,
  limitsPage,
  changesPage,
  errorsPage,
  analystsPage, // before the document of that name, which introduces it
  sampleDataPage,
  offersPage,
  statusPage,
  widgetsPage,
  ...documentPages,
]

/** Their addresses, in English. */
export const pagePaths: readonly string[] = pages.flatMap(({ path }) =>
  path === pricePage.path ? Object.values(ASSETS).map(({ slug }) => path.replace('{slug}', slug)) : [path],
)
