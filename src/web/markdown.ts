/** The documents of src/web/docs as pages. They are part of the project, so their HTML is trusted. */
import { Marked, type Tokens } from 'marked'
import { Html, html } from './html.ts'

const markdown = new Marked({ gfm: true, async: false })
const tableOf = new Marked({ gfm: true, async: false }).Renderer.prototype.table

markdown.use({
  renderer: {
    /** A heading with an anchor: `## With a key` is `#with-a-key`. */
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${slugOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    /** Content wider than the window scrolls separately, also with the keyboard. */
    code({ text }) {
      return html`<pre tabindex="0"><code>${text}</code></pre>\n`.text
    },
    table(token: Tokens.Table) {
      return `<div class="scroll" tabindex="0">${tableOf.call(this, token)}</div>\n`
    },
  },
})

export interface Page {
  title: string
  readonly main: Html
}

/** A document that begins with `# Title`. Rendered on first request, since rendering all documents takes a tenth of the start-up time. */
export function renderMarkdown(text: string): Page {
  const title = /^# (.+)\n/.exec(text)?.[1]
  if (title === undefined) throw new Error('a document begins with its title')
  let main: Html | undefined
  return {
    title,
    get main() {
      main ??= new Html(withUniqueIds(markdown.parse(text.slice(text.indexOf('\n')), { async: false })))
      return main
    },
  }
}

/** Numbers the anchors of headings that a document repeats: `added`, `added-2`. */
function withUniqueIds(text: string): string {
  const counts = new Map<string, number>()
  return text.replace(/(?<=<h\d id=")[^"]*/g, (id) => {
    const count = (counts.get(id) ?? 0) + 1
    counts.set(id, count)
    return count === 1 ? id : `${id}-${count}`
  })
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
}
