/** The frame that every page shares: head, navigation, switches, footer. */
import { SERVICE_NAME } from '../api/contract/identity.ts'
import { STORED_ZONES } from '../market/zones.ts'
import { type AssetName, assetAddress, inline } from './assets.ts'
import { DAY_CARD_SIZE } from './cards/day-card.ts'
import { Html, html } from './html.ts'
import { frameTexts, mineTerms } from './i18n/frame.ts'
import { zoneName } from './i18n/hours.ts'
import { LANGUAGE_NAMES, LANGUAGES } from './i18n/language.ts'
import { NAVIGATION, navigationLabel } from './navigation.ts'
import type { PageContent } from './page.ts'
import type { View } from './view.ts'

/** `origin`: that of this deployment, for link previews; undefined for a page that answers a form. */
export function layout(content: PageContent, view: View, origin?: string): string {
  const texts = frameTexts[view.language]
  const { title, main } = content
  return html`<!doctype html>
<html lang="${view.language}">
${head(content, view, origin)}
<body>
<a class="skip" href="#content">${texts.skip}</a>
${content.fieldsAt && html`<a class="skip" href="#${content.fieldsAt}">${texts.skipToFields}</a>\n`}${header(content, view)}
${savedSettings(view)}
${content.synthetic && syntheticNotice(view)}
<main id="content" tabindex="-1">
<h1>${title}</h1>
${withLocalNavigation(main, texts.local)}
</main>
${footer(view)}
</body>
</html>
`.text
}

function head(content: PageContent, view: View, origin: string | undefined): Html {
  const { title, description = frameTexts[view.language].description, styles = [] } = content
  const isHome = title === SERVICE_NAME
  return html`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}${!isHome && ` · ${SERVICE_NAME}`}</title>
<meta name="description" content="${description}">
${
  origin &&
  html`${openGraph({ title, description }, view, origin)}
<link rel="canonical" href="${origin}/${view.language}${canonicalPath(view)}">`
}
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${assetAddress('icon.svg')}" type="image/svg+xml">
${LANGUAGES.map((language) => html`<link rel="alternate" hreflang="${language}" href="/${language}${view.address}">\n`)}
${(['site.css', ...styles, 'theme.js'] as const).map((name) => html`${inline(name)}\n`)}
${scriptsOf(content).map((name) => html`<script src="${assetAddress(name)}" defer></script>\n`)}
</head>`
}

/** `/prices/pun` for `/prices/PUN/?range=1y`: the address in the sitemap. */
function canonicalPath({ address }: View): string {
  const [path = ''] = address.toLowerCase().split('?', 1)
  return path === '/' ? path : path.replace(/\/$/, '')
}

/** Adds `copy.js` if the page has code blocks. `mine.js` is last because it may change what earlier scripts have set up. */
function scriptsOf({ main, scripts = [] }: PageContent): readonly AssetName[] {
  return main.text.includes('<pre') ? [...scripts, 'copy.js', 'mine.js'] : [...scripts, 'mine.js']
}

/** Link preview for messengers and social networks, https://ogp.me: the image is the day card. */
function openGraph({ title, description }: { title: string; description: string }, view: View, origin: string): Html {
  const { width, height } = DAY_CARD_SIZE
  const facts = {
    type: 'website',
    site_name: SERVICE_NAME,
    title,
    description,
    url: `${origin}/${view.language}${view.address}`,
    image: `${origin}/${view.language}/card/day.png`,
    'image:width': width,
    'image:height': height,
  }
  return html`${Object.entries(facts).map(([name, value]) => html`<meta property="og:${name}" content="${value}">\n`)}<meta name="twitter:card" content="summary_large_image">`
}

