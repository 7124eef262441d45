import { expect, it } from 'vitest'
import { html } from '../../../src/web/html.ts'

it('html escapes what is put in, and leaves its own parts alone', () => {
  const items = ['<b>', '"x" & \'y\''].map((text) => html`<li title="${text}">${1}</li>`)
  expect(html`<ul>${items}</ul>`.text).toBe(
    '<ul><li title="&lt;b&gt;">1</li><li title="&quot;x&quot; &amp; &#39;y&#39;">1</li></ul>',
  )
})
