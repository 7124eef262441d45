/**
 * How a Developer key is issued: a form, a mail, a confirmation, the key. Only sending a form changes anything, so programs that follow
 * links in mails use up no token. Nothing here is cached, and tokens are redacted from logs (src/platform/log.ts).
 */
import { type Request, type RequestHandler, type Response, Router } from 'express'
import { methodNotAllowed } from '../../api/contract/errors.ts'
import { RETRY_AFTER } from '../../api/contract/headers.ts'
import { CONFIRMATION_PATH, DEVELOPER_KEY_PATH } from '../../api/contract/identity.ts'
import { readForm } from '../../api/http/form.ts'
import type { HeaderList } from '../../api/http/headers.ts'
import { readQuery } from '../../api/http/query.ts'
import { send } from '../../api/http/send.ts'
import type { Service } from '../../api/http/service.ts'
import type { TrustedProxies } from '../../api/http/trusted-proxies.ts'
import type { Awaitable } from '../../platform/awaitable.ts'
import { developerKeyIssued } from '../../platform/events.ts'
import { answerPage } from '../answer-page.ts'
import { inEveryLanguage } from '../i18n/language.ts'
import type { PageContent } from '../page.ts'
import { type View, viewOf } from '../view.ts'
import {
  confirmContent,
  disabledContent,
  formContent,
  invalidTokenContent,
  keyContent,
  sentContent,
  tooManyContent,
} from './content.ts'

const SENT_PATH = `${DEVELOPER_KEY_PATH}/sent`
const SEE_OTHER = 303

export function developerKeyRoutes(service: Service, security: HeaderList, proxies: TrustedProxies): Router {
  const router = Router({ caseSensitive: true })
  const { developerKeys, config, log } = service

  const answer = (req: Request, res: Response, content: PageContent, status = 200, headers: HeaderList = []) =>
    answerPage(req, res, content, { status, headers: [...headers, ...security] })
  const tooMany = (req: Request, res: Response, seconds: number) =>
    answer(req, res, tooManyContent(viewOf(req)), 429, [RETRY_AFTER, String(seconds)])
  const route = (path: string, handlers: Partial<Record<'GET' | 'POST', Handler>>) =>
    router.all(inEveryLanguage(path), byMethod(handlers))

  if (developerKeys === undefined) {
    const off: Handler = (req, res, view) => answer(req, res, disabledContent(view), 404)
    // Other pages link here for keys, so this page says who issues them.
    route(DEVELOPER_KEY_PATH, { GET: (req, res, view) => answer(req, res, disabledContent(view)), POST: off })
    for (const path of [SENT_PATH, CONFIRMATION_PATH]) route(path, { GET: off, POST: off })
    return router
  }

  route(DEVELOPER_KEY_PATH, {
    GET(req, res, view) {
      readQuery(req.url, [])
      return answer(req, res, formContent(view, config.baseUrl))
    },
    async POST(req, res, view) {
      const { email } = await readForm(req, res, ['email'])
      const requested = await developerKeys.request(email, proxies.client(req), view.language)
      if (requested.outcome === 'no_address') await answer(req, res, formContent(view, config.baseUrl, email), 400)
      else if (requested.outcome === 'too_many') await tooMany(req, res, requested.retryAfterSeconds)
      else send(res, SEE_OTHER, ['Location', view.href(SENT_PATH), 'Cache-Control', 'no-store', ...security])
    },
  })
  route(SENT_PATH, { GET: (req, res, view) => answer(req, res, sentContent(view)) })
  route(CONFIRMATION_PATH, {
    async GET(req, res, view) {
      const { token = '' } = readQuery(req.url, ['token'])
      if (await developerKeys.isTokenValid(token)) await answer(req, res, confirmContent(view, token))
      else await answer(req, res, invalidTokenContent(view), 404)
    },
    async POST(req, res, view) {
      const { token } = await readForm(req, res, ['token'])
      const confirmed = await developerKeys.confirm(token, proxies.client(req))
      if (confirmed.outcome === 'too_many') return tooMany(req, res, confirmed.retryAfterSeconds)
      if (confirmed.outcome === 'not_good') return answer(req, res, invalidTokenContent(view), 404)
      const { key, keyId, outcome } = confirmed
      developerKeyIssued(log, { keyId, outcome })
      await answer(req, res, keyContent(view, config.baseUrl, { key, isReplacement: outcome === 'replaced' }))
    },
  })
  return router
}

type Handler = (req: Request, res: Response, view: View) => Awaitable<void>

/** Dispatches by method, HEAD as GET. Rejects methods that the path does not have. */
function byMethod(handlers: Partial<Record<'GET' | 'POST', Handler>>): RequestHandler {
  const allow = Object.keys(handlers).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return async (req, res) => {
    const handle = handlers[(req.method === 'HEAD' ? 'GET' : req.method) as keyof typeof handlers]
    if (handle === undefined) throw methodNotAllowed(req.method, allow)
    await handle(req, res, viewOf(req))
  }
}
