import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'

const CLI = path.join(import.meta.dirname, '../../../src/cli')
/** Prints until its output is closed. */
const COMMAND = `
  import { once } from 'node:events'
  import { runCommand } from '${CLI}/command.ts'
  import { print } from '${CLI}/print.ts'
  await runCommand(async () => {
    const closed = once(process.stdout, 'error')
    const printing = setInterval(() => print('a line'), 1)
    await closed
    clearInterval(printing)
    return 3
  })`

it('a command exits without an error when the reader of its output closes the pipe', async () => {
  const command = spawn(process.execPath, ['--input-type=module-typescript', '--eval', COMMAND])
  const [errors] = await Promise.all([
    text(command.stderr),
    once(command.stdout, 'data').then(() => command.stdout.destroy()),
  ])
  if (command.exitCode === null) await once(command, 'exit')
  expect({ code: command.exitCode, errors }).toEqual({ code: 3, errors: '' })
})
