/** `/prices/{asset}/series` is `/prices/:asset/series` to Express. */
export function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}
