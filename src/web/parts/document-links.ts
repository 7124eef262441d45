import { Html } from '../html.ts'
import type { View } from '../view.ts'

/** The placeholder in documents for the origin of a deployment. */
export const EXAMPLE_ORIGIN = 'https://energy.example'
/** Matches links to pages of this service, except to the API and to files that are the same in every language. */
const OWN_PAGE = /href="(\/(?!v1(?:\/|")|mcp"|llms|docs\/files\/)[^"]*)"/g

/** Adapts a document to this deployment: examples use its origin, links keep the chosen language. */
export function linksFor(view: View, baseUrl: URL): (document: Html) => Html {
  return ({ text }) =>
    new Html(
      text
        .replaceAll(EXAMPLE_ORIGIN, baseUrl.origin)
        .replace(OWN_PAGE, (_, path: string) => `href="${view.href(path)}"`),
    )
}
