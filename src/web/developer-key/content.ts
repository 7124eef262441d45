/** Content of the pages of the Developer key. */
import { BASE_PATH, CONFIRMATION_PATH, DEVELOPER_KEY_PATH } from '../../api/contract/identity.ts'
import { PLANS } from '../../api/contract/plans.ts'
import { attributionText } from '../../api/endpoints/source-credits.ts'
import { type Html, html } from '../html.ts'
import { developerKeyTexts } from '../i18n/developer-key.ts'
import type { PageContent } from '../page.ts'
import type { View } from '../view.ts'

const SECTION = { section: 'docs' as const }

export function disabledContent(view: View): PageContent {
  const texts = developerKeyTexts[view.language]
  const main = html`<p class="lead">${texts.lead}</p>
${planFeatures(view)}
<p class="notice">${texts.off}</p>
<h2>${texts.without}</h2>
<ul><li><a href="${view.href('/docs/quick-start')}">${texts.withoutOpen}</a></li>
<li><a href="${view.href('/docs/integrations')}">${texts.withoutLocal}</a></li></ul>
<h2 id="operator">${texts.operator}</h2>
<p>${texts.operatorHow}</p>
<pre tabindex="0" aria-labelledby="operator"><code>npm run keys -- create --plan Developer --owner "${texts.ownerExample}"</code></pre>
<p>${texts.operatorLocal}</p>
<p>${texts.operatorMail}</p>
<h2>${texts.next}</h2>
<ul><li><a href="${view.href('/usage')}">${texts.usage}</a></li>
<li><a href="${view.href('/docs/quick-start')}">${texts.quickStart}</a></li></ul>`
  return { ...SECTION, title: texts.title, description: texts.lead, main }
}

/** `refused`: an invalid mail address, as entered. */
export function formContent(view: View, baseUrl: URL, invalidEmail?: string): PageContent {
  const texts = developerKeyTexts[view.language]
  const main = html`<p class="lead">${texts.lead}</p>
${planFeatures(view)}
<form class="form" method="post" action="${view.href(DEVELOPER_KEY_PATH)}">
<div class="field">
<label for="email">${texts.email}</label>
<input id="email" name="email" type="email" autocomplete="email" required maxlength="254" value="${invalidEmail ?? ''}" aria-describedby="${invalidEmail !== undefined && 'problem '}hint"${invalidEmail !== undefined && html` aria-invalid="true" autofocus`}>
${invalidEmail !== undefined && html`<p class="problem" id="problem">${texts.noAddress}</p>`}
<p class="hint" id="hint">${texts.emailHint}</p>
</div>
<button class="primary">${texts.send}</button>
</form>
<p>${texts.onePerAddress}</p>
${attribution(view, baseUrl)}`
  return { ...SECTION, title: texts.title, description: texts.lead, main }
}

export function sentContent(view: View): PageContent {
  const texts = developerKeyTexts[view.language]
  const main = html`<p>${texts.sent}</p>
<p class="soft">${texts.sentHint}</p>
${requestAgainLink(view)}`
  return { ...SECTION, title: texts.sentTitle, main }
}

export function confirmContent(view: View, token: string): PageContent {
  const texts = developerKeyTexts[view.language]
  const main = html`<p>${texts.confirmLead}</p>
<p>${texts.confirmReplaces}</p>
<form class="form" method="post" action="${view.href(CONFIRMATION_PATH)}" data-once>
<input type="hidden" name="token" value="${token}">
<button class="primary">${texts.confirm}</button>
</form>`
  return { ...SECTION, title: texts.confirmTitle, main }
}

export function invalidTokenContent(view: View): PageContent {
  const texts = developerKeyTexts[view.language]
  return { ...SECTION, title: texts.notGoodTitle, main: html`<p>${texts.notGood}</p>\n${requestAgainLink(view)}` }
}

export function tooManyContent(view: View): PageContent {
  const texts = developerKeyTexts[view.language]
  return { ...SECTION, title: texts.tooManyTitle, main: html`<p>${texts.tooMany}</p>` }
}

export function keyContent(
  view: View,
  baseUrl: URL,
  { key, isReplacement }: { key: string; isReplacement: boolean },
): PageContent {
  const texts = developerKeyTexts[view.language]
  const call = `curl -H 'Authorization: Bearer ${key}' '${baseUrl.origin}${BASE_PATH}/pun/zones'`
  const main = html`<p><strong>${texts.keyLead}</strong></p>
${isReplacement && html`<p>${texts.keyReplaced}</p>`}
<h2 id="key">${texts.keyLabel}</h2>
<div class="issued-key"><pre tabindex="0" aria-labelledby="key"><code>${key}</code></pre></div>
<h2 id="try">${texts.tryIt}</h2>
<pre tabindex="0" aria-labelledby="try"><code>${call}</code></pre>
<h2>${texts.next}</h2>
<ul><li><a href="${view.href('/docs/quick-start')}">${texts.quickStart}</a></li>
<li><a href="${view.href('/docs/limits')}">${texts.morePlans}</a></li></ul>
${attribution(view, baseUrl)}`
  return { ...SECTION, title: texts.keyTitle, main }
}

/** Features of the plan, from the plan table. */
function planFeatures(view: View): Html {
  const texts = developerKeyTexts[view.language]
  const { requestsPerMinute, requestsPerMonth, historyDepthDays } = PLANS.Developer
  const count = (value: number | string | undefined) =>
    typeof value === 'number' ? view.formats.number(value, 0) : value
  return html`<ul class="facts">
<li><strong>${count(requestsPerMinute)}</strong> ${texts.perMinute}</li>
<li><strong>${count(requestsPerMonth)}</strong> ${texts.perMonth}</li>
<li><strong>${count(historyDepthDays)}</strong> ${texts.history}</li>
</ul>
<p><a href="${view.href('/plans')}">${texts.morePlans}</a></p>`
}

function requestAgainLink(view: View): Html {
  return html`<p><a href="${view.href(DEVELOPER_KEY_PATH)}">${developerKeyTexts[view.language].askAgain}</a></p>`
}

function attribution(view: View, baseUrl: URL): Html {
  const texts = developerKeyTexts[view.language]
  const text = attributionText([], baseUrl)
  return html`<h2 id="source">${texts.attributionTitle}</h2>
<p>${texts.attribution}</p>
<pre tabindex="0" aria-labelledby="source"><code>${text}</code></pre>
<p>${texts.attributionApi} <code>attribution</code>. <a href="${view.href('/widgets')}">${texts.attributionWidget}</a>.</p>`
}
