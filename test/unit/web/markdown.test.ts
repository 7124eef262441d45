import { describe, expect, it } from 'vitest'
import { renderMarkdown } from '../../../src/web/markdown.ts'
import { documents } from '../../../src/web/pages/documents.ts'

describe('a document', () => {
  it('is rendered under its title', () => {
    const { title, main } = renderMarkdown('# Title\n\nText with `a < b`.\n\n| a | b |\n| - | - |\n| `x` | 1 |\n')
    expect(title).toBe('Title')
    expect(main.text).toContain('<p>Text with <code>a &lt; b</code>.</p>')
    expect(main.text).toContain('<td><code>x</code></td>')
    expect(main.text).not.toContain('<h1>')
  })

  it('numbers the anchors of repeated headings', () => {
    const { main } = renderMarkdown('# Title\n\n## 1.1\n\n### Added\n\n## 1.0\n\n### Added\n')
    expect([...main.text.matchAll(/id="([^"]*)"/g)].map(([, id]) => id)).toEqual(['1-1', 'added', '1-0', 'added-2'])
  })

  it('must have a title', () => {
    expect(() => renderMarkdown('Text\n')).toThrow('title')
  })
})

describe('the documents', () => {
  it('each have a unique address and title', () => {
    expect(documents.map(({ path }) => path)).toContain('/docs/webhooks')
    for (const language of ['en', 'it'] as const)
      expect(new Set(documents.map(({ pages }) => pages[language].title)).size).toBe(documents.length)
  })
})
