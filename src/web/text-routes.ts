/**
 * For programs: each document as Markdown at its URL plus `.md`, `/llms.txt` as their index, and `/llms-full.txt` with all of them.
 * For search engines: `/robots.txt` and `/sitemap.xml`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { Router } from 'express'
import { notFound } from '../api/contract/errors.ts'
import { BASE_PATH, DISCLAIMER, SERVICE_NAME } from '../api/contract/identity.ts'
import type { HeaderList } from '../api/http/headers.ts'
import { sendStored } from '../api/http/send-stored.ts'
import { StoredAnswer } from '../api/http/stored-answer.ts'
import type { DocumentText } from './document-texts.ts'
import { purposeOf } from './i18n/docs.ts'
import { inEveryLanguage, LANGUAGES } from './i18n/language.ts'
import { pagePaths } from './page-list.ts'

/** Served at `/docs/files/<name>`. */
const EXAMPLES = new URL('../clients/examples/', import.meta.url)
const CACHE_CONTROL = 'public, max-age=3600'

interface TextRoutesOptions {
  documents: () => Promise<readonly DocumentText[]>
  baseUrl: URL
  security: HeaderList
}

export function textRoutes({ documents, baseUrl, security }: TextRoutesOptions): Router {
  const always = ['Cache-Control', CACHE_CONTROL, 'Vary', 'Accept-Encoding', ...security]
  const answerOf = (text: string, type: string) =>
    new StoredAnswer(text, { contentType: `${type}; charset=utf-8`, always, withBody: [] })
  let answers: Promise<Map<string, StoredAnswer>> | undefined
  const make = async () => {
    const all = await documents()
    const pages = all.map(({ path, text }) => [`${path}.md`, answerOf(text, 'text/markdown')] as const)
    const files = readdirSync(EXAMPLES).map(
      (file) =>
        [`/docs/files/${file}`, answerOf(readFileSync(new URL(file, EXAMPLES), 'utf8'), 'application/json')] as const,
    )
    return new Map([
      ...pages,
      ...files,
      ['/llms.txt', answerOf(llmsText(all, baseUrl), 'text/plain')],
      ['/llms-full.txt', answerOf(fullText(all), 'text/plain')],
      ['/robots.txt', answerOf(robotsText(baseUrl), 'text/plain')],
      ['/sitemap.xml', answerOf(sitemapText(baseUrl), 'text/xml')],
    ])
  }
  const router = Router({ caseSensitive: true })
  const lists = ['/llms.txt', '/llms-full.txt', '/robots.txt', '/sitemap.xml']
  router.get([...lists, '/docs/files/:file', ...inEveryLanguage('/docs{/*folders}/:file.md')], async (req, res) => {
    answers ??= make()
    const path = req.path.replace(/^\/en\//, '/')
    const answer = (await answers).get(path)
    if (answer === undefined) throw notFound(`There is no document at ${path}; ${baseUrl.origin}/llms.txt lists them.`)
    await sendStored(answer, req, res)
  })
  return router
}

/** Follows the format of llmstxt.org. */
function llmsText(documents: readonly DocumentText[], { origin }: URL): string {
  const list = (language: DocumentText['language']) =>
    documents
      .filter((one) => one.language === language)
      .map(({ path, title }) => {
        const purpose = purposeOf(path, language)
        return `- [${title}](${origin}${path}.md)${purpose === undefined ? '' : `: ${purpose}`}`
      })
      .join('\n')
  return `# ${SERVICE_NAME}

> Italian wholesale energy prices as JSON, CSV, Arrow and SQL: PUN and market zones by hour, PSV, TTF, Brent and CO2, with forecasts and their record. ${DISCLAIMER}

- [OpenAPI document](${origin}${BASE_PATH}/openapi.json): every operation with its fields
- [Tools for assistants](${origin}/mcp): a server of the Model Context Protocol, streamable HTTP

## Docs

${list('en')}

## Optional

${list('it')}
`
}

function fullText(documents: readonly DocumentText[]): string {
  return documents
    .filter(({ language }) => language === 'en')
    .map(({ text }) => text.trimEnd())
    .join('\n\n')
}

function robotsText({ origin }: URL): string {
  return `User-agent: *\nAllow: ${BASE_PATH}/docs/\nAllow: ${BASE_PATH}/openapi.json\nDisallow: ${BASE_PATH}/\nSitemap: ${origin}/sitemap.xml\n`
}

/** Every page in every language. */
function sitemapText({ origin }: URL): string {
  const addresses = pagePaths.flatMap((path) => LANGUAGES.map((language) => `${origin}/${language}${path}`))
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${addresses.map((address) => `<url><loc>${address}</loc></url>`).join('\n')}
</urlset>
`
}
