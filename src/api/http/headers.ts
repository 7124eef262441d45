/** Response headers in the form that is fastest for Node's `writeHead`: name, value, name, value, … */
export type HeaderList = readonly string[]

/** Sets each header of the list on a response that other code will write. */
export function setHeaders(res: { setHeader(name: string, value: string): unknown }, headers: HeaderList): void {
  for (let i = 0; i + 1 < headers.length; i += 2) res.setHeader(headers[i] ?? '', headers[i + 1] ?? '')
}
