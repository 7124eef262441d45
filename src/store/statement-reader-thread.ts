/** The thread of `statement-reader.ts`: statement in, rejection or nothing out. */
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
    // The stack of the thread is full (RangeError), or the module has stepped out of its memory (RuntimeError).
    if (err instanceof RangeError || (err instanceof Error && err.name === 'RuntimeError'))
      return { refusal: 'is nested too deeply', broken: true }
    throw err
  }
}

/** It quotes the statement from there to its end. */
function shortened(message: string): string {
  return message.length > MESSAGE_MAX ? `${message.slice(0, MESSAGE_MAX)}…` : message
}
