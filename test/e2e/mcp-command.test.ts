/** `npm run -s mcp` as an assistant starts it: invalid calls, and an unreachable service. */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { productEnvironment } from '../support/environment.ts'

const COMMAND = path.join(import.meta.dirname, '../../src/cli/mcp.ts')
/** Nothing listens on port 1. */
const UNREACHABLE_URL = 'http://127.0.0.1:1'
const QUESTION = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/call', params: { name: 'getToday', arguments: {} } },
]

function mcp(args: string[], input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], {
    env: productEnvironment({}),
    input,
    encoding: 'utf8',
  })
  return { code: status, out: stdout, err: stderr }
}

describe('npm run mcp', () => {
  it('prints its usage with --help', () => {
    expect(mcp(['--help'])).toEqual({ code: 0, out: expect.stringContaining('usage:'), err: '' })
  })

  it.each([
    [['--port', '1'], "Unknown option '--port'"],
    [['--url', 'localhost'], '"localhost" is not the address of a service, such as http://127.0.0.1:8080'],
  ])('refuses %j with one sentence and exit code 2', (args, sentence) => {
    const { code, err } = mcp(args)
    expect({ code, first: err.split('\n')[0] }).toEqual({ code: 2, first: expect.stringContaining(sentence) })
    expect(err).not.toContain('    at ')
  })

  it('names an unreachable service in the result, and ends with its input', () => {
    const lines = QUESTION.map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`)
    const { code, out } = mcp(['--url', UNREACHABLE_URL], lines.join(''))
    const answer = JSON.parse(out.trim().split('\n').at(-1) as string)
    expect({ code, answer }).toMatchObject({
      code: 0,
      answer: {
        id: 2,
        result: { isError: true, content: [{ text: `internal_error: Nothing answers at ${UNREACHABLE_URL}.` }] },
      },
    })
  })
})
