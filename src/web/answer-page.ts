import type { Request, Response } from 'express'
import type { HeaderList } from '../api/http/headers.ts'
import { send, textBody } from '../api/http/send.ts'
import { layout } from './layout.ts'
import type { PageContent } from './page.ts'
import { viewOf } from './view.ts'

/** Sends a page made for this request only, in reply to a form. It is not cached. */
export function answerPage(
  req: Request,
  res: Response,
  content: PageContent,
  { status = 200, headers }: { status?: number; headers: HeaderList },
): void {
  const view = viewOf(req)
  const own = [
    'Content-Type',
    'text/html; charset=utf-8',
    'Content-Language',
    view.language,
    'Cache-Control',
    'no-store',
  ]
  send(res, status, [...own, ...headers], textBody(layout(content, view)))
}
