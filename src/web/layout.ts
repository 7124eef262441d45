import { DISCLAIMER, SERVICE_NAME } from '../contract/identity.ts'
import { type Html, html } from './html.ts'

/** The frame that every page shares. It loads nothing but the service's own style sheet. */
export function layout(title: string, main: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/site.css">
</head>
<body>
<header>
<a class="name" href="/">${SERVICE_NAME}</a>
<nav><a href="/v1/docs/">API documentation</a> <a href="/docs/methodology">Forecasts</a> <a href="/docs">Documentation</a> <a href="/docs/errors">Errors</a></nav>
</header>
<main>
<h1>${title}</h1>
${main}
</main>
<footer><p>${DISCLAIMER}</p></footer>
</body>
</html>
`.text
}
