/** Pages as strings: `html` escapes everything put into it that is not already `Html`. */

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text that is safe to send unescaped. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** `false` and `undefined` render as nothing, so that `${condition && html`…`}` works. */
export type Part = Html | string | number | false | undefined | readonly Html[]

/** `` html`<p>${'a < b'}</p>`.text `` is `<p>a &lt; b</p>`. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.map((string, i) => string + (i < parts.length ? render(parts[i]) : '')).join(''))
}

/** Renders a sentence of the contract with its `` `names` `` as code. */
export function sentence(text: string): Html[] {
  return text.split('`').map((piece, i) => (i % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`))
}

function render(part: Part): string {
  if (part instanceof Html) return part.text
  if (part === undefined || part === false) return ''
  if (typeof part === 'object') return part.map((one) => one.text).join('')
  return String(part).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
}
