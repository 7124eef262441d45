/** Worker thread of `pngOf` in `routes.ts`: SVG text in, PNG bytes out. */
import { readFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { initWasm, Resvg } from '@resvg/resvg-wasm'

const read = (specifier: string) => readFile(new URL(import.meta.resolve(specifier)))

const [regular, bold] = await Promise.all([
  read('@expo-google-fonts/pt-sans-caption/PTSansCaption_400Regular.ttf'),
  read('@expo-google-fonts/pt-sans-caption/PTSansCaption_700Bold.ttf'),
  initWasm(read('@resvg/resvg-wasm/index_bg.wasm')),
])
const resvg = new Resvg(workerData, { font: { fontBuffers: [regular, bold], defaultFontFamily: 'PT Sans Caption' } })
parentPort?.postMessage(resvg.render().asPng())
