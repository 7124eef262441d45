/**
 * The documents of src/web/docs as pages: headings, paragraphs, lists, tables, fenced blocks; inline code, bold text and links.
 * No more of Markdown than they use, and no HTML: everything else is text.
 */
import { Html, html } from './html.ts'

export interface Page {
  title: string
  main: Html
}

/** A document that begins with `# Title`. */
export function renderMarkdown(text: string): Page {
  const [first = '', ...blocks] = blocksOf(text)
  if (!first.startsWith('# ')) throw new Error('a document begins with its title')
  return { title: first.slice(2), main: joined(blocks.map(block)) }
}

/** Separated by empty lines, but for those inside a fence. */
function blocksOf(text: string): string[] {
  return [...text.matchAll(/^```[\s\S]*?^```$|^(?:(?!```).+\n?)+/gm)].map(([found]) => found.trimEnd())
}

function block(text: string): Html {
  if (text.startsWith('```')) return html`<pre><code>${text.split('\n').slice(1, -1).join('\n')}</code></pre>\n`
  if (text.startsWith('## ')) return html`<h2>${inline(text.slice(3))}</h2>\n`
  if (text.startsWith('|')) return table(text.split('\n'))
  if (text.startsWith('- ')) return html`<ul>\n${items(text, /^- /m)}</ul>\n`
  if (text.startsWith('1. ')) return html`<ol>\n${items(text, /^\d+\. /m)}</ol>\n`
  return html`<p>${inline(text)}</p>\n`
}

function items(text: string, bullet: RegExp): Html {
  const [, ...found] = text.split(bullet)
  return joined(found.map((item) => html`<li>${inline(item.trimEnd())}</li>\n`))
}

/** The second row holds nothing but dashes. */
function table([head = '', , ...rows]: string[]): Html {
  const header = cells(head).map((cell) => html`<th scope="col">${inline(cell)}</th>`)
  const body = rows.map((row) => html`<tr>${cells(row).map((cell) => html`<td>${inline(cell)}</td>`)}</tr>\n`)
  return html`<table>\n<thead><tr>${header}</tr></thead>\n<tbody>\n${body}</tbody>\n</table>\n`
}

function cells(row: string): string[] {
  return row
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())
}

function inline(text: string): Html {
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)\s]+\))/)
  return joined(parts.map((part, i) => (i % 2 === 1 ? marked(part) : html`${part}`)))
}

function marked(part: string): Html {
  if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`
  if (part.startsWith('**')) return html`<strong>${part.slice(2, -2)}</strong>`
  const [, text = '', address = ''] = /^\[(.+)\]\((.+)\)$/.exec(part) ?? []
  return html`<a href="${address}">${text}</a>`
}

function joined(parts: Html[]): Html {
  return new Html(parts.map(({ text }) => text).join(''))
}
