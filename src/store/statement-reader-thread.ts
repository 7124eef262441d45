/** The thread of `statement-reader.ts`: receives statements, and replies to each with the reason for a refusal, if any. */
import { parentPort } from 'node:worker_threads'
import { hasSqlDetails, loadModule, parseSync } from 'libpg-query'
import { refusalOfTree } from '../market/analyst-statement.ts'
import type { ReaderReply } from './statement-reader.ts'

const MESSAGE_MAX = 200

await loadModule()
parentPort?.postMessage('ready')
parentPort?.on('message', (statement: string) => parentPort?.postMessage(replyTo(statement)))

function replyTo(statement: string): ReaderReply {
  if (statement.includes('\0')) return { refusal: 'holds a zero byte' }
  if (statement.trim() === '') return { refusal: 'holds no statement' }
  try {
    return { refusal: refusalOfTree(parseSync(statement), statement) }
  } catch (err) {
    if (hasSqlDetails(err))
      return {
        refusal: `cannot be read: ${shortened(err.message)} (at character ${err.sqlDetails.cursorPosition + 1})`,
      }
    // The thread's stack has overflowed (RangeError), or the module has accessed memory out of bounds (RuntimeError).
    if (err instanceof RangeError || (err instanceof Error && err.name === 'RuntimeError'))
      return { refusal: 'is nested too deeply', broken: true }
    throw err
  }
}

/** The parser's message quotes the statement from the error to its end. */
function shortened(message: string): string {
  return message.length > MESSAGE_MAX ? `${message.slice(0, MESSAGE_MAX)}…` : message
}
