/** `POST /sql`: answers the form, if sent without JavaScript, with the plan of the query. Counts as a request of its key. */
import { Router } from 'express'
import type { SqlResult } from '../../api/contract/analyst-sql.ts'
import { ApiError } from '../../api/contract/errors.ts'
import { postSql } from '../../api/endpoints/sql/post-sql.ts'
import type { EndpointAnswers } from '../../api/http/answer-endpoint.ts'
import { readForm } from '../../api/http/form.ts'
import type { HeaderList } from '../../api/http/headers.ts'
import type { RateLimit } from '../../api/http/rate-limit.ts'
import type { Service } from '../../api/http/service.ts'
import { answerPage } from '../answer-page.ts'
import { inEveryLanguage } from '../i18n/language.ts'
import { sqlTexts } from '../i18n/sql.ts'
import { viewOf } from '../view.ts'
import { SQL_PAGE_PATH, type SqlFormState, sqlContent } from './content.ts'

interface Options {
  service: Service
  security: HeaderList
  answers: EndpointAnswers
  rateLimit: RateLimit
}

export function sqlRoutes({ service, security, answers, rateLimit }: Options): Router {
  const router = Router({ caseSensitive: true })
  router.post(inEveryLanguage(SQL_PAGE_PATH), async (req, res) => {
    const { sql, key } = await readForm(req, res, ['sql', 'key'])
    const view = viewOf(req)
    const texts = sqlTexts[view.language]
    const answer = (explained: SqlFormState, status = 200) =>
      answerPage(req, res, sqlContent(view, { isOff: service.analystSql === undefined, explained }), {
        status,
        headers: security,
      })
    const missing = sql.trim() === '' ? 'sql' : key.trim() === '' ? 'key' : undefined
    // The key is handled like any other; without one, the request counts against the IP address.
    delete req.headers.authorization
    if (key.trim() !== '') req.headers.authorization = `Bearer ${key.trim()}`
    try {
      const caller = await rateLimit.consume(req, res, postSql)
      if (missing !== undefined) {
        const message = missing === 'sql' ? texts.needsQuery : texts.needsKey
        return answer({ sql, problem: { field: missing, message, isEnglish: false } }, 400)
      }
      const reply = JSON.parse(
        await answers.read(postSql, { explain: 'true', body: { sql } }, caller, res),
      ) as SqlResult
      await answer({ sql, plan: reply.rows.map((row) => String(Object.values(row)[0])) })
    } catch (err) {
      if (!(err instanceof ApiError) || err.status >= 500) throw err
      const field = err.param === 'sql' ? 'sql' : 'key'
      await answer({ sql, problem: { field, message: err.message, isEnglish: true } }, err.status)
    }
  })
  return router
}
