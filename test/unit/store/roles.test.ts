import { expect, it } from 'vitest'
import { scramVerifier } from '../../../src/store/roles.ts'

it('the SCRAM verifier of a password matches the example of RFC 7677', () => {
  const salt = Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64')
  // From the RFC's exchange (user "user", password "pencil", 4096 iterations): StoredKey and ServerKey of that salt.
  expect(scramVerifier('pencil', salt)).toBe(
    'SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=',
  )
})
