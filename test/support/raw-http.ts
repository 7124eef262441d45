/** HTTP as raw bytes: requests that an attacker sends and no client library would. */
import { once } from 'node:events'
import { connect } from 'node:net'

/** Sends the bytes on a new connection and returns everything until the server closes it, as it does after `Connection: close`. */
export async function sendRaw(baseUrl: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(baseUrl)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  let received = ''
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text
  })
  // A server that has rejected the head may close before it has read the rest, which is a valid outcome.
  socket.on('error', () => {})
  socket.write(bytes)
  await new Promise((resolve) => socket.once('close', resolve))
  return received
}

/** Status codes of all responses received: more than one means that the server saw more than one request. */
export function statuses(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, code]) => Number(code))
}
