/** Common parts of all commands: `--help`, exit codes, and one sentence instead of a stack trace for errors the user can fix. */

import { stat } from 'node:fs/promises'
import path from 'node:path'
import { inspect } from 'node:util'
import { UnreadableFile } from '../ingest/source-file.ts'
import { isDiskFull } from '../platform/disk-space.ts'
import { waitForNpmExit } from '../platform/npm-parent.ts'
import { startProblem } from '../service/start-problem.ts'
import { MoveRefused } from '../store/move/move-database.ts'
import { print, printError } from './print.ts'

import './env-file.ts'

/** A mistake in how a command was called. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The shell's exit code for a terminated command. */
const TERMINATED = 143

/** System errors about a file, by code. */
const FILE_PROBLEMS: Record<string, string> = {
  ENOENT: 'there is no such file',
  EACCES: 'may not be opened: let this user read it, or name another file',
  EISDIR: 'is a folder: name a file in it',
  ENOTDIR: 'is below a file, not a folder: name another place',
}

/** `npm run … | head -1`: the reader has closed its end; the command finishes its work. */
function ignoreBrokenPipe(err: NodeJS.ErrnoException): void {
  if (err.code !== 'EPIPE') throw err
}

/** `usage` is printed for `--help` and for unknown options. */
export async function runCommand(command: () => Promise<number>, usage?: string): Promise<never> {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreBrokenPipe)
  if (usage !== undefined && process.argv.slice(2).some((word) => word === '--help' || word === '-h')) {
    print(...usage.split('\n'))
    process.exit(0)
  }
  // The end of npm acts like the signal that npm does not forward.
  void waitForNpmExit(process.env).then(() => process.emit('SIGTERM', 'SIGTERM') || process.exit(TERMINATED))
  try {
    process.exit(await command())
  } catch (err) {
    const sentence = isParseArgsError(err) ? [err.message, usage].join('\n').trimEnd() : userErrorMessage(err)
    printError(...(sentence ?? inspect(err)).split('\n'))
    process.exit(sentence === undefined || isDiskFull(err) ? 1 : 2)
  }
}

function isParseArgsError(err: unknown): err is Error {
  return err instanceof Error && 'code' in err && String(err.code).startsWith('ERR_PARSE_ARGS')
}

/** Returns undefined if it is not a mistake of the user. */
function userErrorMessage(err: unknown): string | undefined {
  if (!(err instanceof Error)) return undefined
  if (err instanceof UsageError || err instanceof MoveRefused || err instanceof UnreadableFile) return err.message
  return startProblem(err) ?? problemOfNamedFile(err)
}

/** The problem of a file named in the call; an error about any other file is internal. */
function problemOfNamedFile(err: Error & { code?: unknown; path?: unknown }): string | undefined {
  const { code, path: file } = err
  if (typeof code !== 'string' || typeof file !== 'string') return undefined
  const isNamed = process.argv.slice(2).some((word) => path.resolve(word.replace(/^--\w+=/, '')) === path.resolve(file))
  const problem = isNamed ? FILE_PROBLEMS[code] : undefined
  return problem && `${file}: ${problem}`
}

/** Throws UsageError if the file exists or its folder does not; called before the work starts. */
export async function refuseToOverwrite(file: string): Promise<void> {
  if ((await stat(file).catch(() => undefined)) !== undefined) throw new UsageError(`${file} exists already`)
  const folder = path.dirname(file)
  const found = await stat(folder).catch(() => undefined)
  if (!found?.isDirectory()) throw new UsageError(`there is no folder ${folder}`)
}
