import { METHODOLOGY_PATH } from '../../api/endpoints/forecast/present.ts'
import { PASS_THROUGH_RULES } from '../../market/scenarios/pass-through.ts'
import { DEMAND_GROWTH } from '../../market/scenarios/project-scenarios.ts'
import { type Html, html, sentence } from '../html.ts'
import { modelCards } from '../model-cards.ts'
import { page } from '../page.ts'
import { linksFor } from '../parts/document-links.ts'

/** The fields of a row's canonical text, in order, and how each is written. */
const LEDGER_FIELDS = [
  ['chain', '`issued`, or `sample` where the prices are synthetic'],
  ['sequence', 'position in the chain, from 1'],
  ['asset', '`PUN`, `PSV`, `TTF`'],
  ['role', '`published`, or `benchmark` for the naive forecast beside it'],
  ['model', 'identifier of the model'],
  ['version', 'version of its method; after `+` the last day it was trained on'],
  ['issued_at', 'UTC to the second: 2026-11-21T12:02:11Z'],
  ['info_date', 'last market day whose price was known'],
  ['target_date', 'market day forecast'],
  ['horizon_days', 'target_date less info_date'],
  ['p10', 'four decimals, decimal point: 96.4000'],
  ['p50', 'the same'],
  ['p90', 'the same'],
  ['inputs_sha256', 'SHA-256 of the prices, and of the trained state, that the model was given'],
  ['previous_hash', 'hash of the row before; 64 zeros in the first row'],
] as const

/** All records of a track record are of forecasts that were published; a test runs this. */
const RECORD_CHECK = `import hashlib, json
track = json.load(open('track-record.json'))
for row in track['records']:
    prices = [f'{row[name]:.4f}' for name in ('p10', 'p50', 'p90')]
    fields = [track['ledger']['chain'], row['sequence'], track['asset'], 'published', row['model'], row['version'],
              row['issued_at'], row['info_date'], row['target_date'], row['horizon_days'], *prices,
              row['inputs_sha256'], row['previous_hash']]
    assert hashlib.sha256('|'.join(map(str, fields)).encode()).hexdigest() == row['hash'], row['sequence']`

/** `/docs/methodology`, the address that every forecast gives. */
export const methodologyPage = page({
  path: METHODOLOGY_PATH,
  render: ({ view, service }) => ({
    title: 'How forecasts are made and scored',
    section: 'forecasts',
    only: 'en',
    main: linksFor(view, service.config.baseUrl)(methodology()),
  }),
})

/** The same in every language and at every address. */
export function methodology(): Html {
  return html`<p>Forecasts are statistical estimates of daily prices: PUN, PSV and TTF, in €/MWh, for every market day up to 180 days
ahead of the first that is shown, and two weeks more in the ledger, so that no day is missing when some have passed. <code>p50</code> is the median; the price is expected to fall between <code>p10</code> and <code>p90</code> on four days
of five.</p>
${issuing()}
${hours()}
${models()}
${scoring()}
${measured()}
${ledger()}
${scenarios()}`
}

function issuing(): Html {
  return html`<h2>When they are issued</h2>
<p>After each publication: once the day-ahead result of day D is known, at about 12:55 of the day before, the forecast of D+1 and
all later days is issued. PUN is issued again in the evening, once the day's gas prices that its model uses are known (PSV at about 19:00,
TTF at about 18:00), and when a training has selected another model; the last issue is the one returned and scored, every issue is in the ledger. <code>info_date</code> is the last day whose price was known, <code>issued_at</code> the instant of issue. A
day that has begun, or of which a price has been published, is never forecast. Only what was known at that instant is used; a later
correction of a price changes no forecast. If the history is too short for a model, or its last price is more than a week
old, there is no forecast and the response says what is missing.</p>`
}

