/** The table behind a chart, at the address of its page plus `.csv`, and described plus `.metadata.json`: `../chart-files.ts`. */
import type { ChartData } from '../chart-data.ts'
import { type Html, html } from '../html.ts'
import { chartTexts } from '../i18n/charts.ts'
import type { View } from '../view.ts'

/** Hands the data to the files of the page. */
export function chartAddress(data: ChartData, view: View): string {
  view.charts.push(data)
  const { pathname, searchParams } = new URL(view.address, 'http://localhost')
  searchParams.set('figure', data.name)
  return `${pathname === '/' ? HOME_FILES : pathname}.csv?${searchParams}`
}

/** The home page has no name in its address. */
export const HOME_FILES = '/home'

export function metadataAddress(csv: string): string {
  return csv.replace('.csv', '.metadata.json')
}

/** Links of a chart that needs no script. */
export function chartLinks(csv: string, view: View): Html {
  const texts = chartTexts[view.language]
  return html`<p class="small files"><a href="${csv}" download>CSV</a> · <a href="${metadataAddress(csv)}">${texts.about}</a></p>`
}
