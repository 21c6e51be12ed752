import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '@candor/core/protocol/event/index.ts'
import { TurnoverAudit } from '../turnover-audit.ts'

type Loose = { readonly type: Event['type']; readonly [field: string]: unknown }

const dayMs = 86_400_000
const at = 20_000 * dayMs
const opened = (user: number): Loose => ({ type: 'user.opened', user, class: user === 3 ? 'maker' : 'retail', referrer: 0 })
const market = (id: number, base: number, quote: number): Loose => ({
  type: 'market.listed',
  market: { id, base, quote, basePerLot: 100_000_000, quotePerTickLot: 1_000_000 },
})
const listed = [{ type: 'asset.listed', asset: { id: 1, symbol: 'USDT', scale: 6 } } as const, market(1, 2, 1), market(2, 3, 2)]
/** A trade of this value between two users. */
const traded = (makerUser: number, takerUser: number, quote: number, change = {}): Loose => ({
  type: 'traded',
  ...{ market: 1, price: 1000, quote, makerUser, takerUser, ...change },
})
const certified = (user: number, isCertified: boolean): Loose => ({ type: 'user.certified', user, isCertified })

type Told = readonly (readonly [atMs: number, ...events: Loose[]])[]

/** The auditor's message for commands with these events, each at its time. */
function audit(commands: Told, isProduction = true): string {
  const audit = new TurnoverAudit()
  audit.follow([...listed, opened(1), opened(2), opened(3)] as unknown as Event[], at)
  if (isProduction) audit.becomeProduction()
  try {
    for (const [atMs, ...events] of commands) audit.follow(events as unknown as Event[], atMs)
    return 'good'
  } catch (error) {
    return (error as Error).message
  }
}

const limit = 10_000_000_000
const tooMuch = /user 1 without a certificate trades 10000000001/

test('SIM-AUDIT-006: the trades of a day above the limit are found, to the unit', () => {
  assert.equal(audit([[at, traded(1, 3, limit)]]), 'good')
  assert.match(audit([[at, traded(1, 3, limit + 1)]]), tooMuch)
  assert.match(
    audit([
      [at, traded(1, 3, limit)],
      [at + dayMs - 1, traded(3, 1, 1)],
    ]),
    tooMuch,
  )
  assert.equal(
    audit([
      [at, traded(1, 3, limit)],
      [at + dayMs, traded(3, 1, limit)],
    ]),
    'good',
  )
})

test('SIM-AUDIT-006: in a market of another quote asset, trades count at its last price', () => {
  const command = (quote: number): Told => [
    [at, certified(1, true), certified(2, true), traded(2, 3, 1)],
    [at, certified(1, false), traded(1, 3, quote, { market: 2 })],
  ]
  // The last price makes 100,000,000 units of the quote asset 1,000 USDT.
  assert.equal(audit(command(1_000_000_000)), 'good')
  assert.match(audit(command(1_000_000_001)), /user 1 without a certificate trades 10000000010/)
})

test('SIM-AUDIT-006: verified customers, makers, own trades, the house and sandboxes are free', () => {
  assert.equal(audit([[at, certified(1, true), traded(1, 3, 3 * limit)]]), 'good')
  assert.equal(audit([[at, traded(1, 1, 3 * limit)]]), 'good')
  assert.equal(audit([[at, traded(1, 2, 3 * limit, { isHouse: true })]]), 'good')
  assert.equal(audit([[at, { type: 'user.housed', user: 1, isHouse: true }, traded(1, 3, 3 * limit)]]), 'good')
  assert.equal(audit([[at, traded(1, 2, 3 * limit)]], false), 'good')
})