function header({ section }: PageContent, view: View): Html {
  const texts = frameTexts[view.language]
  const link = (entry: (typeof NAVIGATION)[number]) => {
    const isCurrent = entry.section === section
    return html`<li><a href="${view.href(entry.path)}"${isCurrent && html` aria-current="page"`}>${navigationLabel(entry, view.language)}</a></li>\n`
  }
  const tabs = NAVIGATION.filter(({ isTab }) => isTab)
  const others = NAVIGATION.filter(({ isTab }) => !isTab)
  const isOther = others.some((entry) => entry.section === section)
  return html`<header class="top">
<div class="bar">
<a class="brand" href="${view.href('/')}"><img src="${assetAddress('icon.svg')}" alt="" width="28" height="28">${SERVICE_NAME}</a>
<div class="switches">
<nav class="languages" aria-label="${texts.language}">${LANGUAGES.map((language) => languageLink(language, view))}</nav>
<button id="theme" type="button" aria-label="${texts.theme}" title="${texts.theme}"><svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true"><circle cx="8" cy="8" r="6.5" fill="none" stroke="currentColor"/><path d="M8 1.5a6.5 6.5 0 0 1 0 13z" fill="currentColor"/></svg></button>
</div>
</div>
<nav class="main" aria-label="${texts.navigation}"><ul>
${tabs.map(link)}<li><button type="button" class="more" popovertarget="more"${isOther && html` aria-current="true"`}>${texts.more}</button></li></ul>
<ul id="more" popover>
${others.map(link)}</ul></nav>
</header>`
}

const LOCAL_ENTRIES_MIN = 2
/** Excludes the headings of cards, which state the answer of the card. */
const HEADING = /(?<!<section class="card[^>]*>)<h2( id="([^"]*)")?>(.*?)<\/h2>/g
const LEAD = /^<p class="lead.*?<\/p>/s

/** Adds local navigation below the lead if the content has several headings; headings without an anchor get one. */
function withLocalNavigation({ text }: Html, label: string): Html {
  const entries: Html[] = []
  const anchored = text.replace(HEADING, (_heading, _attribute, id: string | undefined, inner: string) => {
    const anchor = id ?? `part-${entries.length + 1}`
    entries.push(html`<li><a href="#${anchor}">${new Html(inner.replace(/<[^>]*>/g, ''))}</a></li>`)
    return `<h2 id="${anchor}">${inner}</h2>`
  })
  if (entries.length < LOCAL_ENTRIES_MIN) return new Html(text)
  const navigation = html`<nav class="local" aria-label="${label}"><ul>${entries}</ul></nav>`
  const lead = LEAD.exec(anchored)?.[0] ?? ''
  return new Html(`${lead}\n${navigation.text}\n${anchored.slice(lead.length)}`)
}

function languageLink(language: (typeof LANGUAGES)[number], view: View): Html {
  const isCurrent = language === view.language
  return html`<a href="/${language}${view.address}" hreflang="${language}" lang="${language}" title="${LANGUAGE_NAMES[language]}"${isCurrent && html` aria-current="true"`}>${language.toUpperCase()}</a>`
}

/** Filled in by `client/mine.js` if settings are stored. */
function savedSettings(view: View): Html {
  const texts = frameTexts[view.language]
  const zones = Object.fromEntries(STORED_ZONES.map((zone) => [zone, zoneName(zone, view.language)]))
  return html`<aside class="mine" aria-label="${texts.mine}" data-texts="${JSON.stringify({ ...mineTerms[view.language], zones })}"><p><strong>${texts.mine}:</strong> <span></span></p>
<a href="${view.href('/bands')}">${texts.change}</a> <button type="button">${texts.clear}</button></aside>`
}

function syntheticNotice(view: View): Html {
  const texts = frameTexts[view.language]
  return html`<aside class="synthetic" aria-label="${texts.syntheticLabel}"><p><strong>${texts.synthetic}</strong> <span class="why">${texts.syntheticWhy}</span>
<a href="${view.href('/docs/sample-data')}">${texts.syntheticLink}</a></p></aside>`
}

function footer(view: View): Html {
  const texts = frameTexts[view.language]
  return html`<footer class="bottom">
<p>${texts.disclaimer}</p>
<p class="links"><a href="${view.href('/docs/methodology')}">${texts.methodology}</a> <a href="${view.href('/status')}">${texts.sources}</a> <a href="${view.href('/docs/reference')}">${texts.api}</a></p>
</footer>`
}
