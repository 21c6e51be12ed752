/** Tests the memory of all orders while thousands of orders and users come and go. */
import type { OrderSlot } from '../order-fields.ts'
import type { MarketId, OrderId, UserId } from '../../protocol/ids.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { C, EXECUTED, EXTRA, F, FLAGS, I, ID, LEFT, MARKET, OWNER, PLACED_AT, PRICE, UPDATED_AT, USER_NEXT } from '../order-fields.ts'
import { Orders } from '../orders.ts'

const usersMax = 2 ** 23
const fields = [PRICE, LEFT, EXECUTED, PLACED_AT]

/** Orders with fields computed from their numbers, so that a lost or mixed-up field is found. */
class Kept {
  readonly orders = new Orders()
  /** By number: the user, the market and the slot of each order. */
  readonly all = new Map<number, { readonly user: number; readonly market: number; readonly slot: OrderSlot }>()
  #id = 2 ** 32 - 700

  add(user: number, market: number): OrderSlot {
    const id = ++this.#id
    const { orders } = this
    const slot = orders.add(id as OrderId, user as UserId, market as MarketId)
    for (const field of fields) orders.f[slot * F + field] = id * 8 + field
    orders.c[slot * C + UPDATED_AT] = id + 0.5
    orders.i[slot * I + FLAGS] = id & 0xffff
    this.all.set(id, { user, market, slot })
    return slot
  }

  remove(id: number): void {
    this.orders.remove(this.all.get(id)!.slot)
    this.all.delete(id)
  }

  /** Checks every order, list and count. */
  check(): void {
    const { orders, all } = this
    const byUser = new Map<number, number[]>()
    for (const [id, { user, market, slot }] of all) {
      const { f, i, c } = orders
      assert.equal(orders.find(id as OrderId), slot)
      const seen = [f[slot * F + ID], f[slot * F + MARKET], i[slot * I + OWNER], i[slot * I + FLAGS], c[slot * C + UPDATED_AT]]
      assert.deepEqual(seen, [id, market, user, id & 0xffff, id + 0.5])
      for (const field of fields) assert.equal(f[slot * F + field], id * 8 + field)
      byUser.set(user, [...(byUser.get(user) ?? []), id])
    }
    assert.equal(orders.count, all.size)
    assert.deepEqual(
      [...orders.slots()],
      [...all].sort(([a], [b]) => a - b).map(([, { slot }]) => slot),
    )
    for (const [user, ids] of byUser) {
      assert.deepEqual(this.listOf(user), ids.toReversed(), 'newest first')
      assert.equal(orders.countOf(user as UserId), ids.length)
    }
  }

  listOf(user: number): number[] {
    const { orders } = this
    const ids: number[] = []
    for (let slot = orders.firstOf(user as UserId); slot >= 0; slot = orders.i[slot * I + USER_NEXT]!) ids.push(orders.f[slot * F + ID]!)
    return ids
  }
}

test('SPOT-GROW-001: orders, users’ lists and counts stay complete while thousands of orders come and go', () => {
  const kept = new Kept()
  for (let n = 0; n < 5000; n++) kept.add(1 + ((n * 7919) % 1700), 1 + (n % 3))
  kept.check()
  const ids = [...kept.all.keys()]
  for (const [n, id] of ids.entries()) if ((n * 31) % 5 < 3) kept.remove(id)
  kept.check()
  for (const id of ids) if (kept.all.has(id)) kept.remove(id)
  kept.check()
  for (let user = 1; user <= 1700; user++) assert.deepEqual([kept.listOf(user), kept.orders.countOf(user as UserId)], [[], 0])
})

test('SPOT-GROW-001: new orders reuse the memory of removed ones', () => {
  const kept = new Kept()
  const slots = new Set(Array.from({ length: 1024 }, () => kept.add(1, 1)))
  const { length } = kept.orders.f
  for (let round = 0; round < 3; round++) {
    for (const id of [...kept.all.keys()]) kept.remove(id)
    const again = Array.from({ length: 1024 }, (_, n) => kept.add(1 + (n % 5), 1))
    assert.deepEqual(new Set(again), slots)
  }
  assert.equal(kept.orders.f.length, length)
  kept.check()
})

test('SPOT-GROW-001: twenty thousand orders keep all their fields', () => {
  const kept = new Kept()
  for (let n = 0; n < 20_000; n++) kept.add(1 + (n % 500), 1)
  kept.check()
})

