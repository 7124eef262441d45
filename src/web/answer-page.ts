import type { Request, Response } from 'express'
import type { HeaderList } from '../api/http/headers.ts'
import { sendStored } from '../api/http/send-stored.ts'
import { StoredAnswer } from '../api/http/stored-answer.ts'
import type { Awaitable } from '../platform/awaitable.ts'
import { layout } from './layout.ts'
import type { PageContent } from './page.ts'
import { viewOf } from './view.ts'

/** Sends a page rendered for this request only, in reply to a form. Not cached, but compressed, which saves a phone half a second. */
export function answerPage(
  req: Request,
  res: Response,
  content: PageContent,
  { status = 200, headers }: { status?: number; headers: HeaderList },
): Awaitable<void> {
  const view = viewOf(req)
  const own = ['Content-Language', view.language, 'Cache-Control', 'no-store', 'Vary', 'Accept-Encoding']
  const contentType = 'text/html; charset=utf-8'
  const answer = new StoredAnswer(layout(content, view), { contentType, always: [...own, ...headers], withBody: [] })
  return sendStored(answer, req, res, [], status)
}
