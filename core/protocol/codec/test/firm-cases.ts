import fc from 'fast-check'
import { plain } from '../../../money/test/plain.ts'
import type { FirmCommand } from '../../command/firm.ts'
import type { FirmEvent } from '../../event/firm.ts'
import * as firmWriters from '../firm/write.ts'
import type { Cases } from './cases.ts'

const safe = fc.maxSafeInteger().map((n) => n + 0)
const count = fc.maxSafeNat()
const clientId = fc.stringMatching(/^[.A-Z:/a-z0-9_-]{0,36}$/)

/** Commands of firms with any values. */
export const firmCommands: Record<FirmCommand['type'], fc.Arbitrary<object>> = {
  'firm.join': fc.record({ user: count, main: count }),
  'firm.move': fc.record({ user: count, clientId, to: count, asset: count, amount: safe }),
  'firm.setTerms': fc.record({ main: count, tier: safe, withdrawMax: safe }),
}

const firm = plain(firmWriters)

/** Events of firms, each with its writer. */
export const firmEvents: Cases<FirmEvent['type']> = {
  'firm.joined': { put: (into) => firm.writeFirmJoined(into, 4, 3), event: { user: 4, main: 3 } },
  'firm.terms': { put: (into) => firm.writeFirmTermsChanged(into, 3, 2, 1_000_000), event: { main: 3, tier: 2, withdrawMax: 1_000_000 } },
}
