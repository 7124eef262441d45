/** `npm run licences`: writes `THIRD-PARTY.md`, which names every package with its version and licence. */
import { writeFileSync } from 'node:fs'
import { THIRD_PARTY_FILE, thirdParty } from './third-party.ts'

writeFileSync(THIRD_PARTY_FILE, thirdParty())
