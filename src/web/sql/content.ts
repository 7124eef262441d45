/** SQL editor: a form that shows the plan of a query, or its rows if JavaScript runs (`client/sql.js`). */

import { SQL_PATH } from '../../api/contract/analyst-sql.ts'
import { BASE_PATH } from '../../api/contract/identity.ts'
import { type Html, html } from '../html.ts'
import { sqlTexts } from '../i18n/sql.ts'
import type { PageContent } from '../page.ts'
import { analystObjects } from '../pages/analysts.ts'
import type { View } from '../view.ts'

export const SQL_PAGE_PATH = '/sql'

export const SQL_EXAMPLES = {
  days: `select market_day, price_eur_mwh\nfrom prices_by_day\nwhere zone = 'nord' and market_day >= current_date - 30\norder by market_day`,
  bands: `select month, f1_eur_mwh, f2_eur_mwh, f3_eur_mwh\nfrom bands_by_month\nwhere zone = 'nazionale'\norder by month`,
  spread: `select *\nfrom zone_spread_distribution('nord', 'sud', current_date - 365, current_date)`,
  level: `select month, zone, hours_below, hours\nfrom hours_at_level(60, current_date - 365, current_date)\norder by month, zone`,
} as const satisfies Record<keyof (typeof sqlTexts)['en']['exampleNames'], string>

type SqlExample = keyof typeof SQL_EXAMPLES

/** Initial content of the form: an example, or a statement sent without JavaScript, with its result. */
export interface SqlFormState {
  sql: string
  plan?: readonly string[]
  /** Messages of the API are in English. */
  problem?: { field: 'sql' | 'key'; message: string; isEnglish: boolean }
}

export function sqlContent(
  view: View,
  { isOff, explained }: { isOff: boolean; explained?: SqlFormState },
): PageContent {
  const texts = sqlTexts[view.language]
  return {
    title: texts.title,
    section: 'docs',
    fieldsAt: 'sql-form',
    scripts: ['uplot.js', 'chart-lines.js', 'charts.js', 'sql.js'],
    styles: ['uplot.css'],
    main: html`<p class="lead">${texts.lead} <a href="${view.href('/docs/analysts')}">${texts.about}</a></p>
${isOff && html`<p class="notice">${texts.off} <code>ANALYST_DATABASE_URL</code>.</p>`}
<div class="sql">
<div>
${form(view, explained)}
<p id="sql-status" class="soft" role="status"></p>
<div id="sql-result" data-label="${texts.result}">${
      explained?.plan &&
      html`<h2>${texts.plan}</h2>
<pre tabindex="0"><code>${explained.plan.join('\n')}</code></pre>`
    }</div>
</div>
${sidebar(view)}
</div>`,
  }
}

function form(view: View, { sql = SQL_EXAMPLES.days, problem }: Partial<SqlFormState> = {}): Html {
  const texts = sqlTexts[view.language]
  const isInvalid = (field: 'sql' | 'key') => problem?.field === field
  const problemOf = (field: 'sql' | 'key') =>
    html`<p class="problem" id="${field}-problem" role="alert"${isInvalid(field) && problem?.isEnglish && html` lang="en"`}>${isInvalid(field) && problem?.message}</p>`
  const state = (field: 'sql' | 'key') =>
    html`aria-describedby="${field}-problem ${field}-hint"${isInvalid(field) && html` aria-invalid="true" autofocus`}`
  return html`<form class="form" id="sql-form" method="post" action="${view.href(SQL_PAGE_PATH)}" novalidate data-api="${BASE_PATH}${SQL_PATH}" data-texts="${JSON.stringify(texts.script)}">
<div class="field"><label for="sql">${texts.query}</label>
<textarea id="sql" name="sql" lang="en" rows="8" spellcheck="false" autocapitalize="off" autocomplete="off" required ${state('sql')}>
${sql}</textarea>
${problemOf('sql')}
<p class="hint" id="sql-hint">${texts.queryHint}</p></div>
<div class="field"><label for="key">${texts.key}</label>
<input id="key" name="key" type="password" autocomplete="off" maxlength="64" required ${state('key')}>
${problemOf('key')}
<p class="hint" id="key-hint">${texts.keyHint}</p></div>
<div class="tools"><button class="primary" type="button" data-do="run" hidden>${texts.run}</button>
<button class="button" data-do="explain">${texts.explain}</button>
<button class="button" type="button" data-do="more" hidden>${texts.more}</button>
<button class="button" type="button" data-do="csv" hidden>${texts.csv}</button>
<button class="button" type="button" data-do="stop" hidden>${texts.stop}</button>
<button class="button" type="button" data-do="forget" hidden>${texts.forget}</button></div>
</form>`
}

function sidebar(view: View): Html {
  const texts = sqlTexts[view.language]
  const { views, functions } = analystObjects(view.language)
  const columns = (list: readonly { name: string; type: string }[]) =>
    html`<p class="small">${list.map(({ name, type }, i) => html`${i > 0 && ', '}<code>${name}</code> <code class="soft">${type}</code>`)}</p>`
  return html`<aside aria-label="${texts.views}">
<h2>${texts.examples}</h2>
<ul>${Object.keys(SQL_EXAMPLES).map(
    (name) =>
      html`<li><a href="${view.href(SQL_PAGE_PATH)}?example=${name}">${texts.exampleNames[name as SqlExample]}</a></li>\n`,
  )}</ul>
<h2>${texts.views}</h2>
${views.map((one) => html`<details><summary><code>${one.name}</code></summary><p class="small">${one.comment}</p>${columns(one.columns)}</details>\n`)}
<h2>${texts.functions}</h2>
${functions.map((one) => html`<details><summary><code>${one.name}()</code></summary><p class="small">${one.comment}</p>${columns(one.arguments)}<p class="small">→</p>${columns(one.columns)}</details>\n`)}</aside>`
}
