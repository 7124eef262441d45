/** Routes outside `/v1`: every page in every language, and the files that pages load. */
import { Router } from 'express'
import { methodNotAllowed } from '../api/contract/errors.ts'
import type { HeaderList } from '../api/http/headers.ts'
import type { ParsedRequestCache, Serve } from '../api/http/parsed-request-cache.ts'
import { expressPath } from '../api/http/router.ts'
import { send } from '../api/http/send.ts'
import { sendStored } from '../api/http/send-stored.ts'
import { StoredAnswer } from '../api/http/stored-answer.ts'
import { allAssets, assetAddress } from './assets.ts'
import { inEveryLanguage } from './i18n/language.ts'
import type { Page } from './page.ts'
import { PageAnswers, type PageAnswersOptions } from './page-answers.ts'
import { SQL_PAGE_PATH } from './sql/content.ts'

/** An asset's address changes with its bytes. */
const IMMUTABLE_CACHE = 'public, max-age=31536000, immutable'

/** Parameters that newsletters, social networks and search engines add to links. */
const LINK_TAG = /^(?:utm_\w+|fbclid|gclid|msclkid|mc_cid|mc_eid|ref)(?:=|$)/

/** The URL by which a page is requested, linked and cached. */
export function withoutLinkTags(url: string): string {
  const [path = ''] = url.split('?', 1)
  const query = url.slice(path.length + 1).split('&')
  const kept = query.filter((pair) => !LINK_TAG.test(pair))
  if (kept.length === query.length) return url
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`
}

export function assetRoutes(security: HeaderList, known: ParsedRequestCache): Router {
  const router = Router({ caseSensitive: true })
  for (const { address, contentType, body } of allAssets()) {
    const always = ['Cache-Control', IMMUTABLE_CACHE, 'Vary', 'Accept-Encoding', ...security]
    const file = new StoredAnswer(body, { contentType, always, withBody: [] })
    const serve: Serve = (req, res) => sendStored(file, req, res)
    router.get(address, (req, res) => {
      known.add(req.originalUrl, req.headers, undefined, serve)
      return serve(req, res)
    })
  }
  router.get('/favicon.ico', (_req, res) => send(res, 308, ['Location', assetAddress('icon.svg'), ...security]))
  return router
}

export function pageRoutes(list: readonly Page[], options: PageAnswersOptions): Router {
  const answers = new PageAnswers(options)
  const router = Router({ caseSensitive: true })
  for (const page of list) {
    const paths = inEveryLanguage(expressPath(page.path))
    const allow = ['GET', 'HEAD', ...(page.path === SQL_PAGE_PATH ? ['POST'] : [])]
    router.get(paths, (req, res) => answers.answer(page, req, res))
    router.all(paths, ({ method }, _res, next) => {
      if (method !== 'OPTIONS') throw methodNotAllowed(method, allow)
      next() // Express answers
    })
  }
  return router
}
