import { Html } from '../html.ts'
import type { View } from '../view.ts'

/** The placeholder in documents for the address of a deployment. */
export const EXAMPLE_ORIGIN = 'https://energy.example'
/** A link to another page of this service, but neither to the API nor to what is the same in every language. */
const OWN_PAGE = /href="(\/(?!v1(?:\/|")|mcp"|llms|docs\/files\/)[^"]*)"/g

/** A document as this deployment shows it: examples name its own address, links keep the language that was chosen. */
export function linksFor(view: View, baseUrl: URL): (document: Html) => Html {
  return ({ text }) =>
    new Html(
      text
        .replaceAll(EXAMPLE_ORIGIN, baseUrl.origin)
        .replace(OWN_PAGE, (_, path: string) => `href="${view.href(path)}"`),
    )
}
