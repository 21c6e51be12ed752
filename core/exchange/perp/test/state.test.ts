/** The lists that the state of Futures keeps of positions and accounts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SideNumber } from '../../../book/codes.ts'
import type { OrderSlot } from '../../../book/order-fields.ts'
import { Orders } from '../../../book/orders.ts'
import type { Lots, Ticks } from '../../../money/brand.ts'
import type { UserId } from '../../../protocol/ids.ts'
import type { Market } from '../../../protocol/market.ts'
import { Venue } from '../../records/venue.ts'
import { addSlot, forgetPrices, removeSlot } from '../records/held-orders.ts'
import { BOTH, Contract, CROSS, ISOLATED, LONG, PerpState, SHORT } from '../records/state.ts'
import type { Holding } from '../records/state.ts'
import { marketTerms, perpTerms, q } from './world.ts'

const alice = 1 as UserId
const bob = 2 as UserId

/** Futures with contracts 3, 4 and 5, and nothing around them. */
class Listed {
  readonly perp = new PerpState()
  readonly #orders = new Orders()

  constructor() {
    for (const id of [3, 4, 5]) {
      const made = { id, symbol: 'BTCUSDTPERP', base: 2, quote: 1, tick: '1', lot: '0.001', basePerLot: 100_000, quotePerTickLot: q }
      const venue = new Venue({ ...made, terms: marketTerms, perp: perpTerms } as unknown as Market, this.#orders)
      this.perp.add(new Contract(venue, venue, this.#orders))
    }
  }

  /** Changes a user's position in a contract and its margin mode. */
  holds(user: UserId, market: number, lots: number, mode = CROSS, side = BOTH): Holding {
    const holding = this.perp.holding(user, this.contract(market), side)
    holding.lots = lots as Lots
    holding.setting.mode = mode
    this.perp.enlist(holding)
    return holding
  }

  contract(market: number): Contract {
    return this.perp.list[market - 3]!
  }

  /** Users of the open positions of each contract. */
  get open(): readonly (readonly number[])[] {
    return this.perp.list.map(({ positions }) => positions.map(({ user }) => user as number))
  }

  /** Markets of a user's open cross positions. */
  cross(user: UserId): readonly number[] {
    return this.perp.account(user).cross.map(({ market }) => market as number)
  }
}

test('PERP-CORE-002: a position is in the list of its contract while it has lots, and in that of its account while it is cross', () => {
  const listed = new Listed()
  const first = listed.holds(alice, 3, 5)
  listed.holds(bob, 3, -5, ISOLATED)
  listed.holds(alice, 4, 2)
  assert.deepEqual(listed.open, [[1, 2], [1], []])
  assert.deepEqual([listed.cross(alice), listed.cross(bob)], [[3, 4], []])
  // A change of size changes no list.
  listed.holds(alice, 3, 9)
  listed.holds(alice, 4, 7)
  assert.deepEqual(
    [listed.open, listed.cross(alice)],
    [
      [[1, 2], [1], []],
      [3, 4],
    ],
  )
  listed.holds(alice, 3, 9, ISOLATED)
  assert.deepEqual([listed.open, listed.cross(alice)], [[[1, 2], [1], []], [4]])
  listed.holds(alice, 3, 9)
  assert.deepEqual(listed.cross(alice), [4, 3])
  listed.holds(alice, 4, 0)
  assert.deepEqual([listed.open, listed.cross(alice)], [[[1, 2], [], []], [3]])
  // The last position takes the place of the one that ends.
  listed.holds(alice, 3, 0)
  assert.deepEqual([listed.open, listed.cross(alice), first.at], [[[2], [], []], [], -1])
  // One that is not open stays out.
  listed.holds(alice, 3, 0)
  listed.holds(alice, 5, 0, ISOLATED)
  assert.deepEqual([listed.open, listed.cross(alice)], [[[2], [], []], []])
  listed.holds(bob, 3, 0, ISOLATED)
  assert.deepEqual(listed.open, [[], [], []])
})

test('PERP-LIQUIDATION-007: an account with several open cross positions is watched as a whole from the next move of marks on, until one is left', () => {
  const listed = new Listed()
  const { mixed } = listed.perp
  listed.perp.moved = 700
  listed.holds(alice, 3, 5)
  listed.holds(alice, 4, 5, ISOLATED)
  assert.equal(mixed.count, 0, 'only one is cross')
  listed.holds(alice, 5, -5)
  assert.deepEqual([mixed.count, mixed.first?.user, mixed.first?.calmUntil], [1, alice, 701])
  listed.perp.moved = 900
  listed.holds(alice, 4, 5)
  assert.deepEqual([mixed.count, mixed.first?.calmUntil], [1, 701], 'one more changes nothing')
  listed.holds(bob, 3, -5)
  listed.holds(bob, 4, -5)
  assert.deepEqual([mixed.count, listed.perp.account(bob).calmUntil], [2, 901])
  listed.holds(alice, 4, 0)
  assert.equal(mixed.count, 2)
  listed.holds(alice, 3, 0)
  assert.deepEqual([mixed.count, mixed.first?.user], [1, bob])
  listed.holds(bob, 3, 0)
  assert.equal(mixed.count, 0)
})

test('PERP-LIQUIDATION-005: an account or position waits for liquidation once, and its positions need not be found again', () => {
  const listed = new Listed()
  const { perp } = listed
  const alone = listed.holds(alice, 4, 5, ISOLATED)
  const [one, other] = [listed.holds(alice, 3, 5), listed.holds(alice, 5, -5)]
  const levels = (): readonly number[] => [one, other, alone].map(({ contract, at }) => contract.levels[at]!)
  for (const holding of [one, other, alone]) holding.contract.setLevel(holding, 90 as Ticks)
  assert.deepEqual(levels(), [90, -90, 90])
  const account = perp.account(alice)
  perp.enqueue(account, undefined)
  assert.deepEqual(levels().map(Math.abs), [0, 0, 90])
  assert.deepEqual([account.isLiquidating, one.isLiquidating, alone.isLiquidating], [true, false, false])
  perp.enqueue(account, undefined)
  assert.deepEqual(perp.queue, [{ account, holding: undefined }])
  for (const holding of [one, other]) holding.contract.setLevel(holding, 80 as Ticks)
  perp.enqueue(account, alone)
  perp.enqueue(account, alone)
  assert.deepEqual(perp.queue.length, 2)
  assert.equal(perp.queue[1]!.holding, alone)
  assert.deepEqual([levels(), alone.isLiquidating], [[80, -80, 0], true])
})

test('PERP-CORE-002: a change is noted once for each position and account, and a change of a position also after one of its orders', () => {
  const listed = new Listed()
  const { perp } = listed
  const [one, other] = [listed.holds(alice, 3, 5), listed.holds(alice, 4, 5)]
  const third = listed.holds(bob, 3, -5)
  assert.deepEqual([perp.dirty, perp.dirtyAccounts, one.isChanged], [[], [], false])
  perp.touch(one, false)
  assert.deepEqual([one.isDirty, one.isChanged, perp.account(alice).isDirty, perp.account(bob).isDirty], [true, false, true, false])
  perp.touch(one, true)
  perp.touch(other, true)
  perp.touchAccount(one.account)
  perp.touch(third, false)
  assert.deepEqual(
    [perp.dirty, perp.dirtyAccounts],
    [
      [one, other, third],
      [one.account, third.account],
    ],
  )
  assert.deepEqual([one.isChanged, other.isChanged, third.isChanged], [true, true, false])
})

test('PERP-HEDGE-001: a holding is found by its market and its side', () => {
  const listed = new Listed()
  const account = listed.perp.account(alice)
  const holdings = [LONG, SHORT].flatMap((side) => [3, 4].map((market) => listed.perp.holding(alice, listed.contract(market), side)))
  assert.equal(new Set(holdings).size, 4)
  for (const { market, side } of holdings) {
    const found = account.find(market, side)
    assert.deepEqual([found?.market, found?.side], [market, side])
  }
  assert.equal(account.find(listed.contract(3).id, BOTH), undefined)
  assert.equal(account.find(listed.contract(5).id, LONG), undefined)
})

test('PERP-LIQUIDATION-004: liquidations rely on an index only if it is good, has three sources, and gave a mark', () => {
  const contract = new Listed().contract(3)
  const { source } = contract
  const isGood = (sources: number, mark: number): boolean => {
    source.indexSources = sources
    contract.mark = mark as Ticks
    return contract.isGood
  }
  source.isIndexGood = true
  assert.deepEqual([isGood(3, 100), isGood(4, 1), isGood(2, 100), isGood(3, 0)], [true, true, false, false])
  source.isIndexGood = false
  assert.equal(isGood(5, 100), false)
})

test('PERP-ORDER-002: an order that leaves a position leaves the list of its side, and a new one makes that list be sorted again', () => {
  const holding = new Listed().holds(alice, 3, 5)
  const [first, second, third] = [5, 7, 9].map((slot) => slot as OrderSlot) as [OrderSlot, OrderSlot, OrderSlot]
  for (const slot of [first, second, third]) addSlot(holding, slot)
  holding.byPrice[0] = [second, first, third]
  removeSlot(holding, third)
  assert.deepEqual(
    [[...holding.slots], holding.byPrice],
    [
      [first, second],
      [[second, first], undefined],
    ],
  )
  holding.byPrice[1] = [third]
  removeSlot(holding, second)
  assert.deepEqual([[...holding.slots], holding.byPrice], [[first], [[first], [third]]])
  forgetPrices(holding, 0 as SideNumber)
  assert.deepEqual(holding.byPrice, [undefined, [third]])
})
