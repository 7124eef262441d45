/** Links to the data of a chart, at the URL of its page plus `.csv` or `.metadata.json`; served by `../chart-files.ts`. */
import type { ChartData } from '../chart-data.ts'
import { type Html, html } from '../html.ts'
import { chartTexts } from '../i18n/charts.ts'
import type { View } from '../view.ts'

/** Registers the data for the files of the page, and returns the URL of the CSV. */
export function registerChartData(data: ChartData, view: View): string {
  view.charts.push(data)
  const { pathname, searchParams } = new URL(view.address, 'http://localhost')
  searchParams.set('figure', data.name)
  return `${pathname === '/' ? HOME_FILES : pathname}.csv?${searchParams}`
}

/** Name for the files of the home page, which has none in its URL. */
export const HOME_FILES = '/home'

export function metadataAddress(csv: string): string {
  return csv.replace('.csv', '.metadata.json')
}

/** Links of a chart that works without JavaScript. */
export function chartLinks(csv: string, view: View): Html {
  const texts = chartTexts[view.language]
  return html`<p class="small files"><a href="${csv}" download>CSV</a> · <a href="${metadataAddress(csv)}">${texts.about}</a></p>`
}
