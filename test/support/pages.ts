/** Pages as a browser gets them, and helpers to examine them. */
import { createHash } from 'node:crypto'
import { expect } from 'vitest'

export interface PageAnswer {
  status: number
  headers: Headers
  html: string
  /** Every machine-readable figure on the page: the values of `<data>`. */
  figures: number[]
}

/** Requests a page as a browser does. */
export async function getPage(
  baseUrl: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<PageAnswer> {
  const response = await fetch(baseUrl + path, { headers: { accept: 'text/html', ...headers }, redirect: 'manual' })
  const html = await response.text()
  return { status: response.status, headers: response.headers, html, figures: figuresOf(html) }
}

/** The machine-readable figures in a part of a page: the values of `<data>`. */
export function figuresOf(html: string): number[] {
  return [...html.matchAll(/<data value="([^"]*)"/g)].map(([, value]) => Number(value))
}

/** The part of the page from one text to another. */
export function sliceBetween(html: string, from: string, to: string): string {
  const start = html.indexOf(from)
  expect(start, `the page has ${from}`).toBeGreaterThanOrEqual(0)
  const end = html.indexOf(to, start + from.length)
  return html.slice(start, end < 0 ? undefined : end)
}

/** The visible text. */
export function textOf(html: string): string {
  return html
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*(?:>|$)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The page without the inline style sheets and scripts that its policy admits by hash; others remain. */
export function stripAllowedInline(html: string, policy: string | null): string {
  return html.replace(/<(style|script)>([\s\S]*?)<\/\1>\n/g, (whole, _name, text: string) =>
    policy?.includes(`'sha256-${createHash('sha256').update(text).digest('base64')}'`) ? '' : whole,
  )
}

export function countMatches(html: string, pattern: RegExp): number {
  return [...html.matchAll(pattern)].length
}
