/** Wildcard addresses, which cannot be called. */
const WILDCARDS: readonly string[] = ['0.0.0.0', '::']

/** Where a server that listens on `host` is reached, as far as it can know: by `localhost` where it listens on all addresses. */
export function listeningUrl(host: string, port: number, path = '/'): URL {
  const name = WILDCARDS.includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return new URL(path, `http://${name}:${port}`)
}
