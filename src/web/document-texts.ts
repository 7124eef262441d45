/** Every document as Markdown: the source files, and the converted HTML of pages rendered from data. */
import type { Service } from '../api/http/service.ts'
import { marketDayOf } from '../market/market-day.ts'
import { askEndpoints } from './ask-endpoints.ts'
import { documentFiles } from './document-files.ts'
import { LANGUAGES, type Language } from './i18n/language.ts'
import type { Page } from './page.ts'
import { analystsPage } from './pages/analysts.ts'
import { errorsPage } from './pages/errors.ts'
import { limitsPage } from './pages/limits.ts'
import { referencePage } from './pages/reference.ts'
import { sampleDataPage } from './pages/sample-data.ts'
import { EXAMPLE_ORIGIN, linksFor } from './parts/document-links.ts'
import { toMarkdown } from './to-markdown.ts'
import { makeView } from './view.ts'

const RENDERED: readonly Page[] = [limitsPage, errorsPage, referencePage, sampleDataPage, analystsPage]

export interface DocumentText {
  /** Path of its page: `/docs/quick-start`, `/it/docs/quick-start`. */
  path: string
  title: string
  language: Language
  /** Text with its title; examples use this deployment's origin. */
  text: string
}

/** Lists English documents first. A page takes precedence over the file of the same name, which is part of it. */
export async function documentTexts(service: Service): Promise<DocumentText[]> {
  const rendered = (await Promise.all(LANGUAGES.map((language) => renderedTexts(service, language)))).flat()
  const paths = new Set(rendered.map(({ path }) => path))
  const files = fileTexts(service.config.baseUrl).filter(({ path }) => !paths.has(path))
  return [...files, ...rendered].sort((a, b) => LANGUAGES.indexOf(a.language) - LANGUAGES.indexOf(b.language))
}

function fileTexts({ origin }: URL): DocumentText[] {
  return documentFiles().flatMap(({ path, texts }) =>
    LANGUAGES.map((language) => {
      const text = texts[language].replaceAll(EXAMPLE_ORIGIN, origin)
      return { path: pathIn(language, path), title: text.slice(2, text.indexOf('\n')), language, text }
    }),
  )
}

const pathIn = (language: Language, path: string) => (language === 'en' ? path : `/${language}${path}`)

async function renderedTexts(service: Service, language: Language): Promise<DocumentText[]> {
  const now = service.clock.now()
  const today = marketDayOf(now)
  const ask = askEndpoints(service, { now, today })
  const texts = RENDERED.map(async (page): Promise<DocumentText> => {
    const view = makeView({ language, isChosen: language !== 'en', address: page.path }, today)
    const { title, main } = await page.render({
      path: {},
      query: {},
      view,
      service,
      holder: undefined,
      ask,
      now,
      today,
    })
    const text = `# ${title}\n\n${toMarkdown(linksFor(view, service.config.baseUrl)(main).text)}\n`
    return { path: pathIn(language, page.path), title, language, text }
  })
  return await Promise.all(texts)
}
