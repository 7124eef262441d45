import { describe, expect, it } from 'vitest'
import { readQuery } from '../../../../src/api/http/query.ts'

const KNOWN = ['from', 'unit']

describe('readQuery', () => {
  it.each([
    ['/x', {}],
    ['/x?', {}],
    ['/x?unit=kwh', { unit: 'kwh' }],
    ['/x?unit=k%77h&from=a+b', { unit: 'kwh', from: 'a b' }],
    ['/x?&&unit=kwh&', { unit: 'kwh' }],
  ])('parses %s', (url, values) => {
    expect(readQuery(url, KNOWN)).toEqual(values)
  })

  it.each([
    ['an unknown name', '/x?form=csv', 'form'],
    ['a name inherited by objects', '/x?constructor=1', 'constructor'],
    ['a name that would change a prototype', '/x?__proto__=1', '__proto__'],
    ['a name in the wrong case', '/x?Unit=kwh', 'Unit'],
    ['a repeated name', '/x?unit=kwh&unit=kwh', 'unit'],
    ['a name without a value', '/x?unit', 'unit'],
    ['an empty value', '/x?unit=', 'unit'],
    ['a value too long', `/x?unit=${'a'.repeat(257)}`, 'unit'],
    ['malformed percent-encoding', '/x?from=1&unit=%ZZ', 'unit'],
    ['broken UTF-8', '/x?unit=%C3%28', 'unit'],
    ['a name that is nothing but a control character', '/x?%00=1', '\uFFFD'],
  ])('refuses %s', (_name, url, param) => {
    expect(() => readQuery(url, KNOWN)).toThrow(expect.objectContaining({ code: 'invalid_parameter', param }))
  })

  it('lists the known parameters in the error message', () => {
    expect(() => readQuery('/x?form=csv', KNOWN)).toThrow('which has from, unit')
    expect(() => readQuery('/x?a=1', [])).toThrow('which has none')
  })

  it('quotes at most 60 characters of a parameter name', () => {
    const param = expect.stringMatching(/^.{60}$/)
    expect(() => readQuery(`/x?${'a'.repeat(10_000)}=1`, KNOWN)).toThrow(expect.objectContaining({ param }))
  })
})
