/** The pages on retail offers: figures match the API, and the form shows errors next to the field. */
import { beforeAll, describe, expect, it } from 'vitest'
import { exampleOffers, octoberPrices, publishOffers } from '../support/offers.ts'
import { figuresOf, getPage, sliceBetween } from '../support/pages.ts'
import { dailyPrice } from '../support/prices.ts'
import { serviceOfFile, startTestService } from '../support/service.ts'

const service = await serviceOfFile({ now: '2026-11-21T10:00:00Z' })
const headers = await service.asPlan('API')

const open = (path: string) => getPage(service.baseUrl, path)

describe('without stored offers', () => {
  it('the pages say what is missing', async () => {
    expect((await open('/en/offers')).html).toContain('No index is published')
    const tools = await open('/en/tools?commodity=luce&consumption=2700&price_type=fisso')
    expect(tools.status).toBe(200)
    expect(tools.html).toContain('There are not enough offers')
  })
})

it('the pages explain how to fetch offers if no source is configured', async () => {
  const ended = await startTestService({ now: '2026-11-21T10:00:00Z' })
  await ended.seed([dailyPrice('PUN', '2024-12-31', 100)])
  for (const path of ['/en/offers', '/en/tools?commodity=luce&consumption=2700&price_type=fisso'])
    expect(sliceBetween((await getPage(ended.baseUrl, path)).html, '<p class="notice"', '</p>')).toContain(
      'restart the service with <code>SOURCES=arera-offers npm start</code>',
    )
  await ended.stop()
})

describe('with offers', () => {
  beforeAll(async () => {
    await publishOffers(service, exampleOffers('luce'), { day: '2026-11-21' })
    await publishOffers(service, exampleOffers('gas'), { day: '2026-11-21', commodity: 'gas' })
    await service.seed(octoberPrices({ PUN: 100, PSV: 30 }))
  })

  it('the indices are those of the API', async () => {
    const { indices } = (await service.ask('/v1/svc-index')).json() as { indices: Record<string, number>[] }
    const { html } = await open('/en/offers')
    expect(indices.length).toBeGreaterThan(1)
    for (const { slug, median, mean, min, max, offers } of indices) {
      const row = new RegExp(`<tr id="${slug}">.*</tr>`).exec(html)?.[0] ?? ''
      expect(figuresOf(row)).toEqual(expect.arrayContaining([median, mean, min, max, offers]))
    }
  })

  it('the percentiles are those of the API, for households and for businesses', async () => {
    for (const customer of ['domestico', 'business']) {
      const path = `/v1/mercato-libero/stats?commodity=luce&customer=${customer}`
      const answer = await service.ask(path, { headers })
      const { html } = await open(`/en/offers?customer=${customer}`)
      const statistics = html.slice(html.indexOf('id="spread"'))
      if (answer.status === 503) expect(statistics).toContain('Too few offers')
      else {
        const { p10, p25, median, p75, p90 } = answer.json().spread_eur_kwh as Record<string, number>
        expect(figuresOf(statistics).join()).toContain([p10, p25, median, p75, p90].join())
      }
    }
  })

  it('an unknown customer type returns 400', async () => {
    expect((await open('/offers?customer=%3Cscript%3E')).status).toBe(400)
  })

  it.each([
    ['luce', '2700', 'variabile'],
    ['luce', '1250.5', 'fisso'],
    ['gas', '1100', 'variabile'],
  ])('the estimate is that of the API: %s %s %s', async (commodity, consumption, priceType) => {
    const query = `commodity=${commodity}&consumption=${consumption}&price_type=${priceType}`
    const answer = (await service.ask(`/v1/tools/bill-estimate?${query}`)).json()
    const { status, html } = await open(`/en/tools?${query}`)
    expect(status).toBe(200)
    expect(figuresOf(html).slice(0, 4)).toEqual([
      answer.energy_cost_year_eur,
      answer.energy_cost_month_eur,
      answer.energy_price_eur_kwh,
      answer.consumption,
    ])
    expect(html).toContain(`href="/v1/tools/bill-estimate?${query.replaceAll('&', '&amp;')}"`)
    const { reference, median_spread_eur_kwh: spread } = answer.assumptions as Record<string, unknown>
    if (reference) expect(figuresOf(html)).toContain((reference as { value: number }).value)
    if (spread !== undefined) expect(figuresOf(html)).toContain(spread)
  })

  it('the Italian form accepts a decimal comma', async () => {
    const { html } = await open('/it/tools?commodity=luce&consumption=1250,5&price_type=fisso')
    expect(figuresOf(html)).toContain(1250.5)
    expect(html).toContain('value="1250,5"')
  })
})

describe('the bill estimate form', () => {
  it('shows no error before input', async () => {
    const { status, html } = await open('/en/tools')
    expect(status).toBe(200)
    expect(html).not.toContain('class="problem"')
  })

  it.each([
    ['nothing', '', 'Enter a number'],
    ['zero', '0', 'Enter a number'],
    ['less than nothing', '-5', 'Enter a number'],
    ['more than there is', '1000000001', 'Enter a number'],
    ['words', 'much', 'Enter a number'],
    ['a separator of thousands', '2.700', 'without thousands separators'],
    ['a comma that may be either', '2,700', 'Thousands or decimals?'],
    ['the other separator', '1,250,000', 'without thousands separators'],
    ['markup', '"><script>alert(1)</script>', 'Enter a number'],
  ])(
    'returns 400 for %s as consumption, with an error at the field and the other input kept',
    async (_name, text, problem) => {
      const { status, html } = await open(
        `/en/tools?${new URLSearchParams({ commodity: 'gas', consumption: text, price_type: 'fisso' })}`,
      )
      expect(status).toBe(400)
      expect(html).toMatch(new RegExp(`id="consumption-problem">[^<]*${problem}`))
      expect(html).toMatch(
        /id="consumption"[^>]*aria-describedby="consumption-problem consumption-hint"[^>]*aria-invalid="true"/,
      )
      expect(html).toContain('value="gas" checked')
      expect(html).not.toContain('<script>alert')
    },
  )

  it('shows an error at each invalid field', async () => {
    const { html } = await open('/en/tools?commodity=oil&consumption=2700&price_type=')
    expect(html).toContain('Choose electricity or gas.')
    expect(html).toContain('Choose a variable or a fixed price.')
    expect(html).not.toContain('id="consumption-problem"')
  })

  it.each(['colour=red', 'consumption=1&consumption=2', 'consumption=%ZZ'])('returns 400 for %s', async (query) => {
    expect((await open(`/tools?commodity=luce&price_type=fisso&${query}`)).status).toBe(400)
  })
})
