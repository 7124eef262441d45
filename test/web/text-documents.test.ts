/** Text files for programs: llms.txt, Markdown and robots.txt. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ERROR_CODES } from '../../src/api/contract/errors.ts'
import { PLAN_NAMES } from '../../src/api/contract/plans.ts'
import { toMarkdown } from '../../src/web/to-markdown.ts'
import { getPage } from '../support/pages.ts'
import { serviceOfFile } from '../support/service.ts'

const service = await serviceOfFile({ now: '2026-11-20T13:30:00Z' })

const fetchText = async (path: string) => {
  const response = await fetch(service.baseUrl + path)
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

describe('/llms.txt', () => {
  it('lists every document of the documentation, and each exists', async () => {
    const { text, type } = await fetchText('/llms.txt')
    expect(type).toBe('text/plain; charset=utf-8')
    const listed = [...text.matchAll(/\]\((http\S+\.md)\)/g)].map(([, address = '']) => new URL(address).pathname)
    for (const path of listed) {
      const document = await fetchText(path)
      expect([path, document.status, document.type]).toEqual([path, 200, 'text/markdown; charset=utf-8'])
      expect(document.text, path).toMatch(/^# \S/)
      expect(document.text, path).not.toContain('https://energy.example')
    }
    for (const language of ['en', 'it']) {
      const { html } = await getPage(service.baseUrl, `/${language}/docs`)
      const cards = [...html.matchAll(/<li class="card"><a href="(?:\/en)?(\/[^"]+)"/g)].map(([, link = '']) => link)
      const english = (link: string) => link.replace(/^\/it\//, '/')
      const documents = cards.filter((link) => /\/docs\/\w/.test(link) && !link.startsWith('/v1'))
      expect(documents.length).toBeGreaterThan(10)
      for (const link of documents)
        expect(
          listed.some((path) => [`${link}.md`, `${english(link)}.md`].includes(path)),
          link,
        ).toBe(true)
    }
  })

  it('has its full text in /llms-full.txt', async () => {
    const { text } = await fetchText('/llms-full.txt')
    for (const title of ['# Quick start', '# Errors', '# Plans and limits', '# SQL for analysts'])
      expect(text).toContain(title)
  })
})

describe('a document as Markdown', () => {
  it('is the source file of the page, with the URL of this service in its examples', async () => {
    const file = readFileSync(new URL('../../src/web/docs/quick-start.md', import.meta.url), 'utf8')
    const { text } = await fetchText('/docs/quick-start.md')
    expect(text).toBe(file.replaceAll('https://energy.example', service.baseUrl))
    expect((await fetchText('/en/docs/quick-start.md')).text).toBe(text)
    expect((await fetchText('/it/docs/quick-start.md')).text).toMatch(/^# Primi passi/)
  })

  it('has every plan and every error code if it is generated from data', async () => {
    const { text: limits } = await fetchText('/docs/limits.md')
    for (const plan of PLAN_NAMES) expect(limits).toMatch(new RegExp(`^\\| ${plan} \\|`, 'm'))
    const { text: errors } = await fetchText('/docs/errors.md')
    for (const code of ERROR_CODES) expect(errors).toContain(`## \`${code}\``)
  })

  it('returns 404 if it does not exist', async () => {
    expect((await fetchText('/docs/nothing.md')).status).toBe(404)
  })

  it('keeps code as it is', () => {
    expect(
      toMarkdown(
        '<h2 id="a">A &amp; b</h2>\n<pre tabindex="0"><code>a &lt; b\n  c</code></pre><p>d <code>e</code>, <a href="/f">g</a></p>',
      ),
    ).toBe('## A & b\n\n```\na < b\n  c\n```\n\nd `e`, [g](/f)')
  })
})

describe('files for search engines', () => {
  it('/robots.txt names the sitemap, whose pages all return 200', async () => {
    const robots = await fetchText('/robots.txt')
    expect(robots.type).toBe('text/plain; charset=utf-8')
    const [, map = ''] = robots.text.match(/^Sitemap: (\S+)$/m) ?? []
    const { text, type } = await fetchText(new URL(map).pathname)
    expect(type).toBe('text/xml; charset=utf-8')
    const paths = [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) => new URL(address).pathname)
    expect(paths).toEqual(expect.arrayContaining(['/it/prices/pun', '/en/docs/reference', '/it/docs/reference/alerts']))
    for (const path of ['/v1/docs/', '/v1/openapi.json']) expect(robots.text).toContain(`Allow: ${path}\n`)
    expect(paths.length).toBeGreaterThan(50)
    for (const path of paths) expect([path, (await fetchText(path)).status]).toEqual([path, 200])
  })
})
