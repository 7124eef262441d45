/** Compares Temporal values by their text. They have no properties, so `toMatchObject` would accept any value of the same type. */
import { expect } from 'vitest'

const typeOf = (value: unknown) => /^\[object (Temporal\.\w+)\]$/.exec(Object.prototype.toString.call(value))?.[1]

// Runs before each file, and files may share a process.
const shared = globalThis as { comparesTemporal?: boolean }
if (!shared.comparesTemporal)
  expect.addEqualityTesters([
    (a: unknown, b: unknown) => {
      const [type, other] = [typeOf(a), typeOf(b)]
      if (type === undefined && other === undefined) return undefined
      return type === other && String(a) === String(b)
    },
  ])
shared.comparesTemporal = true
