/** First and last byte, inclusive. */
export interface ByteRange {
  first: number
  last: number
}

const RANGE = /^bytes=(\d*)-(\d*)$/

/**
 * What part of `size` bytes the header `Range` asks for: `byteRange('bytes=0-99', 1000)` is the first hundred. Undefined where all of
 * them are to be sent: without the header, and where it is not one range of bytes, as RFC 9110 (14.2) lets a server decide.
 * `unsatisfiable` where it lies beyond the end.
 */
export function byteRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = RANGE.exec(header ?? '') ?? []
  if (from === '' && to === '') return undefined
  if (from === '') {
    const length = Number(to)
    return length === 0 ? 'unsatisfiable' : { first: Math.max(0, size - length), last: size - 1 }
  }
  const first = Number(from)
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (to !== '' && Number(to) < first) return undefined
  return first >= size ? 'unsatisfiable' : { first, last }
}
