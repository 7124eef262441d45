import { Worker } from 'node:worker_threads'

/**
 * The picture of an SVG document as PNG bytes; its text is in PT Sans Caption, 400 or 700. Drawn in a thread of its own that ends with it: drawing takes
 * longer than an answer may wait, and 100 MB while it lasts. Throws what the thread throws.
 */
export async function pngOf(svg: string): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
  const worker = new Worker(new URL('./draw-png.ts', import.meta.url), { workerData: svg })
  worker.once('message', resolve)
  worker.once('error', reject)
  worker.once('exit', (code) => reject(new Error(`drawing ended with ${code} and no picture`)))
  return Buffer.from(await promise)
}
