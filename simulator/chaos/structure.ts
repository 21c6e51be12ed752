/** Invariants of the orders of any state. They are checked on a restored copy, so that the exchange itself can't be changed. */
import type { Lots, Ticks } from '@candor/core/money/brand.ts'
import type { SideNumber } from '@candor/core/book/codes.ts'
import type { OrderSlot } from '@candor/core/book/order-fields.ts'
import type { OrderId } from '@candor/core/protocol/ids.ts'
import { BUY } from '@candor/core/book/codes.ts'
import * as fields from '@candor/core/book/order-fields.ts'
import { restoreState } from '@candor/core/exchange/dump.ts'
import { bookHold } from '@candor/core/exchange/spot/close.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import type { State } from '@candor/core/exchange/state/state.ts'
import { CROSS_MARGIN, ISOLATED_MARGIN, SELL } from '@candor/core/protocol/codec/layout.ts'

const { CHAINED, EXTRA, F, FLAGS, I, ID, LEFT, LISTED, MARKET, OWNER, PENDING, PRICE, WAKING } = fields

/** One sentence for each broken invariant. */
export function structureFaults(dump: Uint8Array): readonly string[] {
  const x = restoreState(dump)
  return [...listFaults(x), ...holdFaults(x), ...wakeFaults(x)]
}

/** The two open legs of a list must refer to each other. */
function listFaults({ orders }: State): readonly string[] {
  const faults: string[] = []
  for (const slot of orders.slots()) {
    const number = orders.f[slot * F + ID]
    const flags = orders.i[slot * I + FLAGS]!
    const extra = orders.extras.get(orders.i[slot * I + EXTRA]!)
    // Orders that wait for the working order of their list are parked, both legs of a pair too.
    const isChained = (flags & CHAINED) !== 0
    if ((flags & LISTED) === 0) {
      if (extra?.isParked === true && !isChained) faults.push(`order ${number} is parked and in no list`)
      continue
    }
    const sibling = extra?.sibling ?? -1
    if (sibling < 0 || orders.find(orders.f[sibling * F + ID] as OrderId) !== sibling) {
      faults.push(`order ${number} is in a list without another leg`)
      continue
    }
    const other = orders.extra(sibling as OrderSlot)
    if (other.sibling !== slot) faults.push(`the other leg of order ${number} does not point back`)
    if (isChained) {
      if ((orders.i[sibling * I + FLAGS]! & CHAINED) === 0) faults.push(`order ${number} waits for its list, and its pair doesn't`)
      continue
    }
    if (extra?.isParked === true && other.isParked) faults.push(`both legs of the list of order ${number} are parked`)
    if (extra?.isParked === true && other.wokeAtMs === 0 && (orders.i[sibling * I + FLAGS]! & PENDING) !== 0)
      faults.push(`order ${number} is parked for one that sleeps`)
  }
  return faults
}

/** The held amounts of spot and margin accounts must equal the needs of their orders, open withdrawals, accepted quotes and locked tokens. */
function holdFaults(x: State): readonly string[] {
  const needs = new Map<string, number>()
  const { f, i } = x.orders
  for (const slot of x.orders.slots()) {
    const venue = x.venues[f[slot * F + MARKET]!]!
    if (!venue.isSpot) continue
    const flags = i[slot * I + FLAGS]!
    const side = flags & SELL
    const extra = x.orders.extras.get(i[slot * I + EXTRA]!)
    const isInBook = (flags & PENDING) === 0 && (extra === undefined || (extra.wokeAtMs === 0 && !extra.isParked))
    const held =
      (extra?.isParked === true ? 0 : (extra?.held ?? 0)) +
      (isInBook ? bookHold(venue, side as SideNumber, f[slot * F + PRICE] as Ticks, f[slot * F + LEFT] as Lots) : 0)
    if (held < 0) return [`order ${f[slot * F + ID]} holds ${held}`]
    const kind = (flags & CROSS_MARGIN) !== 0 ? 'margin-cross' : (flags & ISOLATED_MARGIN) !== 0 ? `margin-isolated${venue.id}` : 'spot'
    const key = `user ${i[slot * I + OWNER]} ${kind} ${side === BUY ? venue.quote : venue.base}`
    needs.set(key, (needs.get(key) ?? 0) + held)
  }
  for (const { user, asset, amount } of x.chain.withdrawals.values()) {
    const key = `user ${user} spot ${asset}`
    needs.set(key, (needs.get(key) ?? 0) + amount)
  }
  for (const { user, from, give } of x.convert.accepted.values()) {
    const key = `user ${user} spot ${from}`
    needs.set(key, (needs.get(key) ?? 0) + give)
  }
  for (const { terms, holders } of x.presale.presales.values())
    for (const { user, allocated, released } of holders ?? []) {
      const key = `user ${user} spot ${terms.token}`
      needs.set(key, (needs.get(key) ?? 0) + allocated - released)
    }
  const faults: string[] = []
  for (const { account, held } of x.ledger.accounts()) {
    if (!('kind' in account) || !/^(spot|margin)/.test(account.kind)) continue
    const key = `user ${account.user} ${account.kind}${account.market ?? ''} ${account.asset}`
    if ((needs.get(key) ?? 0) !== held)
      faults.push(`${key} holds ${held}, its orders, withdrawals, accepted quotes and presales need ${needs.get(key) ?? 0}`)
    needs.delete(key)
  }
  for (const [key, need] of needs) if (need !== 0) faults.push(`${key} holds nothing, its orders need ${need}`)
  return faults
}

/** A triggered order must be in a queue exactly once, and no untriggered order may be past its trigger. */
function wakeFaults(x: State): readonly string[] {
  const faults: string[] = []
  const { f, i } = x.orders
  const waking = new Map<number, number>()
  const read = new Records()
  x.wakes.dump(read)
  for (let at = 2; at < read.length; at += 2 + read.data[at + 1]!) {
    for (let n = 0; n < read.data[at + 1]!; n++) waking.set(read.data[at + 2 + n]!, (waking.get(read.data[at + 2 + n]!) ?? 0) + 1)
  }
  for (const market of x.perp.list) for (const { order } of market.waiting) waking.set(order, (waking.get(order) ?? 0) + 1)
  for (const [order, times] of waking) {
    if (times !== 1) faults.push(`order ${order} waits to wake ${times} times`)
    if (x.orders.find(order as OrderId) < 0) faults.push(`order ${order} waits to wake and is gone`)
  }
  for (const slot of x.orders.slots()) {
    const flags = i[slot * I + FLAGS]!
    const number = f[slot * F + ID]!
    if ((flags & WAKING) !== 0 && !waking.has(number)) faults.push(`order ${number} is woken and nobody lets it act`)
    if ((flags & WAKING) === 0 && waking.has(number)) faults.push(`order ${number} waits for its turn and does not know`)
  }
  return faults
}
