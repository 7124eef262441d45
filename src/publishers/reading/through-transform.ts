/**
 * Drives a transform stream manually. Piping would discard the stream's output when it fails; here everything read before the failure
 * is yielded first. Each yield is the output of one chunk of input, so memory is bounded by one chunk. `check` is called with each
 * piece of output as it arrives and throws to stop there.
 */
import type { Transform } from 'node:stream'

export async function* throughTransform<In, Out>(
  transform: Transform,
  input: AsyncIterable<In>,
  check: (output: Out) => void = () => {},
): AsyncGenerator<Out[], void, undefined> {
  const { promise: failed, reject } = Promise.withResolvers<never>()
  failed.catch(() => {}) // reported by the races below; between them it must not be an unhandled rejection
  // Decompression can end before its input: it then never consumes the rest, and the callbacks of those writes are never called.
  let isDone = false
  const done = new Promise<void>((resolve) => {
    transform.once('end', () => {
      isDone = true
      resolve()
    })
  })
  let ready: Out[] = []
  const take = (): Out[] => {
    const taken = ready
    ready = []
    return taken
  }
  transform.on('error', reject)
  transform.on('data', (output: Out) => {
    try {
      check(output)
      ready.push(output)
    } catch (err) {
      reject(err)
      transform.destroy()
    }
  })
  try {
    for await (const chunk of input) {
      await Promise.race([writeChunk(transform, chunk), done, failed])
      yield take()
      if (isDone) return
    }
    transform.end()
    await Promise.race([done, failed])
    yield take()
  } catch (err) {
    yield take()
    throw err
  } finally {
    transform.destroy()
  }
}

function writeChunk(transform: Transform, chunk: unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    transform.write(chunk, (err) => (err ? reject(err) : resolve()))
  })
}