function hours(): Html {
  return html`<h2>Hours and zones</h2>
<p>Each hour of the next eight days is forecast for the PUN and for every market zone, three times for each auction: at midday, when the last prices appear,
in the evening, with the gas prices of that day, and from 11:15 on before the auction, with what is known of tomorrow by then. An issue is made only where
something new is known. <code>inputs</code> says what a day was forecast from: <code>everything</code> (wind, solar, load and prices of
neighbouring markets), <code>without-neighbours</code>, <code>without-weather</code> or <code>prices-only</code>; each is scored under its own name. Wind and solar
are the official forecasts or, before they are out, <a href="/docs/models/output">made from weather runs</a>.</p>
<p>Of the PUN the mean of a day's hourly medians is the day's median. Hours made from prices alone are moved to the daily forecast; hours that know more
move the day, whose <code>version</code> then ends with <code>+hours</code>. Quarter-hours are the hour and a shape learned from the last 90 days that have quarters:
an offset of each quarter of the day, and a share of the slope from hour to hour; the mean of the four is the hour.</p>
<p>A model of hours is used only if it beat the same hour of the week before over the last 60 scored days. A model whose error relative to the naive
forecast's over 30 days is more than 15 % above that of its test is retrained; if it stays so for two weeks, the model that needs no training replaces it.</p>
<p>Hours have a ledger of their own, a row for each zone and day. Its canonical text begins with <code>hours</code>; then follow chain, sequence, zone, role, issue, model,
version, inputs, issued_at, info_date, target_date, horizon_days, the p10, p50 and p90 of the 23, 24 or 25 hours (four decimals, joined by
<code>,</code>), inputs_sha256 and previous_hash. The record is at <a href="/v1/forecast/track-record?granularity=hour">/v1/forecast/track-record?granularity=hour</a>.</p>`
}

function models(): Html {
  const cards = modelCards().map(({ path, title }) => html`<li><a href="${path}">${title}</a></li>\n`)
  return html`<h2>Model selection</h2>
<p>The base model is not trained: it takes the recent level, adjusts it for the day of the week, and sets its band from its
past errors. Trained models are fitted every week, and as soon as a publisher has delivered enough prices, also after an import; never on
synthetic prices. A trained model is used only if, over the last 60 scored days, out of
sample, its mean absolute error was no larger and its pinball loss smaller than those of the naive forecast; <code>model</code>
names the active model. A failed training is discarded, and the last good one remains active. Each model has a card with its
inputs, its method, its errors on a held-out year of prices, and its limits:</p>
<ul>
${cards}</ul>`
}

function scoring(): Html {
  return html`<h2>How they are scored</h2>
<p>Each forecast is compared with the price as it was known when the day was first scored. For a day with price <i>y</i>:</p>
<ul>
<li><code>error</code> is p50 − y; <code>bias</code> is its mean, <code>mae</code> the mean of its size.</li>
<li><code>mape</code> is the mean of |p50 − y| / |y|. Days with |y| ≤ 1 €/MWh are left out of it and counted.</li>
<li><code>rmae</code> is the mean absolute error as a share of the naive forecast's on the same days: below 1 is better than naive.</li>
<li><code>coverage_80</code> is the share of days whose price fell between p10 and p90; the target is 0.8.</li>
<li><code>pinball</code> is the mean pinball loss of the three quantiles.</li>
</ul>
<p>The figures of the last 30 days are those of the last 30 scored target days at the shortest horizon; TTF has trading days only. As
long as fewer than 30 issued forecasts are scored, they come from a replay: forecasts recomputed afterwards for past days, using only the data known
then, and <code>accuracy_basis</code> says <code>replay</code>. Replayed and issued forecasts are never mixed. The record is at
<a href="/v1/forecast/track-record">/v1/forecast/track-record</a>.</p>`
}

/** On prices of years that were left out of what was chosen, as `models/README.md` has them: what was to be reached, and what was. */
const MEASURED: readonly { what: string; bound: string; measured: string; isMissed?: boolean }[] = [
  { what: 'Daily PUN, next day, evening, 2024: MAE', bound: '5.70', measured: '5.74', isMissed: true },
  { what: 'the same at midday', bound: '5.85', measured: '5.87', isMissed: true },
  { what: 'Daily PUN, 7 days ahead, 2024: pinball loss', bound: '2.95', measured: '2.951', isMissed: true },
  { what: '30 days', bound: '4.15', measured: '4.02' },
  { what: '90 days', bound: '6.65', measured: '6.59' },
  { what: '180 days', bound: '9.00', measured: '8.89' },
  { what: 'Its coverage at 7, 30 and 90 days', bound: '0.76 to 0.88', measured: '0.86, 0.85, 0.88' },
  { what: 'at 180 days', bound: '0.76 to 0.88', measured: '0.95', isMissed: true },
  { what: 'Hours of the PUN, next day, 2024: MAE', bound: '8.50', measured: '8.48' },
  { what: '2, 3 and 7 days ahead', bound: '9.8, 10.2, 11.5', measured: '9.90, 10.28, 11.56', isMissed: true },
]

