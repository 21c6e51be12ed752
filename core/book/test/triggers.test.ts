import type { OrderSlot } from '../order-fields.ts'
import type { Ppm, Ticks } from '../../money/brand.ts'
import type { MarketId, OrderId, UserId } from '../../protocol/ids.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FALLS, STOP, TRAILING } from '../../protocol/codec/layout.ts'
import { C, FLAGS, I, UPDATED_AT } from '../order-fields.ts'
import { Orders } from '../orders.ts'
import { Triggers } from '../triggers.ts'

/** A sleeping order of the naive twin, which checks every order at each price. */
type Asleep = {
  readonly id: number
  readonly slot: number
  readonly flags: number
  /** Time at which it fell asleep with this trigger. */
  since: number
  trigger: number
  activation: number
  peak: number
}

/** Pseudo-random numbers: the same for the same seed. */
function dice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function naiveReach(asleep: Asleep[], price: number): number[] {
  const woken: number[] = []
  for (const falls of [false, true]) {
    const reached: { readonly order: Asleep; readonly at: number }[] = []
    for (const order of asleep.filter(({ flags }) => ((flags & FALLS) !== 0) === falls)) {
      let at = order.trigger * 1_000_000
      if ((order.flags & TRAILING) !== 0) {
        const isActive = order.activation === 0 || (falls ? price >= order.activation : price <= order.activation)
        if (order.peak === 0 && isActive) order.peak = price
        if (order.peak === 0) continue
        order.peak = falls ? Math.max(order.peak, price) : Math.min(order.peak, price)
        at = order.peak * (falls ? 1_000_000 - order.trigger : 1_000_000 + order.trigger)
      }
      if (falls ? price * 1_000_000 <= at : price * 1_000_000 >= at) reached.push({ order, at })
    }
    reached.sort((a, b) => (falls ? b.at - a.at : a.at - b.at) || a.order.since - b.order.since || a.order.id - b.order.id)
    woken.push(...reached.map(({ order }) => order.id))
  }
  return woken
}

test('SPOT-STOP-005: for any sleeping orders and any price path, the nearest trigger acts first, then the order that has slept longer', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const roll = dice(seed)
    const orders = new Orders()
    let triggers = new Triggers(orders)
    let asleep: Asleep[] = []
    let price = 1000
    let id = 0
    for (let step = 0; step < 600; step++) {
      const what = roll(11)
      const now = Math.floor(step / 8)
      const triggerOf = (flags: number): Ppm =>
        Math.max(1, (flags & FALLS) !== 0 ? price - 1 - roll(50) : price + 1 + roll(50)) as number as Ppm
      if (what < 5) {
        const falls = roll(2) === 0 ? FALLS : 0
        const isTrailing = roll(2) === 0
        const slot = orders.add(++id as OrderId, 1 as UserId, 1 as MarketId)
        const flags = (isTrailing ? TRAILING : STOP) | falls
        orders.i[slot * I + FLAGS] = flags
        const extra = orders.extra(slot)
        extra.trigger = isTrailing ? ((1000 * (1 + roll(40))) as Ppm) : triggerOf(flags)
        orders.c[slot * C + UPDATED_AT] = now
        extra.activation = (isTrailing && roll(3) === 0 ? Math.max(1, price + roll(41) - 20) : 0) as Ticks
        const { trigger, activation } = extra
        const isActive = activation === 0 || (falls !== 0 ? price >= activation : price <= activation)
        triggers.add(slot, price as Ticks)
        asleep.push({ id, slot, flags, since: now, trigger, activation, peak: isTrailing && isActive ? price : 0 })
      } else if (what === 5 && asleep.length > 0) {
        const gone = asleep[roll(asleep.length)]!
        triggers.remove(gone.slot as OrderSlot)
        orders.remove(gone.slot as OrderSlot)
        asleep = asleep.filter((order) => order !== gone)
      } else if (what === 10 && asleep.length > 0) {
        const moved = asleep[roll(asleep.length)]!
        if ((moved.flags & STOP) === 0) continue
        const slot = moved.slot as OrderSlot
        triggers.remove(slot)
        orders.c[slot * C + UPDATED_AT] = now
        orders.extra(slot).trigger = triggerOf(moved.flags)
        Object.assign(moved, { since: now, trigger: orders.extra(slot).trigger })
        triggers.add(slot, price as Ticks)
      } else if (what === 6 && roll(10) === 0) {
        // A restored market has no groups, only the best price of each order.
        triggers.tellPeaks()
        triggers = new Triggers(orders)
        for (const { slot } of asleep) triggers.add(slot as OrderSlot, price as Ticks)
      } else {
        price = Math.max(1, price + roll(31) - 15)
        const woken: number[] = []
        triggers.reach(price as Ticks, (slot) => woken.push(asleep.find((order) => order.slot === slot)!.id))
        assert.deepEqual(woken, naiveReach(asleep, price), `seed ${seed}, step ${step}`)
        for (const number of woken) orders.remove(asleep.find((order) => order.id === number)!.slot as OrderSlot)
        asleep = asleep.filter((order) => !woken.includes(order.id))
      }
      assert.equal(triggers.count, asleep.length)
    }
    triggers.tellPeaks()
    for (const { slot, flags, peak } of asleep) if ((flags & TRAILING) !== 0) assert.equal(orders.extra(slot as OrderSlot).peak, peak)
  }
})

test('SPOT-TRAIL-002: a price better than the best price of many trailing orders becomes the best price of each', () => {
  for (const falls of [true, false]) {
    const away = falls ? 1 : -1
    const orders = new Orders()
    const triggers = new Triggers(orders)
    const woken: number[] = []
    const reach = (price: number): void => triggers.reach(price as Ticks, (slot) => woken.push(slot))
    const add = (price: number, trail: number): OrderSlot => {
      const slot = orders.add((1 + orders.count) as OrderId, 1 as UserId, 1 as MarketId)
      orders.i[slot * I + FLAGS] = TRAILING | (falls ? FALLS : 0)
      orders.extra(slot).trigger = (trail * 10_000) as Ppm
      triggers.add(slot, price as Ticks)
      return slot
    }
    // Each starts at a different price, with a trail of 10 to 19 percent.
    const slots = Array.from({ length: 12 }, (_, n) => add(1000 - n * away, 10 + ((n * 7) % 10)))
    reach(1010 - 10 * away)
    const better = add(1010 + 190 * away, 20)
    reach(1010 + 90 * away)
    assert.deepEqual([woken, triggers.count], [[], 13])
    // An order that saw an even better price keeps it.
    triggers.remove(better)
    orders.remove(better)
    triggers.tellPeaks()
    for (const slot of slots) assert.equal(orders.extra(slot).peak, 1010 + 90 * away)
    const best = 1010 + 90 * away
    for (let percent = 10; percent < 20; percent++) {
      reach(Math.round(best * (1 - (away * percent) / 100)) + away * 2)
      const before = woken.length
      reach(Math.round(best * (1 - (away * percent) / 100)) - away * 2)
      const due = slots.filter((_, n) => 10 + ((n * 7) % 10) === percent)
      assert.deepEqual(woken.slice(before), due, `${percent} %, the older order first`)
    }
    assert.equal(triggers.count, 0)
  }
})
