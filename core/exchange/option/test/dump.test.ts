/** A dump keeps every field of Second. Each field here has a value that no other field has. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Millis, Units } from '../../../money/brand.ts'
import type { UserId } from '../../../protocol/ids.ts'
import { dumpVersions, Records } from '../../../protocol/codec/records.ts'
import { dumpOption, restoreOption } from '../dump.ts'
import { OptionDesk } from '../records/state.ts'
import type { OptionOrder, OptionUser } from '../records/state.ts'
import { firstTerms } from './world.ts'

const now = dumpVersions.at(-1)!

/** Everything that the desk keeps. Its queues follow from the orders. */
function kept(desk: OptionDesk): object {
  const { tick, tickedAt, head, isOpen, terms, worst, keepMs } = desk
  const maps = [desk.users, desk.orders, desk.points, desk.sides, desk.compositions].map((map) => [...map].sort((a, b) => a[0] - b[0]))
  return { tick, tickedAt, head, isOpen, terms, worst, keepMs, maps, unstruck: desk.unstruck.first, running: desk.running.first }
}

function restored(desk: OptionDesk): OptionDesk {
  const records = new Records()
  const before = [-1, -2, -3]
  records.all(before)
  dumpOption(desk, records)
  const { desk: copy, end } = restoreOption(records.data, before.length, now)
  assert.equal(end, records.length, 'nothing of the dump is left')
  return copy
}

const shared = {
  market: 1,
  direction: 'up',
  stake: 5_000_000,
  profitPpm: 800_000,
  profit: 4_000_000,
  acceptedAt: 10_000,
  strikeFrom: 11_500,
  expiresAt: 41_500,
  windowMs: 3_100,
  gapMaxMs: 3_200,
  guardPpm: 0,
  reference: 60_000,
  strike: undefined,
  isSettled: false,
} as const

function order(own: object): OptionOrder {
  return { ...shared, ...own } as unknown as OptionOrder
}

test('ENGINE-UPGRADE-001: a restored desk of Second has the same tape, terms, customers, orders, ticks and corrections', () => {
  const desk = new OptionDesk()
  desk.tick = 71
  desk.tickedAt = 12_345 as Millis
  desk.head = Uint8Array.from({ length: 32 }, (_, n) => 255 - 7 * n)
  desk.isOpen = true
  desk.terms = firstTerms
  const limits = { lossMax: 21, nextLossMax: 22, nextAt: 23, coolOffUntil: 24, day: 25, loss: -26 }
  Object.assign(desk.user(8 as UserId), { isAdmitted: true, ...limits, guardDay: 27, dayOrders: 28, guardVoids: 29 })
  desk.user(7 as UserId).lossMax = 31 as Units
  const strike = { tick: 70, at: 12_000, price: 60_007, isGood: true }
  desk.add(order({ order: 43, user: 8, clientId: 'my-order', strike }))
  desk.add(order({ order: 41, user: 7, clientId: '', market: 3, direction: 'down', guardPpm: 500, expiresAt: 71_500 }))
  desk.add(order({ order: 42, user: 8, clientId: '', strike: { ...strike, isGood: false }, expiresAt: 61_500 }))
  desk.points.get(1)!.push({ ...strike, tick: 69, at: 11_000 }, strike)
  desk.points.get(3)!.push({ tick: 71, at: 12_345, price: 3_001, isGood: false })
  desk.keepMs = 9_999
  const quotes = [
    { venue: 2, price: 60_001, correction: -5 },
    { venue: 5, price: 60_002, correction: 6 },
  ]
  const away = [
    { venue: 3, correction: 17 },
    { venue: 9, correction: -18 },
    { venue: 11, correction: 19 },
  ]
  desk.compositions.set(3, { at: 12_345, quotes: [], shift: 51, away })
  desk.compositions.set(1, { at: 12_300, quotes, shift: -52, away: [{ venue: 4, correction: 20 }] })
  const copy = restored(desk)
  assert.deepEqual(kept(copy), kept(desk))
  assert.deepEqual(copy.user(8 as UserId), desk.user(8 as UserId) satisfies OptionUser)
})

test('ENGINE-UPGRADE-001: a desk of Second without terms, customers and ticks is restored as one', () => {
  const desk = new OptionDesk()
  assert.deepEqual(kept(restored(desk)), kept(desk))
})

test('ENGINE-UPGRADE-001: customers of a dump of version 12 have used no guards, whatever stands behind them', () => {
  const tape = [71, 12_345, ...Array.from({ length: 8 }, () => 0)]
  const [isOpen, keepMs, hasTerms] = [1, 9_999, 0]
  const user = (number: number): number[] => [number, 1, 21, 22, 23, 24, 25, 26]
  const slots = [...tape, isOpen, keepMs, hasTerms, 2, ...user(7), ...user(8), 0, 0]
  const { desk, end } = restoreOption(Float64Array.from([...slots, 5, 6]), 0, 12)
  assert.equal(end, slots.length)
  for (const number of [7, 8]) {
    const { isAdmitted, loss, guardDay, dayOrders, guardVoids } = desk.user(number as UserId)
    assert.deepEqual([isAdmitted, loss, guardDay, dayOrders, guardVoids], [true, 26, 0, 0, 0])
  }
})
