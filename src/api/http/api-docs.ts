/** `/v1/docs`: Swagger UI for the service's own OpenAPI document; all its files are served by this process. */
import { Router } from 'express'
import swaggerUi from 'swagger-ui-express'
import { methodNotAllowed, notFound } from '../contract/errors.ts'
import { REQUEST_ID } from '../contract/headers.ts'
import { SERVICE_NAME } from '../contract/identity.ts'
import type { Endpoint } from './endpoint.ts'
import { type HeaderList, setHeaders } from './headers.ts'
import { contextOf } from './request-context.ts'
import { send } from './send.ts'

/** The only files of Swagger UI that are served; the others are demonstrations and source maps. */
const FILES = new Set([
  '/',
  '/swagger-ui.css',
  '/swagger-ui-bundle.js',
  '/swagger-ui-standalone-preset.js',
  '/swagger-ui-init.js',
  '/favicon-16x16.png',
  '/favicon-32x32.png',
])

/** `css` overrides Swagger UI's own style sheet. */
export function apiDocsRoutes(registry: readonly Endpoint[], security: HeaderList, css: string): Router {
  const router = Router({ caseSensitive: true })
  router.use((req, res, next) => {
    if (!FILES.has(req.path)) throw notFound('There is no such file in the API documentation.')
    if (req.method !== 'GET' && req.method !== 'HEAD') throw methodNotAllowed(req.method, ['GET', 'HEAD'])
    if (req.path === '/' && !new URL(req.originalUrl, 'http://localhost').pathname.endsWith('/')) {
      // The page refers to its files by relative URLs.
      return send(res, 308, ['Location', `${req.baseUrl}/`, ...security])
    }
    setHeaders(res, [...security, REQUEST_ID, contextOf(res).id])
    next()
  })
  const html = page(registry, css)
  router.use(swaggerUi.serveWithOptions({ maxAge: '1h' }))
  router.get('/', (_req, res) => {
    res.type('html').send(html)
  })
  return router
}

const OWN_SHEET = '<link rel="stylesheet" type="text/css" href="./swagger-ui.css" >'

/** Runs in the browser. Swagger UI follows the system's theme; the theme chosen on the web pages takes precedence. */
const applyChosenTheme = new Function(`
  const theme = localStorage.getItem('theme')
  if (theme === null) return
  document.documentElement.dataset.theme = theme
  document.documentElement.classList.toggle('dark-mode', theme === 'dark')
`)

/** Swagger UI's page, adapted to phones and linked to the rest of the service; calls without a key have no padlock. */
function page(registry: readonly Endpoint[], css: string): string {
  const open = registry.filter(({ plan }) => plan === 'Open').map(({ id }) => `[id$="-${id}"] .authorization__btn`)
  const html = swaggerUi.generateHTML(undefined, {
    customCss: `${css} ${open.join(', ')} { display: none }`,
    customSiteTitle: `${SERVICE_NAME}: API documentation`,
    swaggerUrl: '../openapi.json',
    swaggerOptions: { validatorUrl: null, onComplete: applyChosenTheme }, // no badge from an external service
  })
  return html
    .replace('<head>', '<head>\n<meta name="viewport" content="width=device-width, initial-scale=1">')
    .replace(OWN_SHEET, '<style>@import url("./swagger-ui.css") layer(swagger-ui);</style>')
    .replace('<div id="swagger-ui">', '<p class="back"><a href="/docs/reference">← API reference</a></p>\n$&')
}
