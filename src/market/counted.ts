/** How many of something, for sentences: `1 document`, `0 documents`, `1 day of prices` with its plural given. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
