import { expect, it } from 'vitest'
import { html, sentence } from '../../../src/web/html.ts'

it('html escapes interpolated values, but not its own markup', () => {
  const items = ['<b>', '"x" & \'y\''].map((text) => html`<li title="${text}">${1}</li>`)
  expect(html`<ul>${items}</ul>`.text).toBe(
    '<ul><li title="&lt;b&gt;">1</li><li title="&quot;x&quot; &amp; &#39;y&#39;">1</li></ul>',
  )
})

it('sentence formats names as code, and escapes the rest', () => {
  expect(html`<p>${sentence('`a<b` is < `c`.')}</p>`.text).toBe('<p><code>a&lt;b</code> is &lt; <code>c</code>.</p>')
})
