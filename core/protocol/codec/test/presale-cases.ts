import fc from 'fast-check'
import { plain } from '../../../money/test/plain.ts'
import type { PresaleCommand } from '../../command/presale.ts'
import type { PresaleEvent } from '../../event/presale.ts'
import { releaseKinds } from '../../wire/presale.ts'
import * as presaleWriters from '../presale/write.ts'
import type { Cases } from './cases.ts'

const safe = fc.maxSafeInteger().map((n) => n + 0)
const count = fc.maxSafeNat()
const clientId = fc.stringMatching(/^[A-Za-z0-9.:/_-]{0,36}$/)
const hash = fc.stringMatching(/^([0-9a-f]{64})?$/)

const terms = fc.record({
  ...{ token: count, pay: count, price: fc.record({ pay: safe, per: safe }), supply: safe, purchaseLimit: safe },
  ...{ subscriptionMin: safe, subscriptionMax: safe, softCap: safe, startsAt: count, endsAt: count },
  ...{ documentHash: hash, detailsHash: hash },
  release: fc.record({
    ...{ atListingPpm: safe, kind: fc.constantFrom(...releaseKinds), lockDays: safe },
    steps: fc.array(fc.record({ day: safe, ppm: safe }), { maxLength: 60 }),
  }),
})

/** Commands of presales with any values. */
export const presaleCommands: Record<PresaleCommand['type'], fc.Arbitrary<object>> = {
  'presale.set': fc.record({ presale: count, terms }),
  'presale.cancel': fc.record({ presale: count }),
  'presale.subscribe': fc.record({ user: count, clientId, presale: count, amount: safe }),
}

const presale = plain(presaleWriters)
const set = {
  presale: 7,
  terms: {
    ...{ token: 4, pay: 1, price: { pay: 25_000, per: 1_000_000 }, supply: 9_000_000, purchaseLimit: 90_000 },
    ...{ subscriptionMin: 10, subscriptionMax: 5000, softCap: 100, startsAt: 1_750_000_000_000, endsAt: 1_750_000_100_000 },
    release: { atListingPpm: 200_000, kind: 'steps' as const, lockDays: 30, steps: [{ day: 30, ppm: 800_000 }] },
    documentHash: 'ab'.repeat(32),
    detailsHash: '0f'.repeat(32),
  },
}
const subscribed = { presale: 7, user: 3, amount: 50, total: 80, subscribed: 700, subscribers: 9 }
const allocated = { presale: 7, user: 3, allocated: 60, cost: 33, refunded: 47, released: 12 }
const released = { presale: 7, user: 3, amount: 5, released: 17, day: 2 }
const ended = { presale: 7, outcome: 'missed' as const, sold: 0, proceeds: 0 }

/** Events of presales, each with its writer. */
export const presaleEvents: Cases<PresaleEvent['type']> = {
  'presale.set': { put: (into) => presale.writePresaleSet(into, set), event: set },
  'presale.subscribed': { put: (into) => presale.writePresaleSubscribed(into, subscribed), event: subscribed },
  'presale.allocated': { put: (into) => presale.writePresaleAllocated(into, allocated), event: allocated },
  'presale.released': { put: (into) => presale.writePresaleReleased(into, released), event: released },
  'presale.ended': { put: (into) => presale.writePresaleEnded(into, ended), event: ended },
  'presale.unlocked': { put: (into) => presale.writePresaleUnlocked(into, { presale: 7 }), event: { presale: 7 } },
}
