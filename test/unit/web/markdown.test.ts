import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { renderMarkdown } from '../../../src/web/markdown.ts'

const DOCS = path.join(import.meta.dirname, '../../../src/web/docs')

describe('a document', () => {
  it('becomes a page', () => {
    const text = [
      '# Title',
      '',
      'Text with `a < b`, **bold** and a [link](https://energy.example/?a=1&b=2),',
      'on two lines.',
      '',
      '## Part',
      '',
      '- one',
      '- two,',
      '  on two lines',
      '',
      '1. first',
      '2. second',
      '',
      '| a | b |',
      '| - | - |',
      '| `x` | 1 |',
      '',
      '```',
      'a < b',
      '',
      '# no heading',
      '```',
    ].join('\n')
    const { title, main } = renderMarkdown(text)
    expect(title).toBe('Title')
    expect(main.text).toBe(
      [
        '<p>Text with <code>a &lt; b</code>, <strong>bold</strong> and a <a href="https://energy.example/?a=1&amp;b=2">link</a>,',
        'on two lines.</p>',
        '<h2>Part</h2>',
        '<ul>',
        '<li>one</li>',
        '<li>two,',
        '  on two lines</li>',
        '</ul>',
        '<ol>',
        '<li>first</li>',
        '<li>second</li>',
        '</ol>',
        '<table>',
        '<thead><tr><th scope="col">a</th><th scope="col">b</th></tr></thead>',
        '<tbody>',
        '<tr><td><code>x</code></td><td>1</td></tr>',
        '</tbody>',
        '</table>',
        '<pre><code>a &lt; b',
        '',
        '# no heading</code></pre>',
        '',
      ].join('\n'),
    )
  })

  it('cannot bring in elements of its own', () => {
    expect(renderMarkdown('# T\n\n<script>alert(1)</script>').main.text).toBe(
      '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n',
    )
  })

  it.each(readdirSync(DOCS).filter((name) => name.endsWith('.md')))('%s leaves no mark unread', (name) => {
    const { main } = renderMarkdown(readFileSync(path.join(DOCS, name), 'utf8'))
    expect(main.text.replace(/<(pre|code)>[\s\S]*?<\/\1>/g, '')).not.toMatch(/\*\*|`|^#|^\||^- /m)
  })
})
