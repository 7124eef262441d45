import { beforeAll, describe, expect, it } from 'vitest'
import { exampleOffers, octoberPrices, publishOffers } from '../../support/offers.ts'
import { serviceOfFile } from '../../support/service.ts'

const POWER = { commodity: 'luce', unit: '€/kWh', offers: 12, excluded: 0 }

const service = await serviceOfFile({ now: '2026-11-21T10:00:00Z' })

const slugs = (body: Record<string, unknown>) => (body.indices as { slug: string }[]).map(({ slug }) => slug)

describe('GET /v1/svc-index before there is data', () => {
  it('503 no_data with Retry-After until the next day’s offers', async () => {
    const answer = await service.ask('/v1/svc-index')
    expect(answer.status).toBe(503)
    expect(answer.json()).toMatchObject({ error: 'no_data' })
    expect(answer.headers.get('retry-after')).toBe(String((14 * 60 + 5) * 60)) // 11:00 to 01:05 in Rome
  })
})

describe('GET /v1/svc-index', () => {
  beforeAll(async () => {
    await service.seed(octoberPrices({ PUN: 100, PSV: 30 }))
    await publishOffers(service, exampleOffers('luce'), { day: '2026-11-21' })
    await publishOffers(service, exampleOffers('gas'), { day: '2026-11-20', commodity: 'gas' })
  })

  it('200 has the four indices of offers to households', async () => {
    const body = (await service.ask('/v1/svc-index')).json()
    expect(body).toEqual({
      updated_at: '2026-11-21',
      indices: [
        {
          ...POWER,
          slug: 'mercato-libero-luce-fissa',
          name: 'Free market, electricity, fixed price',
          price_type: 'fisso',
          ...{ mean: 0.1055, median: 0.1055, min: 0.1, max: 0.111 },
        },
        {
          ...POWER,
          slug: 'mercato-libero-luce-variabile',
          name: 'Free market, electricity, variable price',
          price_type: 'variabile',
          ...{ mean: 0.1155, median: 0.1155, min: 0.11, max: 0.121 },
          spread_vs_reference: 0.0155,
          reference: { asset: 'PUN', from: '2026-10-01', to: '2026-10-31', value: 0.1 },
        },
        expect.objectContaining({ slug: 'mercato-libero-gas-fisso', mean: 0.0455 }),
        expect.objectContaining({
          slug: 'mercato-libero-gas-variabile',
          mean: 0.0455,
          spread_vs_reference: 0.0155,
          reference: { asset: 'PSV', from: '2026-10-01', to: '2026-10-31', value: 0.03 },
        }),
      ],
      source: 'Portale Offerte (ARERA, Acquirente Unico S.p.A.)',
      methodology: `${service.baseUrl}/docs/offer-indices`,
      attribution: expect.stringContaining('Gestore dei Mercati Energetici'),
    })
  })

  it.each([
    ['luce', '2026-11-21', ['mercato-libero-luce-fissa', 'mercato-libero-luce-variabile']],
    ['gas', '2026-11-20', ['mercato-libero-gas-fisso', 'mercato-libero-gas-variabile']],
  ])('200 for %s only', async (commodity, updatedAt, expected) => {
    const body = (await service.ask(`/v1/svc-index?commodity=${commodity}`)).json()
    expect([body.updated_at, slugs(body)]).toEqual([updatedAt, expected])
  })

  it('200 with a link to the methodology page', async () => {
    const { methodology } = (await service.ask('/v1/svc-index')).json()
    const page = await fetch(String(methodology))
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('>Outliers</h2>')
  })

  it('names no supplier and no offer', async () => {
    const { text } = await service.ask('/v1/svc-index')
    expect(text).not.toMatch(/supplier|F-domestico|V-domestico|0{12}/)
  })

  it('omits an index as soon as fewer than five offers remain', async () => {
    const few = exampleOffers('luce').filter((offer, i) => offer.priceType === 'variabile' || i < 8)
    await publishOffers(service, few, { day: '2026-11-21' })
    expect(slugs((await service.ask('/v1/svc-index?commodity=luce')).json())).toEqual(['mercato-libero-luce-variabile'])
  })

  it('503 if no index remains', async () => {
    await publishOffers(service, [], { day: '2026-11-21' })
    expect((await service.ask('/v1/svc-index?commodity=luce')).status).toBe(503)
    expect((await service.ask('/v1/svc-index')).json()).toMatchObject({ updated_at: '2026-11-20' })
  })
})
