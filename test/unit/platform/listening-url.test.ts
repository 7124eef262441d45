import { expect, it } from 'vitest'
import { listeningUrl } from '../../../src/platform/listen.ts'

it.each([
  ['127.0.0.1', 'http://127.0.0.1:8080/'],
  ['::1', 'http://[::1]:8080/'],
  ['prices.internal', 'http://prices.internal:8080/'],
  ['0.0.0.0', 'http://localhost:8080/'],
  ['::', 'http://localhost:8080/'],
])('a server that listens on %s is reached at %s', (host, expected) => {
  expect(listeningUrl(host, 8080).href).toBe(expected)
})
