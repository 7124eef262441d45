/** Memory of running processes, from /proc. */
import { readdir, readFile } from 'node:fs/promises'

/** Resident megabytes of a process and all its descendants; NaN without /proc. */
export async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  let total = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024
  for (const child of await childrenOf(pid)) total += await residentMb(child)
  return total
}

async function childrenOf(pid: number): Promise<number[]> {
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const children: number[] = []
  for (const id of ids) {
    const stat = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '')
    if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid) children.push(Number(id))
  }
  return children
}
