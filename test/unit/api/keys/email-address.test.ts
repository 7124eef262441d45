import { describe, expect, it } from 'vitest'
import { readEmailAddress } from '../../../../src/api/keys/email-address.ts'

describe('an e-mail address', () => {
  it.each([
    ['ada@example.com', 'ada@example.com', 'ada@example.com'],
    ['Ada@Example.COM', 'Ada@example.com', 'ada@example.com'],
    ['ada+prices@example.com', 'ada+prices@example.com', 'ada@example.com'],
    ['+@example.com', '+@example.com', '+@example.com'],
    ['a.d.a+x@googlemail.com', 'a.d.a+x@googlemail.com', 'ada@gmail.com'],
    ['a.d.a@example.com', 'a.d.a@example.com', 'a.d.a@example.com'],
    ["o'brien@example.co.uk", "o'brien@example.co.uk", "o'brien@example.co.uk"],
    ['info@città.example', 'info@xn--citt-3na.example', 'info@xn--citt-3na.example'],
  ])('%s is normalised to %s with the mailbox %s', (text, address, mailbox) => {
    expect(readEmailAddress(text)).toEqual({ address, mailbox })
  })

  it.each([
    ['nothing', ''],
    ['no at sign', 'example.com'],
    ['no name', '@example.com'],
    ['no domain', 'ada@'],
    ['a host without a domain', 'ada@localhost'],
    ['an address of a machine', 'ada@127.0.0.1'],
    ['an address in brackets', 'ada@[127.0.0.1]'],
    ['a space', 'ada l@example.com'],
    ['a line break', 'ada@example.com\nBcc: eve@example.com'],
    ['two addresses', 'ada@example.com,eve@example.com'],
    ['a name beside it', 'Ada <ada@example.com>'],
    ['quotes', '"ada"@example.com'],
    ['two dots', 'a..da@example.com'],
    ['a dot at the end', 'ada.@example.com'],
    ['a label that ends in a hyphen', 'ada@example-.com'],
    ['a name of 65 characters', `${'a'.repeat(65)}@example.com`],
    ['255 characters', `a@${`${'b'.repeat(60)}.`.repeat(4)}${'c'.repeat(9)}`],
  ])('is rejected with %s', (_name, text) => {
    expect(readEmailAddress(text)).toBeUndefined()
  })
})
