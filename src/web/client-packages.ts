/** Client packages at `/downloads/<file>`, with the SHA-256 of each at `/downloads/<file>.sha256`. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { Router } from 'express'
import { notFound } from '../api/contract/errors.ts'
import type { HeaderList } from '../api/http/headers.ts'
import { sendStored } from '../api/http/send-stored.ts'
import { StoredAnswer } from '../api/http/stored-answer.ts'

/** Written by `npm run openapi`. */
export const CLIENT_PACKAGES = new URL('../clients/packages/', import.meta.url)

export function clientPackageRoutes(security: HeaderList): Router {
  const always = ['Cache-Control', 'public, max-age=3600', 'Vary', 'Accept-Encoding', ...security]
  const answerOf = (content: string | Buffer, contentType: string) =>
    new StoredAnswer(content, { contentType, always, withBody: [] })
  const makers: [address: string, make: () => StoredAnswer][] = readdirSync(CLIENT_PACKAGES).flatMap((file) => {
    const read = () => readFileSync(new URL(file, CLIENT_PACKAGES))
    const hash = () => createHash('sha256').update(read()).digest('hex')
    return [
      [`/${file}`, () => answerOf(read(), 'application/octet-stream')],
      [`/${file}.sha256`, () => answerOf(`${hash()}  ${file}\n`, 'text/plain; charset=utf-8')],
    ]
  })
  const router = Router({ caseSensitive: true })
  for (const [address, make] of makers) {
    let answer: StoredAnswer | undefined
    router.get(address, async (req, res) => {
      answer ??= make()
      await sendStored(answer, req, res)
    })
  }
  router.get(/\.(?:tgz|whl)(?:\.sha256)?$/, (req) => {
    throw notFound(`There is no package at ${req.originalUrl}; /docs/clients names those of this version.`)
  })
  return router
}
