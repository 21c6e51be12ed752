import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { Market } from '@candor/core/protocol/market.ts'
import { PerpFeesAudit } from '../desks/audit/perp-fees.ts'

const market = { id: 3, perp: {}, terms: { makerFeePpm: 200, takerFeePpm: 500 } } as unknown as Market
const perpTiers = [
  { volumeMin: 0, makerPpm: 200, takerPpm: 500 },
  { volumeMin: 100_000_000, makerPpm: 100, takerPpm: 300 },
]

function given(): PerpFeesAudit {
  const audit = new PerpFeesAudit(new Map([[3, market]]))
  audit.begin(1_700_000_000_000)
  audit.see({ type: 'fees.changed', tiers: [], perpTiers } as unknown as Event)
  return audit
}

function trade(changed: object): Event {
  const whole = { type: 'traded', market: 3, quote: 100_000_000, makerUser: 1, takerUser: 2, makerFee: 20_000, takerFee: 50_000 }
  return { ...whole, takerOrder: 8, makerOrder: 7, ...changed } as unknown as Event
}

test('PERP-FEE-001: the audit of the simulator knows each tier, and finds a fee or a change that is wrong', () => {
  const audit = given()
  audit.see(trade({}))
  audit.see({ type: 'perp.tierChanged', user: 1, tier: 1 } as Event)
  audit.see({ type: 'perp.tierChanged', user: 2, tier: 1 } as Event)
  audit.check()
  assert.throws(() => audit.see({ type: 'perp.tierChanged', user: 2, tier: 1 } as Event), /told tier 1 twice/)
  assert.throws(() => audit.see({ type: 'perp.tierChanged', user: 2, tier: 0 } as Event), /is told tier 0/)
  audit.begin(1_700_000_000_001)
  audit.see(trade({ takerOrder: 9, makerFee: 10_000, takerFee: 30_000 }))
  assert.throws(() => audit.see(trade({ takerOrder: 9, makerFee: 10_000, takerFee: 30_001 })), /user 2 pays 30001 for a fee of 30000/)
  assert.throws(() => audit.see(trade({ takerOrder: 9, makerFee: 10_001, takerFee: 30_000 })), /user 1 pays 10001/)
  audit.check()
  // Thirty days later the volume is gone.
  audit.begin(1_700_000_000_000 + 31 * 86_400_000)
  // A position without margin pays less than what is due, but not what another tier would.
  audit.see(trade({ takerOrder: 10, takerFee: 40_000 }))
  assert.throws(
    () => audit.see(trade({ takerOrder: 11, makerUser: 8, takerUser: 9, takerFee: 30_000 })),
    /user 9 of tier 0 pays the fee of tier 1/,
  )
})

test('PERP-FEE-002: the audit counts no liquidation, no fund, no own trades and no trades of the house', () => {
  const audit = given()
  audit.see({ type: 'order.accepted', order: 8, perp: { isLiquidation: true } } as unknown as Event)
  audit.see(trade({ takerFee: 0 }))
  audit.see(trade({ takerOrder: 9, makerUser: 3, takerUser: 0, takerFee: 0 }))
  audit.see(trade({ takerOrder: 10, makerUser: 4, takerUser: 4 }))
  audit.see(trade({ takerOrder: 11, makerUser: 5, takerUser: 6, isHouse: true }))
  audit.check()
  for (const user of [1, 3]) audit.see({ type: 'perp.tierChanged', user, tier: 1 } as Event)
  for (const user of [2, 4, 5, 6]) assert.throws(() => audit.see({ type: 'perp.tierChanged', user, tier: 1 } as Event), String(user))
})

test('PERP-FEE-002: the audit counts no side that paid less than its whole fee', () => {
  const audit = given()
  audit.see(trade({ takerFee: 49_999 }))
  audit.see(trade({ takerOrder: 9, makerUser: 3, takerUser: 4, makerFee: 0 }))
  audit.check()
  for (const user of [1, 4]) audit.see({ type: 'perp.tierChanged', user, tier: 1 } as Event)
  for (const user of [2, 3]) assert.throws(() => audit.see({ type: 'perp.tierChanged', user, tier: 1 } as Event), String(user))
})