test('SPOT-GROW-001: the memory of orders doubles while it is small, and then takes all that there can ever be', () => {
  const kept = new Kept()
  /** By length: the number of orders from which the memory has it. */
  const lengths = new Map<number, number>()
  for (let count = 1; count <= 16_385; count++) {
    kept.add(1, 1)
    const records = kept.orders.c.length / C
    if (!lengths.has(records)) lengths.set(records, count)
  }
  // An order takes 128 bytes here, and up to 2 MiB are copied: 16,384 orders.
  assert.deepEqual(
    [...lengths],
    [
      [1024, 1],
      [2048, 1025],
      [4096, 2049],
      [8192, 4097],
      [16_384, 8193],
      [2 ** 22, 16_385],
    ],
  )
})

test('FUNDS-ROWS-005: memory that is allocated at once does not move when orders and users come', () => {
  const kept = new Kept()
  for (let n = 0; n < 100; n++) kept.add(1 + (n % 7), 1)
  kept.orders.reserve()
  const { f, i, c } = kept.orders
  for (let n = 0; n < 20_000; n++) kept.add(1 + ((n * 17) % 3000), 1)
  kept.orders.reserve()
  assert.ok(kept.orders.f === f && kept.orders.i === i && kept.orders.c === c)
  kept.check()
})

test('SPOT-LIMIT-005: the user with the highest number has a list and a count, and users without orders have none', () => {
  for (const isReserved of [false, true]) {
    const kept = new Kept()
    if (isReserved) kept.orders.reserve()
    const nobody = (user: number): void => {
      assert.deepEqual([kept.listOf(user), kept.orders.firstOf(user as UserId), kept.orders.countOf(user as UserId)], [[], -1, 0])
    }
    for (const user of [1, 1023, 1024, 1025, 5000, usersMax]) nobody(user)
    if (!isReserved) kept.add(1024, 3)
    kept.add(5000, 3)
    kept.add(usersMax, 3)
    kept.add(1024, 3)
    kept.add(usersMax, 4)
    kept.check()
    for (const user of [1, 1023, 1025, 5001]) nobody(user)
    assert.equal(kept.orders.countIn(usersMax as UserId, 3 as MarketId), 1)
  }
})

test('SPOT-ICEBERG-002: the extra fields of an order are removed with it and do not appear in the next order', () => {
  const kept = new Kept()
  const { orders } = kept
  assert.equal(orders.hasExtras, false)
  const [first, second, third] = [kept.add(1, 1), kept.add(1, 1), kept.add(1, 1)]
  orders.extra(first).display = 5
  orders.extra(second).display = 7
  assert.equal(orders.extra(first).display, 5)
  assert.equal(orders.hasExtras, true)
  const made = orders.extra(second)
  assert.deepEqual(
    [made.isParked, made.sibling, made.trigger, made.peak, made.held, made.list, made.strategy, made.wokeAtMs],
    [false, -1, 0, 0, 0, 0, 0, 0],
  )
  const id = (slot: OrderSlot): number => orders.f[slot * F + ID]!
  kept.remove(id(third))
  kept.remove(id(first))
  assert.equal(orders.extras.all().length, 1)
  const next = [kept.add(2, 1), kept.add(2, 1), kept.add(2, 1)]
  assert.deepEqual(
    next.map((slot) => orders.extra(slot).display),
    [0, 0, 0],
  )
  for (const [n, slot] of next.entries()) orders.extra(slot).display = 10 + n
  assert.deepEqual(
    [second, ...next].map((slot) => orders.extra(slot).display),
    [7, 10, 11, 12],
  )
  assert.equal(orders.extras.all().length, 4)
  for (const slot of [second, ...next]) kept.remove(id(slot))
  assert.deepEqual([orders.extras.all().length, orders.hasExtras], [0, true])
  // Freed numbers are reused, so the list of extras does not grow.
  for (let n = 0; n < 3000; n++) {
    const slot = kept.add(1, 1)
    orders.extra(slot)
    assert.ok(orders.i[slot * I + EXTRA]! <= 4)
    kept.remove(id(slot))
    kept.remove(id(kept.add(1, 1)))
  }
  assert.deepEqual(orders.extras.all(), [])
})

test('SPOT-GROW-002: reading ahead gives the flags of existing orders, and changes nothing else', () => {
  const kept = new Kept()
  for (let n = 0; n < 50; n++) kept.add(1, 1)
  const ids = [...kept.all.keys()].slice(3, 23)
  const lows = Int32Array.from(ids, (id) => id | 0)
  const flags = new Int32Array(20).fill(-7)
  kept.orders.reach(lows, flags, 18)
  assert.deepEqual([...flags], [...ids.slice(0, 18).map((id) => id & 0xffff), -7, -7])
  for (const id of ids) kept.remove(id)
  kept.orders.reachFree(100)
  kept.check()
})
