import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ALL_MARKET_ZONES } from '../../src/market/zones.ts'
import { countOf, getPage, part } from '../support/pages.ts'
import { dailyPrice, zoneDay } from '../support/prices.ts'
import { startTestService, type TestService } from '../support/service.ts'

const NOW = '2026-11-24T10:00:00Z'
const LAST = '2024-12-31'

/** Imported files that end two years ago, as of publishers that are not fetched from. */
let service: TestService
let authorization: string
beforeAll(async () => {
  service = await startTestService({ now: NOW })
  authorization = `Bearer ${(await service.issueKey('API')).key}`
  const days = [LAST, '2024-12-30', '2024-03-31', '2004-04-01']
  await service.seed(days.map((day, i) => zoneDay('nazionale', day, 60, (hour) => 100 + hour - i)))
  await service.seed(ALL_MARKET_ZONES.map((zone) => zoneDay(zone, LAST, 60, () => 120)))
  await service.seed([dailyPrice('PSV', '2024-09-29', 38.5), dailyPrice('PSV', '2024-09-30', 39.75)], {
    source: 'gme-mgas',
  })
})
afterAll(() => service.stop())

const page = (path: string) => getPage(service.baseUrl, path)
const api = async (path: string) => {
  const answer = await service.ask(`/v1${path}`, { headers: { authorization } })
  return { status: answer.status, body: await answer.json() }
}

describe('pages of history that has ended', () => {
  it.each([
    ['en', 'Prices end on 31 December 2024 (PUN), 30 September 2024 (PSV).', 'No price of TTF, Brent, CO2 is stored.'],
    [
      'it',
      'I prezzi finiscono il 31 dicembre 2024 (PUN), 30 settembre 2024 (PSV).',
      'Nessun prezzo di TTF, Brent, CO2 in archivio.',
    ],
  ])('home says in one notice where prices end and how newer ones come, in %s', async (language, ...sentences) => {
    const { html } = await page(`/${language}/`)
    expect(countOf(html, /class="[^"]*notice/g)).toBe(1)
    const notice = part(html, '<p class="notice">', '</p>')
    for (const sentence of sentences) expect(notice).toContain(sentence)
    expect(notice).toContain('SOURCES=gme-mgp,gme-mgas,eex-ttf,eia-brent,eex-eua npm start')
    expect(notice).toContain('npm run import')
  })

  it('home shows the hours, prices and zones of the last day, with its year and its age', async () => {
    const { html } = await page('/en/')
    expect(part(html, 'class="card answer"', '</section>')).toContain('Last day stored, Tuesday, 31 December 2024')
    expect(countOf(part(html, '<h3>Last day stored', '</section>'), /<rect class="(?:low|normal|high)"/g)).toBe(24)
    expect(part(html, '>PUN</a></h3>', '</li>')).toContain('31 Dec 2024, not up to date: 693 days old')
    const psv = part(html, '>PSV</a></h3>', '</li>')
    expect(psv).toContain('39.75')
    expect(psv).toContain('785 days old')
    expect(part(html, 'id="zones"', '<ul class="italy">')).toContain('31 December 2024')
    expect(part(html, 'id="zones"', '<ul class="italy">')).toContain('not up to date: 693 days old')
  })

  it.each([
    ['/en/prices/pun', 'value="2024-12-31"'],
    ['/en/prices/psv', 'value="2024-09-30"'],
    ['/en/zones', 'value="2024-12-31"'],
    ['/en/prices/pun/hours', '<option value="2024" selected>'],
    ['/en/bands', 'to=2024-12'],
    ['/en/forecasts', 'to=2024-12-31'],
    ['/en/forecasts/hours', 'to=2024-12-31'],
    ['/en/forecasts/past', 'value="2024-12-31"'],
    ['/en/trading', '31 December 2024 (PUN)'],
  ])('%s ends with the last stored day and says so', async (path, end) => {
    const { status, html } = await page(path)
    expect(status).toBe(200)
    expect(html).toMatch(/Prices end on 3[01] (December|September) 2024/)
    expect(html).toContain(end)
    expect(html).not.toContain('There are no prices in this range')
  })

  it('the map marks the age, unless the day was chosen', async () => {
    expect(part((await page('/en/zones')).html, 'class="map-title"', '</p>')).toContain('693 days old')
    expect(part((await page(`/en/zones?date=${LAST}`)).html, 'class="map-title"', '</p>')).not.toContain('days old')
  })

  it('every stored year of hours is offered', async () => {
    const { html } = await page('/en/prices/pun/hours')
    const years = part(html, '<optgroup label="Years">', '</optgroup>').match(/value="\d{4}"/g)
    expect([years?.length, years?.[0], years?.at(-1)]).toEqual([21, 'value="2024"', 'value="2004"'])
    expect((await page('/en/prices/pun/hours?period=2004-04')).status).toBe(200)
  })

  it('a value from a file was imported, not published, and no publication is awaited', async () => {
    const { html } = await page('/en/prices/psv')
    const now = part(html, '<div class="split now">', '</section>')
    expect(now).toContain('Imported <time')
    expect(now).not.toContain('Published')
    const provenance = part(html, 'id="provenance"', '</section>')
    expect(provenance).toContain('<dt>Imported</dt>')
    expect(provenance).not.toContain('<dt>Latest publication</dt>')
    expect(html).not.toContain('published nothing newer')
  })

  it('that a publisher has published nothing newer is said of one that is fetched', async () => {
    await service.sql`insert into source_fetching (source, state) values ('gme-mgas', 'on')`
    const { html } = await page('/en/prices/psv?range=30d')
    expect(part(html, '<p class="notice">', '</p>')).toContain('The source has published nothing newer.')
    await service.sql`delete from source_fetching where source = 'gme-mgas'`
  })

  it('cards show the last price and its age', async () => {
    const card = await (await fetch(new URL('/en/card/psv.svg', service.baseUrl))).text()
    expect(card).toContain('30 Sept 2024, not up to date: 785 days old')
  })
})

describe('endpoints', () => {
  it('keep the interval of the contract, and name the last day with a price', async () => {
    const { body } = await api('/prices/pun/series')
    expect(body).toMatchObject({ from: '2026-10-25', to: '2026-11-24', count: 0, last_day: LAST })
    expect((await api(`/prices/pun/series?to=${LAST}`)).body).not.toHaveProperty('last_day')
  })

  it('whose default is the latest end with it', async () => {
    expect((await api('/pun/bands')).body).toMatchObject({ from: '2024-01', to: '2024-12' })
    expect((await api('/forecast/track-record')).body).toMatchObject({ from: '2024-12-01', to: LAST })
  })

  it.each([
    ['/pun/today', 'PUN of 2026-11-24 is not published yet. Prices of PUN end on 2024-12-31.', 'gme-mgp'],
    ['/psv/today', 'Prices of PSV end on 2024-09-30.', 'gme-mgas'],
    ['/ttf/today', 'A current price of TTF is not published yet.', 'eex-ttf'],
    ['/pun/now-and-next', 'Prices of PUN end on 2024-12-31.', 'gme-mgp'],
    ['/tools/cheapest-window?hours=3', 'Prices of PUN end on 2024-12-31.', 'gme-mgp'],
    ['/svc-index', 'An index of the free market is not published yet.', 'arera-offers'],
  ])('%s has no current data and names the next step', async (path, sentence, source) => {
    const { status, body } = await api(path)
    expect([status, body.error]).toEqual([503, 'no_data'])
    expect(body.message).toContain(sentence)
    expect(body.message).toContain(`Start the service with SOURCES=${source}, or import newer files`)
  })
})
