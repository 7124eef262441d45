/** Serialises a state of plain objects, lists, maps and typed arrays to JSON values plus named arrays, as artefacts are stored. */
import type { Artefact } from './model.ts'

type Packed = Pick<Artefact, 'state' | 'arrays'>

interface ArrayPlace {
  $array: string
  /** Whether it was a Float32Array; its values are stored exactly, as doubles. */
  single: boolean
}

interface MapPlace {
  $map: unknown[]
}

/** Arrays of doubles are shared with the state, not copied; one that occurs twice is stored once. */
export function pack(state: unknown): Packed {
  const arrays: Packed['arrays'] = {}
  const places = new Map<unknown, ArrayPlace>()
  const place = (value: unknown): unknown => {
    const known = places.get(value)
    if (known) return known
    if (value instanceof Float64Array || value instanceof Float32Array) {
      const name = `a${places.size}`
      arrays[name] = value instanceof Float64Array ? value : Float64Array.from(value)
      const made = { $array: name, single: value instanceof Float32Array }
      places.set(value, made)
      return made
    }
    if (value instanceof Map) return { $map: [...value].flatMap(([key, one]) => [key, place(one)]) } satisfies MapPlace
    if (Array.isArray(value)) return value.map((one) => place(one))
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, place(one)]))
  }
  return { state: place(state), arrays }
}

/** The inverse of `pack`, computed once per artefact. The caller must not modify the result. */
export function unpacked<State>(artefact: Packed): State {
  const found = states.get(artefact)
  if (found !== undefined) return found as State
  const state = unpack(artefact.state, artefact.arrays)
  states.set(artefact, state)
  return state as State
}

const states = new WeakMap<Packed, unknown>()

function unpack(value: unknown, arrays: Packed['arrays']): unknown {
  if (Array.isArray(value)) return value.map((one) => unpack(one, arrays))
  if (value === null || typeof value !== 'object') return value
  if ('$array' in value) {
    const { $array, single } = value as ArrayPlace
    const array = arrays[$array]
    if (!array) throw new RangeError(`the artefact has no array ${$array}`)
    return single ? Float32Array.from(array) : array
  }
  if ('$map' in value) {
    const items = (value as MapPlace).$map
    return new Map(items.flatMap((key, at) => (at % 2 === 0 ? [[key, unpack(items[at + 1], arrays)] as const] : [])))
  }
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, unpack(one, arrays)]))
}
