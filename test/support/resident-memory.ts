/** Memory of running processes, from /proc. */
import { readdir, readFile } from 'node:fs/promises'

/** Resident megabytes of a process and its children; NaN where there is no /proc. */
export async function residentMb(pid: number): Promise<number> {
  let total = 0
  for (const id of [pid, ...(await childrenOf(pid))]) {
    const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '')
    total += Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024
  }
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
