/** `npm run -s mcp` as an assistant starts it: invalid calls, and an unreachable service. */
import { describe, expect, it } from 'vitest'
import { startCommand } from '../support/product.ts'

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

const mcp = (args: string[], input?: string) => startCommand({}, 'mcp.ts', args, input).ended

describe('npm run mcp', () => {
  it('prints its usage with --help', async () => {
    expect(await mcp(['--help'])).toEqual({ code: 0, stdout: expect.stringContaining('usage:'), stderr: '' })
  })

  it.each([
    [['--port', '1'], "Unknown option '--port'"],
    [['--url', 'localhost'], '"localhost" is not the address of a service, such as http://127.0.0.1:8080'],
  ])('refuses %j with one sentence and exit code 2', async (args, sentence) => {
    const { code, stderr } = await mcp(args)
    expect({ code, first: stderr.split('\n')[0] }).toEqual({ code: 2, first: expect.stringContaining(sentence) })
    expect(stderr).not.toContain('    at ')
  })

  it('names an unreachable service in the result, and ends with its input', async () => {
    const lines = QUESTION.map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`)
    const { code, stdout } = await mcp(['--url', UNREACHABLE_URL], lines.join(''))
    const answer = JSON.parse(stdout.trim().split('\n').at(-1) as string)
    expect({ code, answer }).toMatchObject({
      code: 0,
      answer: {
        id: 2,
        result: { isError: true, content: [{ text: `internal_error: Nothing answers at ${UNREACHABLE_URL}.` }] },
      },
    })
  })
})