function measured(): Html {
  const row = ({ what, bound, measured: reached, isMissed }: (typeof MEASURED)[number]) =>
    html`<tr><td>${what}</td><td>${bound}</td><td>${isMissed ? html`<strong>${reached}</strong>` : reached}</td></tr>\n`
  return html`<h2>What was measured</h2>
<p>In €/MWh, from prices and gas alone, each issue made again with only what was known then. Bold: the bound was missed. Forecasts of wind and sun of the past are not
at hand; what weather adds was measured on simulated ones. The cards have more.</p>
<table>
<thead><tr><th>What</th><th>At most</th><th>Measured</th></tr></thead>
<tbody>
${MEASURED.map(row)}</tbody>
</table>`
}

function ledger(): Html {
  const rows = LEDGER_FIELDS.map(
    ([name, meaning]) => html`<tr><td><code>${name}</code></td><td>${sentence(meaning)}</td></tr>\n`,
  )
  return html`<h2>How to verify that nothing was rewritten</h2>
<p>Every forecast is a row of an append-only ledger and enters a chain of hashes before its day begins. The hash of a row is the
SHA-256, in hexadecimal, of these fields joined by <code>|</code> in UTF-8:</p>
<table>
<thead><tr><th>Field</th><th>Written as</th></tr></thead>
<tbody>
${rows}</tbody>
</table>
<p>Since each row holds the hash of the one before it, changing a digit of any row changes every later hash. The track record
publishes the last hash of each day in <code>ledger.days</code>: whoever noted one can check, at any later time, that the rows up to it
are still the same. Each record carries all fields of its row, so its own hash can be recomputed from a track record saved as JSON.
With Python:</p>
<pre><code>${RECORD_CHECK}</code></pre>
<p>And of whole chains the links as well:</p>
<pre><code>import csv, hashlib
previous = {}
for row in csv.DictReader(open('ledger.csv')):
    for price in ('p10', 'p50', 'p90'):
        row[price] = f'{float(row[price]):.4f}'
    assert row['previous_hash'] == previous.get(row['chain'], '0' * 64), row['sequence']
    fields = [value for name, value in row.items() if name != 'hash']
    assert hashlib.sha256('|'.join(fields).encode()).hexdigest() == row['hash'], row['sequence']
    previous[row['chain']] = row['hash']</code></pre>
<p>The operator's command <code>npm run ledger -- export ledger.csv</code> writes that file, and <code>npm run ledger -- verify</code>
checks it, or a track record saved as CSV, and names the first row that differs from what was issued.</p>`
}

function scenarios(): Html {
  const { PUN, PSV } = PASS_THROUGH_RULES
  return html`<h2>Scenarios</h2>
<p>The base scenario is the mean of p50 over each month. Beyond the 180 days that are forecast it is continued at the level of the
last 30 of them, moved by the seasonal shape of up to six past years (<code>basis</code> is <code>continuation</code> there). In the bull scenario, the one of high
prices, gas, CO2 and demand all move up; in the bear scenario all move down:</p>
<ul>
<li>TTF by the difference of its own p90 and p10 from its median at 90 days, and CO2 by the 90 % and 10 % quantiles of its changes
over 90 days, both widened with the square root of time up to one year;</li>
<li>demand by ${DEMAND_GROWTH.bull * 100} % and ${DEMAND_GROWTH.bear * 100} % against the year before. Demand is an assumption, not a forecast.</li>
</ul>
<p>The price follows by its pass-through: least squares of its monthly means on those of TTF and CO2, kept inside stated bounds. For
PUN ${PUN.gas.least} to ${PUN.gas.most} €/MWh per €/MWh of gas and ${PUN.co2.least} to ${PUN.co2.most} €/MWh per €/t of CO2; for PSV
${PSV.gas.least} to ${PSV.gas.most} per €/MWh of TTF, and no CO2. A change of demand by 1 % moves PUN by ${PUN.demandElasticity} % and PSV by ${PSV.demandElasticity} %.
No coefficient is negative, so dearer gas never lowers a price and bull ≥ base ≥ bear. With fewer than 24 common months the
relation of a gas plant of 53 % efficiency replaces the estimate. The response repeats every assumption.</p>`
}
