/** Requirements for every page: languages, hostile URLs, no data, caching. */
import { describe, expect, it } from 'vitest'
import { pagePaths } from '../../src/web/page-list.ts'
import { countMatches, getPage, sliceBetween, stripAllowedInline, textOf } from '../support/pages.ts'
import { zoneDay } from '../support/prices.ts'
import { serviceOfFile } from '../support/service.ts'

const service = await serviceOfFile({ now: '2026-11-20T10:00:00Z' })
const synthetic = await serviceOfFile({ now: '2026-12-05T10:00:00Z' })

/** Minimum length of every page's text, whatever data is stored. */
const MAIN_TEXT_MIN = 150
const page = async (path: string, headers = {}, { baseUrl } = service) => {
  const answer = await getPage(baseUrl, path, headers)
  return { ...answer, html: stripAllowedInline(answer.html, answer.headers.get('content-security-policy')) }
}

describe.each(pagePaths)('%s without any data', (path) => {
  it.each(['en', 'it'])('is a complete page, in %s', async (language) => {
    const { status, html, headers } = await page(`/${language}${path}`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-language')).toBe(language)
    expect(html).toContain(`<html lang="${language}">`)
    expect(countMatches(html, /<h1/g)).toBe(1)
    expect(countMatches(html, /<main/g)).toBe(1)
    const main = sliceBetween(html, '<main', '</main>')
    expect(textOf(sliceBetween(main, '<h1', '</h1>'))).not.toBe('')
    expect(textOf(main).length).toBeGreaterThan(MAIN_TEXT_MIN)
    expect(html).toMatch(/<\/html>\n$/)
    expect(html).not.toMatch(/undefined|NaN|\[object|Invalid Date/)
    expect(html).not.toMatch(/ style="| on[a-z]+="|<style|<script>/)
    if (language === 'it') expect(englishWords(html)).toEqual([])
  })
})

/** English words outside code and elements marked as English. */
function englishWords(html: string): string[] {
  const italian = html
    .replace(/<(code|pre)\b[\s\S]*?<\/\1>/g, '')
    .replace(/<(\w+)[^>]* lang="en"[^>]*>[\s\S]*?<\/\1>/g, '')
  return textOf(italian).match(/\b(the|and|of|with|from|this|that|are|is|which|not|was)\b/gi) ?? []
}

describe('the language', () => {
  it.each([
    [undefined, 'en'],
    ['it', 'it'],
    ['it-IT,it;q=0.9,en;q=0.8', 'it'],
    ['en;q=0.5,it;q=0.4', 'en'],
    ['de', 'en'],
    ['*', 'en'],
    ['"><script>', 'en'],
  ])('of a URL without a language follows Accept-Language: %s gives %s', async (accepted, language) => {
    const { headers, html } = await page('/prices/psv', accepted === undefined ? {} : { 'accept-language': accepted })
    expect(headers.get('content-language')).toBe(language)
    expect(headers.get('vary')).toContain('Accept-Language')
    expect(html).toContain(`<html lang="${language}">`)
    expect(sliceBetween(html, '<nav class="main"', '</nav>')).toContain('href="/forecasts"')
  })

  it('in the URL takes precedence, is kept by links, and is switched without losing the query', async () => {
    const { headers, html } = await page('/it/prices/psv?range=1y', { 'accept-language': 'en' })
    expect(headers.get('content-language')).toBe('it')
    expect(headers.get('vary')).toBe('Accept-Encoding')
    const links = [...html.matchAll(/<a [^>]*href="(\/[^"]*)"/g)].map(([, link = '']) => link)
    expect(links).toContain('/en/prices/psv?range=1y')
    expect(links.length).toBeGreaterThan(15)
    expect(links.filter((link) => !/^\/(it|en|v1)\//.test(link))).toEqual([])
  })

  it('determines the format of numbers and dates', async () => {
    await service.seed([zoneDay('nazionale', '2026-11-20', 60, () => 1234.5)])
    const english = await page('/en/')
    const italian = await page('/it/')
    expect(english.html).toContain('>1234.50</data>')
    expect(english.html).toContain('Today, Friday 20 November')
    expect(italian.html).toContain('>1234,50</data>')
    expect(italian.html).toContain('Oggi, venerdì 20 novembre')
    expect(english.figures).toEqual(italian.figures)
  })
})

describe('a URL with parameters added by other sites', () => {
  it.each(['/en/prices/pun', '/en/developer-key', '/en/tools', '/en/docs/webhooks'])(
    '%s is that page',
    async (path) => {
      const tagged = await page(`${path}?utm_source=news&fbclid=a%ZZ&ref=x`)
      expect(tagged.status).toBe(200)
      expect(tagged.html).toBe((await page(path)).html)
    },
  )

  it('keeps the other parameters', async () => {
    const { html } = await page('/en/prices/pun?gclid=1&range=1y&utm_medium=mail')
    expect(html).toContain('href="/it/prices/pun?range=1y"')
    expect((await page('/v1/today?utm_source=news')).status).toBe(400)
  })
})

it.each([
  ['/en/prices/PUN/?range=1y', '/en/prices/pun'],
  ['/it/docs/webhooks', '/it/docs/webhooks'],
  ['/?detail=hour', '/en/'],
])('%s names %s as its canonical URL', async (path, canonical) => {
  expect((await page(path)).html).toContain(`<link rel="canonical" href="${service.baseUrl}${canonical}">`)
})

describe('an invalid URL', () => {
  it.each([
    ['/it/nulla', 404, 'Pagina non trovata'],
    ['/nothing', 404, 'Page not found'],
    ['/fr/', 404, 'Page not found'],
    ['/en/en/', 404, 'Page not found'],
    ['/prices/gold', 404, 'Page not found'],
    ['/Prices/pun', 404, 'Page not found'],
    ['/?detail=minute', 400, 'This address is not valid'],
    ['/?detail=hour&detail=quarter', 400, 'This address is not valid'],
    ['/?utm=1', 400, 'This address is not valid'],
    ['/it/prices/pun?range=10y', 400, 'Questo indirizzo non è valido'],
    ['/prices/pun?range=%ZZ', 400, 'This address is not valid'],
    ['/prices/%ZZ', 400, 'This address is not valid'],
  ])('%s returns %i with links to the main pages', async (path, status, title) => {
    const answer = await page(path)
    expect(answer.status).toBe(status)
    expect(answer.html).toContain(`<h1>${title}</h1>`)
    expect(answer.html).toMatch(/<ul class="columns">[\s\S]*href="(\/it|\/en)?\/prices\/pun"/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it.each([
    ['/it/nulla', 'A questo indirizzo non c’è nulla.'],
    ['/it/prices/oro', 'A questo indirizzo non c’è nulla.'],
    ['/it/status?x=1', 'x non è un parametro di questa pagina, che non ne ha.'],
    ['/it/forecasts?x=1', 'x non è un parametro di questa pagina, che ha asset, range, horizon.'],
    ['/it/forecasts?asset=co2', 'asset deve essere uno dei valori pun, psv, ttf; hai indicato &quot;co2&quot;.'],
    ['/it/zones?date=domani', 'date deve essere una data del calendario, AAAA-MM-GG; hai indicato &quot;domani&quot;.'],
    ['/it/forecasts?asset=', 'asset non può essere vuoto.'],
    ['/it/forecasts?asset=pun&asset=psv', 'asset può essere indicato una volta sola.'],
    ['/it/forecasts?asset=%ZZ', 'asset contiene una codifica percentuale non valida.'],
    ['/it/zones?hour=notte', 'Il valore di hour non è valido.'],
  ])('%s has its error message in Italian', async (path, message) => {
    const { html } = await page(path)
    expect(html).toContain(`<p>${message}</p>`)
  })

  it('says in Italian that a page does not support a method', async () => {
    const answer = await fetch(new URL('/it/status', service.baseUrl), {
      method: 'PUT',
      headers: { accept: 'text/html' },
    })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect(await answer.text()).toContain(
      '<p>Il percorso esiste, ma non con questo metodo; l’header <code>Allow</code>',
    )
  })

  it.each([
    '/<script>alert(1)</script>',
    '/prices/<script>alert(1)</script>',
    '/?detail="><script>alert(1)</script>',
    '/?<script>=1',
    '/it/"><img src=x onerror=alert(1)>',
    '/forecasts?asset=\'"><svg onload=alert(1)>',
    '/it/prices/pun?range=<script>alert(1)</script>',
    '//evil.example/',
    '/it//evil.example/%2e%2e',
    '/en/prices/pun?range=30d&x="onmouseover="alert(1)',
  ])('%s injects no markup into the page', async (path) => {
    for (const target of [path, encodeURI(path)]) {
      const { html, status } = await page(target)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(html).not.toMatch(/<script(?! src="\/assets\/)|<img src=x|<svg onload|<[^>]+ on\w+=/)
      expect(html).not.toMatch(/(?:href|src)="\/\/|(?:href|src)="javascript/)
    }
  })
})

describe('cached pages', () => {
  it('are compressed, cacheable, and revalidate with 304', async () => {
    const first = await page('/en/prices/pun', { 'accept-encoding': 'br' })
    expect(first.headers.get('content-encoding')).toBe('br')
    expect(first.headers.get('cache-control')).toBe('public, max-age=60, stale-while-revalidate=600')
    const etag = first.headers.get('etag') ?? ''
    const again = await page('/en/prices/pun', { 'accept-encoding': 'br', 'if-none-match': etag })
    expect(again.status).toBe(304)
    expect(again.headers.get('vary')).toBe('Accept-Encoding')
  })

  it.each(['/en/tools', '/en/developer-key'])('exclude %s, which is compressed with no-store', async (path) => {
    const { headers } = await page(path, { 'accept-encoding': 'br' })
    expect([headers.get('content-encoding'), headers.get('cache-control')]).toEqual(['br', 'no-store'])
  })

  it('show a new publication at once', async () => {
    expect((await page('/en/prices/pun')).figures).not.toContain(77.77)
    await service.seed([zoneDay('nazionale', '2026-11-20', 60, () => 77.77)])
    expect((await page('/en/prices/pun')).figures).toContain(77.77)
  })

  it('load assets that are cached for a year as immutable', async () => {
    const { html } = await page('/en/prices/pun')
    const addresses = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]*)"/g)].map(([, address = '']) => address)
    expect(addresses.length).toBeGreaterThan(4)
    for (const address of addresses) {
      const { status, headers } = await fetch(service.baseUrl + address, { headers: { 'accept-encoding': 'gzip' } })
      expect([address, status]).toEqual([address, 200])
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(headers.get('content-type')).toMatch(/^(text\/(css|javascript); charset=utf-8|image\/svg\+xml)$/)
    }
  })
})

it('synthetic figures are marked on every page that shows some', async () => {
  await synthetic.seed([zoneDay('nazionale', '2026-12-05', 60, () => 140)], { source: 'sample' })
  for (const path of ['/en/', '/en/prices/pun', '/en/usage']) {
    expect((await page(path, {}, synthetic)).html).toContain('Synthetic sample values, not prices.')
  }
  expect((await page('/it/', {}, synthetic)).html).toContain('Valori di prova sintetici')
  const alerts = sliceBetween((await page('/en/usage', {}, synthetic)).html, '<h2 id="sample-alerts">', '</table>')
  expect(textOf(alerts)).toContain('PUN above 130.00 5 Dec 2026 : 140.00 €/MWh South below 5.00, by hour none')
  // The notices link to the page of this service that explains them, in the chosen language and under the requested host.
  for (const path of ['/it/', '/it/prices/pun', '/it/status']) {
    const { html } = await page(path, {}, synthetic)
    const links = [...html.matchAll(/ href="([^"]*\/docs\/sample-data)"/g)].map(([, link]) => link)
    expect(new Set(links)).toEqual(new Set(['/it/docs/sample-data']))
  }
})
