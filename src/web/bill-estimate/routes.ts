/** `/tools`: the bill estimate as a form that works without JavaScript. */
import { Router } from 'express'
import type { BillEstimate } from '../../api/contract/bill-estimate.ts'
import { getBillEstimate } from '../../api/endpoints/tools/get-bill-estimate.ts'
import type { ConcurrencyLimiter } from '../../api/http/concurrency-limiter.ts'
import type { HeaderList } from '../../api/http/headers.ts'
import type { Service } from '../../api/http/service.ts'
import { marketDayOf } from '../../market/market-day.ts'
import { answerPage } from '../answer-page.ts'
import { askEndpoints, undefinedIfNotFound } from '../ask-endpoints.ts'
import { inEveryLanguage } from '../i18n/language.ts'
import { howToGetOffers } from '../parts/price-end.ts'
import { viewOf } from '../view.ts'
import { billContent, TOOLS_PATH } from './content.ts'
import { readFields, toQuery } from './fields.ts'

/** Consumption in kWh assumed until one is entered, to find out whether an estimate is possible. */
const TYPICAL_CONSUMPTION = '2700'

/** Unlike ordinary pages, this one still shows its form if a field is invalid and the status is 400. */
export function billEstimateRoutes(service: Service, security: HeaderList, limiter: ConcurrencyLimiter): Router {
  const router = Router({ caseSensitive: true })
  router.get(inEveryLanguage(TOOLS_PATH), async (req, res) => {
    const fields = readFields(req.url)
    const hasProblems = Object.keys(fields.problems).length > 0
    const now = service.clock.now()
    const ask = askEndpoints(service, { now, today: marketDayOf(now) })
    const query = toQuery(fields.isSent ? fields.values : { ...fields.values, consumption: TYPICAL_CONSUMPTION })
    const estimate = hasProblems
      ? undefined
      : await undefinedIfNotFound(limiter.run(() => ask<BillEstimate>(getBillEstimate, { query })))
    const view = viewOf(req)
    const content = billContent(fields, { estimate, howToGet: await howToGetOffers(service, view) }, view)
    await answerPage(req, res, content, { status: hasProblems ? 400 : 200, headers: security })
  })
  return router
}
