/** Converts pages rendered from data to Markdown. Supports only the HTML that `html.ts` and `marked` produce. */
const ENTITIES: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
  '&amp;': '&',
}

/** Converts `<h2 id="a">A</h2><p>b <code>c</code></p>` to `## A`, an empty line and "b `c`". */
export function toMarkdown(html: string): string {
  const kept: string[] = []
  const keep = (text: string) => `\uE000${kept.push(text) - 1}\uE000`
  const blocks = html
    .replace(/<pre[^>]*><code[^>]*>([\s\S]*?)<\/code><\/pre>/g, (_, code: string) =>
      keep(`\n\n\`\`\`\n${plain(code).trimEnd()}\n\`\`\`\n\n`),
    )
    .replace(/<table[^>]*>([\s\S]*?)<\/table>/g, (_, table: string) => keep(`\n\n${tableOf(table)}\n\n`))
  return inline(blocks)
    .replace(/\uE000(\d+)\uE000/g, (_, i: string) => kept[Number(i)] ?? '')
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

function inline(html: string): string {
  return plain(
    html
      .replace(/\n/g, ' ')
      .replace(
        /<h(\d)[^>]*>(.*?)<\/h\d>/g,
        (_, depth: string, text: string) => `\n\n${'#'.repeat(Number(depth))} ${text}\n\n`,
      )
      .replace(/<li[^>]*>\s*/g, '\n- ')
      .replace(/<\/?(?:p|ul|ol|div|section|dl|dt|dd)(?: [^>]*)?>/g, '\n\n')
      .replace(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/g, '[$2]($1)')
      .replace(/<code[^>]*>(.*?)<\/code>/g, '`$1`')
      .replace(/<\/?strong>/g, '**')
      .replace(/<\/?em>/g, '*'),
  )
    .replace(/\n +/g, '\n')
    .replace(/ {2,}/g, ' ')
}

/** The first row is the header. */
function tableOf(html: string): string {
  const rows = [...html.matchAll(/<tr[^>]*>([\s\S]*?)(?=<tr|<\/tr>|$)/g)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell = '']) =>
      inline(cell).trim().replaceAll('|', '\\|').replace(/\s+/g, ' '),
    ),
  )
  const [head = [], ...body] = rows
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...body.map(line)].join('\n')
}

function plain(html: string): string {
  return html.replace(/<[^>]+>/g, '').replace(/&(?:lt|gt|quot|#39|nbsp|amp);/g, (entity) => ENTITIES[entity] ?? entity)
}
