/** The documents of src/web/docs as pages. They are ours, so what HTML they hold is trusted. */
import { Marked } from 'marked'
import { Html } from './html.ts'

const markdown = new Marked({ gfm: true, async: false })

export interface Page {
  title: string
  main: Html
}

/** A document that begins with `# Title`. */
export function renderMarkdown(text: string): Page {
  const title = /^# (.+)\n/.exec(text)?.[1]
  if (title === undefined) throw new Error('a document begins with its title')
  return { title, main: new Html(markdown.parse(text.slice(text.indexOf('\n')), { async: false })) }
}
