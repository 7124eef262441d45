/**
 * Pages opened by the links in alert mails. Only their button changes anything, so programs that follow links neither confirm nor stop an
 * alert; the button of a mail program (RFC 8058) sends the same request. The signature is the only credential and is redacted from logs.
 */
import { type Request, type Response, Router } from 'express'
import { ALERT_LINK_FIELDS, ALERT_LINK_PATHS, type AlertLink, type AlertLinkAction } from '../../api/contract/alerts.ts'
import { methodNotAllowed } from '../../api/contract/errors.ts'
import type { HeaderList } from '../../api/http/headers.ts'
import { readQuery } from '../../api/http/query.ts'
import type { Service } from '../../api/http/service.ts'
import { answerPage } from '../answer-page.ts'
import { html } from '../html.ts'
import { alertLinkTexts } from '../i18n/alert-links.ts'
import { inEveryLanguage } from '../i18n/language.ts'
import type { PageContent } from '../page.ts'
import { type View, viewOf } from '../view.ts'

export function alertLinkRoutes({ alertLinks }: Pick<Service, 'alertLinks'>, security: HeaderList): Router {
  const router = Router({ caseSensitive: true })
  for (const action of Object.keys(ALERT_LINK_PATHS) as AlertLinkAction[]) {
    router.all(inEveryLanguage(ALERT_LINK_PATHS[action]), async (req: Request, res: Response) => {
      if (!['GET', 'HEAD', 'POST'].includes(req.method)) throw methodNotAllowed(req.method, ['GET', 'HEAD', 'POST'])
      const { id = '', expires = '', signature = '' } = readQuery(req.url, ALERT_LINK_FIELDS)
      const link = { id, expires, signature }
      const isPressed = req.method === 'POST'
      const isValid = await alertLinks?.[isPressed ? 'follow' : 'isGood'](action, link)
      const state = !isValid ? 'notGood' : isPressed ? 'done' : 'ask'
      await answerPage(req, res, content(action, state, link, viewOf(req)), {
        status: isValid ? 200 : 404,
        headers: security,
      })
    })
  }
  return router
}

function content(action: AlertLinkAction, state: 'ask' | 'done' | 'notGood', link: AlertLink, view: View): PageContent {
  const texts = alertLinkTexts[view.language]
  const { title, button, ...about } = texts[action]
  const path = `${view.href(ALERT_LINK_PATHS[action])}?${new URLSearchParams(link)}`
  const form = html`<form class="form" method="post" action="${path}" data-once><button class="primary">${button}</button></form>`
  const main = html`<p>${state === 'notGood' ? texts.notGood : about[state]}</p>
${state === 'ask' && form}
<p><a href="${view.href('/usage')}">${texts.usage}</a></p>`
  return { section: 'docs', title, main }
}
