/** Form for a key on pages that show more to its holder. Only client/key.js can send it, so that no key gets into a URL. */
import { DEVELOPER_KEY_PATH } from '../../api/contract/identity.ts'
import { type Html, html } from '../html.ts'
import { keyFormTexts } from '../i18n/trading.ts'
import type { View } from '../view.ts'

export function keyForm(view: View): Html {
  const texts = keyFormTexts[view.language]
  return html`<section class="card aside"><h2 id="key">${texts.title}</h2>
<p>${texts.lead}</p>
<noscript><p class="notice">${texts.noScript}</p></noscript>
<form class="live" data-key-form>
<label>${texts.key}<input type="password" autocomplete="off" spellcheck="false" required maxlength="64"></label>
<div class="buttons"><button class="primary" disabled>${texts.use}</button> <button type="button" class="button" data-forget hidden>${texts.forget}</button></div>
<p class="problem" role="alert" data-refused hidden>${texts.problem}</p>
<p class="problem" role="alert" data-unreachable hidden>${texts.unreachable}</p>
</form>
<p class="small"><a href="${view.href(DEVELOPER_KEY_PATH)}">${texts.get}</a> · <a href="${view.href('/plans')}">${texts.plans}</a></p></section>`
}
