/** Routes outside `/v1`: every page in every language, and the files that pages load. */
import { type NextFunction, type Request, type RequestHandler, type Response, Router } from 'express'
import type { ConcurrencyLimiter } from '../api/http/concurrency-limiter.ts'
import { expressPath } from '../api/http/express-path.ts'
import type { HeaderList } from '../api/http/headers.ts'
import { sendStored } from '../api/http/send-stored.ts'
import type { Service } from '../api/http/service.ts'
import { StoredAnswer } from '../api/http/stored-answer.ts'
import { allAssets } from './assets.ts'
import { inEveryLanguage } from './i18n/language.ts'
import type { Page } from './page.ts'
import { PageAnswers } from './page-answers.ts'
import { pages } from './page-list.ts'

/** An asset's address changes with its bytes. */
const FOR_EVER = 'public, max-age=31536000, immutable'

export function assetRoutes(security: HeaderList): Router {
  const router = Router({ caseSensitive: true })
  for (const { address, contentType, text } of allAssets()) {
    const always = ['Cache-Control', FOR_EVER, 'Vary', 'Accept-Encoding', ...security]
    const file = new StoredAnswer(text, { contentType, always, withBody: [] })
    router.get(address, (req, res) => sendStored(file, req, res))
  }
  return router
}

export function pageRoutes(service: Service, security: HeaderList, limiter: ConcurrencyLimiter): Router {
  const answers = new PageAnswers(service, security, limiter)
  const router = Router({ caseSensitive: true })
  for (const page of pages) router.get(inEveryLanguage(expressPath(page.path)), handler(page, answers))
  return router
}

function handler(page: Page, answers: PageAnswers): RequestHandler {
  return async (req: Request, res: Response, _next: NextFunction) => sendStored(await answers.find(page, req), req, res)
}
