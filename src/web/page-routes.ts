/** Routes outside `/v1`: every page in every language, and the files that pages load. */
import { type NextFunction, type Request, type RequestHandler, type Response, Router } from 'express'
import { matchesEtag } from '../http/conditional.ts'
import type { HeaderList } from '../http/headers.ts'
import { preferredEncoding } from '../http/negotiate.ts'
import { send } from '../http/send.ts'
import type { Service } from '../http/service.ts'
import { StoredAnswer } from '../http/stored-answer.ts'
import { allAssets } from './assets.ts'
import { LANGUAGES } from './i18n/language.ts'
import type { Page } from './page.ts'
import { PageAnswers } from './page-answers.ts'
import { pages } from './page-list.ts'

/** An asset's address changes with its bytes. */
const FOR_EVER = 'public, max-age=31536000, immutable'

export function pageRoutes(service: Service, security: HeaderList, list: readonly Page[] = pages): Router {
  const answers = new PageAnswers(service, security)
  const router = Router({ caseSensitive: true })
  for (const { address, contentType, text } of allAssets()) {
    const always = ['Cache-Control', FOR_EVER, 'Vary', 'Accept-Encoding', ...security]
    const file = new StoredAnswer(text, { contentType, always, withBody: [] })
    router.get(address, (req, res) => sendPage(file, req, res))
  }
  for (const page of list) router.get(addressesOf(page), handler(page, answers))
  return router
}

/** `/prices/{asset}` is answered at `/prices/:asset`, `/en/prices/:asset` and `/it/prices/:asset`. */
function addressesOf({ path }: Page): string[] {
  const expressPath = path.replace(/\{(\w+)\}/g, ':$1')
  return ['', ...LANGUAGES.map((language) => `/${language}`)].map((prefix) => prefix + expressPath)
}

function handler(page: Page, answers: PageAnswers): RequestHandler {
  return async (req: Request, res: Response, _next: NextFunction) => sendPage(await answers.find(page, req), req, res)
}

async function sendPage(stored: StoredAnswer, req: Request, res: Response): Promise<void> {
  const variant = await stored.variant(preferredEncoding(req.headers['accept-encoding']))
  if (matchesEtag(req.headers['if-none-match'], variant.etag)) send(res, 304, variant.notModifiedHeaders)
  else send(res, 200, variant.headers, variant.body)
}
