/** The clients of `streams.ts`: plain sockets. Reports when all streams are open, then when every client has its event of each document. */
import { once } from 'node:events'
import { connect } from 'node:net'

const [address = '', count = '0', ...keys] = process.argv.slice(2)
const { hostname, port } = new URL(address)
const CONCURRENCY = 50

let arrivals: number[] = []

async function open(n: number): Promise<void> {
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.setEncoding('latin1')
  const begun = new Promise<void>((resolve) => {
    let tail = ''
    socket.on('data', (chunk: string) => {
      tail += chunk
      if (tail.includes('\nid: ') || tail.includes('\r\nid: ')) resolve()
      if (tail.includes('event: day.published')) recordArrival()
      tail = ''
    })
  })
  socket.write(
    `GET /v1/stream?dataset=pun HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${keys[n % keys.length]}\r\n\r\n`,
  )
  await begun
}

function recordArrival(): void {
  arrivals.push(Date.now())
  if (arrivals.length < Number(count)) return
  process.send?.(arrivals)
  arrivals = []
}

for (let n = 0; n < Number(count); n += CONCURRENCY)
  await Promise.all(Array.from({ length: CONCURRENCY }, (_, i) => open(n + i)))
process.send?.('open')
