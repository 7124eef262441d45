/** Parses the `curl` calls in a document into requests. */

export interface CurlCall {
  url: string
  init: { method: string; headers: Record<string, string>; body?: string }
}

const BLOCK = /^```sh\n([\s\S]*?)^```$/gm
/** A shell word: quoted (single or double) and bare parts, concatenated. */
const WORD = /(?:'[^']*'|"[^"]*"|[^\s'"])+/g

/** Returns every call in the blocks of shell commands, in order. Throws on an unsupported option. */
export function curlCalls(markdown: string): CurlCall[] {
  const blocks = [...markdown.matchAll(BLOCK)].map(([, block = '']) => block.replaceAll('\\\n', ' '))
  return blocks.flatMap((block) => block.split('\n').filter((line) => line.startsWith('curl '))).map(readCall)
}

function readCall(line: string): CurlCall {
  const words = (line.match(WORD) ?? []).slice(1).map((word) => word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'))
  const call: CurlCall = { url: '', init: { method: 'GET', headers: {} } }
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? ''
    if (word === '-N') continue // disables output buffering
    if (!word.startsWith('-')) call.url = word
    else applyOption(call, word, words[++i] ?? '')
  }
  return call
}

function applyOption({ init }: CurlCall, option: string, value: string): void {
  if (option === '-X') init.method = value
  else if (option === '-d') init.body = value
  else if (option === '-H')
    init.headers[value.slice(0, value.indexOf(':'))] = value.slice(value.indexOf(':') + 1).trim()
  else if (option !== '-o') throw new Error(`an option of curl that is not read here: ${option}`)
}
