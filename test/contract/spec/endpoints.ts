/** The specification's table of endpoints, row by row, as far as they exist. Compared with the registry. */
export interface SpecEndpoint {
  method: string
  path: string
  plan: string
  cacheSeconds: number
  formats: string[]
}

export const SPEC_ENDPOINTS: SpecEndpoint[] = [
  { method: 'GET', path: '/today', plan: 'Open', cacheSeconds: 900, formats: ['json'] },
  { method: 'GET', path: '/pun/today', plan: 'Open', cacheSeconds: 900, formats: ['json'] },
  { method: 'GET', path: '/psv/today', plan: 'Open', cacheSeconds: 900, formats: ['json'] },
  { method: 'GET', path: '/ttf/today', plan: 'Open', cacheSeconds: 900, formats: ['json'] },
  { method: 'GET', path: '/brent/today', plan: 'Open', cacheSeconds: 900, formats: ['json'] },
  { method: 'GET', path: '/co2/today', plan: 'Open', cacheSeconds: 900, formats: ['json'] },
  { method: 'GET', path: '/prices/{asset}/series', plan: 'Open', cacheSeconds: 3600, formats: ['json', 'csv'] },
]

/** Not in that table: the index at the base address, and the description of the interface. */
export const BESIDE_SPEC = ['/', '/openapi.json']
