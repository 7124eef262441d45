import { SERVICE_NAME } from '../../api/contract/identity.ts'
import { ASSETS, type Asset } from '../../market/assets.ts'
import { CARD_HEIGHT, CARD_WIDTH } from '../cards/price-card.ts'
import { type Html, html } from '../html.ts'
import { cardTexts } from '../i18n/cards.ts'
import { page } from '../page.ts'
import type { View } from '../view.ts'

/** `/widgets`: price cards and the attribution, as HTML to paste into another page. */
export const widgetsPage = page({
  path: '/widgets',
  render: ({ view, service }) => {
    const texts = cardTexts[view.language]
    const { baseUrl } = service.config
    return {
      title: texts.page,
      description: texts.lead,
      section: 'docs',
      main: html`<p class="lead">${texts.lead}</p>
${Object.values(ASSETS).map((asset) => cardSection(asset, baseUrl, view))}
<ul>
<li>${texts.cached}</li>
<li>${texts.sizes}</li>
<li>${texts.themes} <code>?theme=light</code>, <code>?theme=dark</code>.</li>
<li>${texts.languages}</li>
</ul>
<h2 id="line">${texts.lineTitle}</h2>
<p>${texts.line}</p>
<p>${line(baseUrl, view)}</p>
<pre tabindex="0" aria-labelledby="line"><code>${line(baseUrl, view).text}</code></pre>
<p>${texts.fromApi} <code>attribution</code>.</p>`,
    }
  },
})

function cardSection(asset: Asset, baseUrl: URL, view: View): Html {
  const texts = cardTexts[view.language]
  const heading = `card-${asset.slug}`
  return html`<section class="widget">
<h2 id="${heading}">${asset.code}</h2>
${card(asset, '', view)}
<pre tabindex="0" aria-label="${texts.snippet}: ${asset.code}"><code>${card(asset, baseUrl.origin, view).text}</code></pre>
</section>
`
}

/** Identical on this page and in the snippet, except for the origin. */
function card({ slug, code }: Asset, origin: string, { language }: View): Html {
  const at = `${origin}/${language}`
  return html`<a href="${at}/prices/${slug}"><img src="${at}/card/${slug}.svg" width="${CARD_WIDTH}" height="${CARD_HEIGHT}" alt="${cardTexts[language].title(code)} · ${SERVICE_NAME}"></a>`
}

function line({ origin }: URL, { language }: View): Html {
  return html`${cardTexts[language].data}: <a href="${origin}/${language}">${SERVICE_NAME}</a>`
}
