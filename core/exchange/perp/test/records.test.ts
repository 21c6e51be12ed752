/** The lists and measurements that Futures keeps, each alone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Orders } from '../../../book/orders.ts'
import type { Lots, Millis, Ppm, Ticks, Units } from '../../../money/brand.ts'
import { Records } from '../../../protocol/codec/records.ts'
import type { MarketId, OrderId, PositionNumber, UserId } from '../../../protocol/ids.ts'
import type { Market, PerpTerms } from '../../../protocol/market.ts'
import { scoreOf } from '../../../risk/perp-rank.ts'
import { Venue } from '../../records/venue.ts'
import { Basis } from '../records/basis.ts'
import { Calm } from '../records/calm.ts'
import { Inventory } from '../records/inventory.ts'
import { Ranking } from '../records/ranking.ts'
import { Round } from '../records/round.ts'
import { Smallest } from '../records/smallest.ts'
import { BOTH, Contract, Holding, PerpAccount, PerpState, Setting } from '../records/state.ts'
import { Turnover } from '../records/turnover.ts'
import { marketFrom12, perpTermsFrom12 } from '../records/upgrade.ts'
import { marketTerms, perpTerms, q } from './world.ts'

const at = (ms: number): Millis => ms as Millis
const made = { id: 3, symbol: 'BTCUSDTPERP', base: 2, quote: 1, tick: '1', lot: '0.001', basePerLot: 100_000, quotePerTickLot: q }

/** A contract without a world around it. */
function contractAlone(): Contract {
  const orders = new Orders()
  const venue = new Venue({ ...made, terms: marketTerms, perp: perpTerms } as unknown as Market, orders)
  const source = new Venue({ ...made, id: 1, terms: marketTerms } as unknown as Market, orders)
  return new Contract(venue, source, orders)
}

function holdingOf(contract: Contract, user: number, id = 0, lots = 0): Holding {
  const holding = new Holding(new PerpAccount(user as UserId), contract, BOTH, new Setting())
  holding.id = id as OrderId
  holding.lots = lots as Lots
  return holding
}

/** What a record gives when it is dumped at slot 2 and read back: the slots, and where the reading ends. */
function dumped(record: { dump(into: Records): void }): Records {
  const into = new Records(4)
  into.all([7, 7])
  record.dump(into)
  into.all([9])
  return into
}

test('PERP-LIQUIDATION-007: the heap of mixed accounts gives the smallest bound first, then the smaller user, whatever is put, moved or removed', () => {
  const steps = fc.array(fc.tuple(fc.nat(15), fc.integer({ min: -4, max: 12 })), { maxLength: 80, size: 'max' })
  fc.assert(
    fc.property(steps, (all) => {
      const calm = new Calm()
      const accounts = Array.from({ length: 16 }, (_, user) => new PerpAccount(user as UserId))
      const bounds = new Map<PerpAccount, number>()
      for (const [user, bound] of all) {
        const account = accounts[user]!
        if (bound < 0) {
          calm.remove(account)
          bounds.delete(account)
          assert.equal(account.at, -1)
        } else {
          calm.put(account, bound)
          bounds.set(account, bound)
        }
        const expected = [...bounds].sort(([a, m], [b, n]) => m - n || a.user - b.user).map(([one]) => one)
        assert.deepEqual([calm.count, calm.first?.user], [bounds.size, expected[0]?.user])
        assert.equal(new Set([...bounds.keys()].map((one) => one.at)).size, bounds.size, 'each has its own place')
      }
      const byUser = [...bounds.keys()].map(({ user }) => user).sort((a, b) => a - b)
      assert.deepEqual(
        calm.sorted().map(({ user }) => user),
        byUser,
      )
      const expected = [...bounds].sort(([a, m], [b, n]) => m - n || a.user - b.user).map(([one]) => one.user)
      const taken: number[] = []
      for (let first = calm.first; first !== undefined; first = calm.first) {
        assert.equal(first.calmUntil, bounds.get(first))
        taken.push(first.user)
        calm.remove(first)
      }
      assert.deepEqual(taken, expected)
    }),
    { numRuns: 300 },
  )
})

test('PERP-LIQUIDATION-007: of many positions those with the smallest numbers are kept, smallest first, and it is known whether any was left out', () => {
  const contract = contractAlone()
  const lists = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 30, size: 'max' })
  fc.assert(
    fc.property(lists, fc.integer({ min: 1, max: 12 }), (ids, most) => {
      const smallest = new Smallest(most)
      for (const id of ids) smallest.add(holdingOf(contract, 1, id))
      assert.deepEqual(
        smallest.sorted().map(({ id }) => id),
        ids.toSorted((a, b) => a - b).slice(0, most),
      )
      assert.equal(smallest.isCut, ids.length > most)
    }),
    { numRuns: 300 },
  )
})

test('PERP-FUND-002: the volume of the last minute counts six slots of ten seconds, and a slot is forgotten when its turn comes again', () => {
  const inventory = new Inventory()
  const volumes = (...times: number[]): number[] => times.map((ms) => inventory.volume(at(ms)))
  inventory.traded(at(100_000), 5 as Lots)
  inventory.traded(at(109_999), 6 as Lots)
  inventory.traded(at(110_000), 100 as Lots)
  inventory.traded(at(135_000), 1000 as Lots)
  assert.deepEqual(volumes(135_000, 159_999, 160_000, 169_999, 170_000, 189_999, 190_000), [1111, 1111, 1100, 1100, 1000, 1000, 0])
  inventory.traded(at(190_000), 3 as Lots)
  // After a long time without trades all slots are empty.
  assert.deepEqual(volumes(249_999, 250_000, 9_000_000), [3, 0, 0])
})

test('PERP-CORE-002: an inventory is read back from a dump with its volumes and the risks it took', () => {
  const inventory = new Inventory()
  Object.assign(inventory, { lots: -7, cost: 770, sinceMs: 91_000, workedAtMs: 95_000 })
  inventory.traded(at(100_000), 5 as Lots)
  inventory.traded(at(120_000), 8 as Lots)
  inventory.taken.push({ atMs: at(90_000), risk: 11 }, { atMs: at(99_000), risk: 12 })
  const into = dumped(inventory)
  const again = new Inventory()
  assert.equal(again.restore(into.data, 2), into.length - 1)
  assert.deepEqual(again, inventory)
  assert.deepEqual([again.volume(at(120_000)), again.volume(at(160_000))], [13, 8])
  const empty = dumped(new Inventory())
  const bare = new Inventory()
  assert.equal(bare.restore(empty.data, 2), 2 + 5 + 6 + 1)
  assert.deepEqual([bare.volumes, bare.taken], [[0, 0, 0, 0, 0, 0], []])
})

test('PERP-MARK-001: each sample of the basis counts until the next one, at most five seconds, and only within the window', () => {
  const basis = new Basis()
  const sum = (since: number, now: number): number => basis.sum(at(since), at(now))
  basis.add(at(1000), 10)
  basis.add(at(2000), 400)
  basis.add(at(2000), -3)
  basis.add(at(9000), 7)
  // 10 for 1,000 ms, −3 for 5,000 ms, then nothing until 9,000, then 7.
  assert.deepEqual([sum(0, 9000), sum(0, 9500), sum(0, 14_000), sum(0, 20_000)], [-5000, -1500, 30_000, 30_000])
  assert.deepEqual(
    [sum(1500, 9000), sum(2000, 9000), sum(3000, 9000), sum(6999, 9000), sum(7000, 9000)],
    [-10_000, -15_000, -12_000, -3, 0],
  )
  basis.forget(at(2000))
  assert.equal(sum(0, 9000), -5000, 'a sample that ended at 2,000 stays')
  basis.forget(at(2001))
  assert.equal(sum(0, 9000), -15_000)
  basis.forget(at(7000))
  assert.equal(sum(0, 9500), -11_500)
  basis.forget(at(7001))
  assert.equal(sum(0, 9500), 3500)
  basis.forget(at(14_001))
  assert.equal(sum(0, 14_000), 0)
})

test('PERP-CORE-002: a basis is read back from a dump; one of version 12 is converted from index units and limited', () => {
  const basis = new Basis()
  // If several samples have the same time, the last one counts.
  for (const [ms, sample] of [
    [1000, 5],
    [1000, -10],
    [2000, 300],
    [2000, 400],
  ] as const)
    basis.add(at(ms), sample)
  const into = dumped(basis)
  assert.equal(into.length, 2 + 1 + 2 * 2 + 1)
  const again = new Basis()
  assert.equal(again.restore(into.data, 2), into.length - 1)
  assert.equal(again.sum(at(0), at(3000)), 390_000)
  const old = new Basis()
  // Twice a distance of 1 and of −50 from an index of 1,000: 0.1 % and −5 %, limited to 1 %.
  const samples = Float64Array.of(8, 2, 1000, 2, 2000, -100, 9)
  assert.equal(old.restore12(samples, 1, 1000, 10_000 as Ppm), 6)
  assert.deepEqual([old.sum(at(0), at(2000)), old.sum(at(2000), at(3000))], [1_000_000_000, -10_000_000_000])
  const higher = new Basis()
  higher.restore12(Float64Array.of(1, 1000, 100), 0, 1000, 10_000 as Ppm)
  assert.equal(higher.sum(at(0), at(2000)), 10_000_000_000)
  const before = new Basis()
  before.restore12(Float64Array.of(1, 1000, 100), 0, 0, 10_000 as Ppm)
  assert.equal(before.sum(at(0), at(2000)), 0)
})

const place = (id: number, profit: number, user = id): Parameters<Ranking['add']>[0] => ({
  user: user as UserId,
  side: BOTH,
  position: id as OrderId,
  score: scoreOf(profit as Units, 100 as Units, 100 as Units, 100 as Units),
})

test('PERP-ADL-002: a queue keeps the best 1,024 positions, best first, the older one where scores are equal', () => {
  const ranking = new Ranking()
  // Profits 0 to 2,499 in a mixed order; each profit below 3 twice.
  for (let n = 0; n < 2500; n++) ranking.add(place(n + 1, (n * 1501) % 2500))
  for (let n = 0; n < 4; n++) ranking.add(place(5000 - n, 2499))
  ranking.sort()
  assert.equal(ranking.places.length, 1024)
  assert.equal(ranking.isCut, true)
  const profits = ranking.places.map(({ score }) => score.profit as number)
  assert.deepEqual(profits, [...Array.from({ length: 5 }, () => 2499), ...Array.from({ length: 1019 }, (_, n) => 2498 - n)])
  assert.deepEqual(
    ranking.places.slice(1, 5).map(({ position }) => position as number),
    [4997, 4998, 4999, 5000],
  )
  const few = new Ranking()
  for (let n = 1; n <= 1023; n++) few.add(place(n, 5))
  few.sort()
  assert.equal(few.isCut, false)
  few.add(place(1024, 6))
  few.sort()
  assert.deepEqual([few.isCut, few.places[0]!.position, few.places.length], [true, 1024, 1024])
})

test('PERP-CORE-002: a queue is read back from a dump in the same order; an unfinished one is sorted first', () => {
  const ranking = new Ranking()
  for (const [id, profit] of [
    [1, 5],
    [2, 9],
    [3, -4],
  ] as const)
    ranking.add(place(id, profit, id + 10))
  Object.assign(ranking, { cursor: 4, atMs: 1000, mark: 90, next: 1 })
  const into = dumped(ranking)
  const again = new Ranking()
  assert.equal(again.restore(into.data, 2), into.length - 1)
  assert.deepEqual([again.cursor, again.isReady, again.atMs, again.mark, again.next], [4, false, 1000, 90, 1])
  assert.deepEqual(again.places, [place(2, 9, 12), place(1, 5, 11), place(3, -4, 13)])
  again.isReady = true
  const ready = new Ranking()
  ready.restore(dumped(again).data, 2)
  assert.deepEqual([ready.isReady, ready.places], [true, again.places])
  // The dump leaves none of the following positions out.
  ranking.add(place(4, -9, 14))
  ranking.sort()
  assert.deepEqual(ranking.places, [...again.places, place(4, -9, 14)])
})

test('PERP-CORE-002: a running round is read back from a dump with its claims', () => {
  const round = new Round(100_000, 100 as Ticks, at(5000))
  Object.assign(round, { cursor: 7, paid: 70, missing: 3, owed: 90, pot: 73, advanced: 2, received: 11 })
  const [one, other] = [1, 2].map((n) => ({ user: n, side: n, position: n + 20, lots: -n, part: n * 9 })) as unknown as Round['claims']
  round.claims.push(one!, other!)
  const into = dumped(round)
  const first = Round.restore(into.data, 2)
  assert.equal(first.end, into.length - 1)
  assert.deepEqual(first.round, round)
  const { rate, mark, atMs, isPaying } = first.round
  assert.deepEqual([rate, mark, atMs, isPaying], [100_000, 100, 5000, true])
  round.isPaying = false
  round.claims.pop()
  assert.deepEqual(Round.restore(dumped(round).data, 2).round, round)
})

test('PERP-POSITION-001: turnovers beyond 2^53 stay exact', () => {
  const turnover = new Turnover()
  const whole = 2 ** 50
  turnover.add((whole - 1) as Units)
  assert.deepEqual([turnover.whole, turnover.rest], [0, whole - 1])
  turnover.add(1 as Units)
  assert.deepEqual([turnover.whole, turnover.rest], [1, 0])
  for (let n = 0; n < 20; n++) turnover.add((whole - 1) as Units)
  assert.equal(turnover.total, 21n * 2n ** 50n - 20n)
  turnover.clear()
  assert.deepEqual([turnover.whole, turnover.rest, turnover.total], [0, 0, 0n])
})

test('PERP-CORE-002: terms of version 12 get the caps, the fund’s part and the impact value of a new contract on their coin', () => {
  const usdt = 1_000_000
  const { openInterestMax: _, userInterestPpm: __, carryPpm: ___, ...old } = perpTerms
  const terms = { ...old, impactValue: 10_000 * usdt } as unknown as PerpTerms
  const shown = (perp: PerpTerms, base: string): readonly number[] => {
    const { openInterestMax, userInterestPpm, carryPpm, impactValue } = perpTermsFrom12(perp, base)
    return [openInterestMax / usdt, userInterestPpm, carryPpm, impactValue / usdt]
  }
  assert.deepEqual(shown(terms, 'BTC'), [20_000_000, 100_000, 200_000, 10_000])
  assert.deepEqual(shown(terms, 'ETH'), [20_000_000, 100_000, 200_000, 5000])
  assert.deepEqual(shown(terms, 'SOL'), [2_000_000, 100_000, 400_000, 5000])
  assert.deepEqual(shown(terms, 'XRP'), [2_000_000, 100_000, 400_000, 2500])
  // An operator's own impact value stays.
  assert.deepEqual(shown({ ...terms, impactValue: (7000 * usdt) as Units }, 'XRP'), [2_000_000, 100_000, 400_000, 7000])
  const market = { ...made, terms: marketTerms, perp: terms } as unknown as Market
  assert.deepEqual(marketFrom12(market, 'ETH'), { ...market, perp: perpTermsFrom12(terms, 'ETH') })
  const spot = { ...made, terms: marketTerms } as unknown as Market
  assert.equal(marketFrom12(spot, 'ETH'), spot)
})

test('PERP-LIQUIDATION-007: a contract keeps a level for each open position while others come and go', () => {
  const contract = contractAlone()
  const holdings = Array.from({ length: 70 }, (_, n) => holdingOf(contract, n + 1, n + 1, n % 2 === 0 ? 5 : -5))
  const levels = (): number[] => [...contract.levels.subarray(0, contract.positions.length)]
  for (const [n, holding] of holdings.entries()) {
    contract.add(holding)
    assert.deepEqual([holding.at, contract.levels[n]], [n, 0])
    contract.setLevel(holding, (n + 1) as Ticks)
  }
  assert.deepEqual(
    levels(),
    holdings.map((_, n) => (n % 2 === 0 ? n + 1 : -n - 1)),
  )
  assert.equal(contract.levels.length, 128)
  // The last one takes the place of the one that leaves, with its level.
  contract.remove(holdings[10]!)
  assert.deepEqual(
    [holdings[10]!.at, holdings[69]!.at, contract.levels[10], contract.positions[10], contract.positions.length],
    [-1, 10, -70, holdings[69], 69],
  )
  contract.remove(holdings[68]!)
  assert.deepEqual([holdings[68]!.at, contract.positions.length, contract.positions.includes(holdings[68]!)], [-1, 68, false])
  contract.setLevel(holdings[10]!, 77 as Ticks)
  assert.equal(levels().includes(77), false)
  // A place that is used again begins without a level.
  contract.add(holdings[68]!)
  assert.deepEqual([holdings[68]!.at, contract.levels[68]], [68, 0])
  const small = contractAlone()
  for (const holding of holdings.slice(0, 64)) {
    holding.at = -1
    small.add(holding)
  }
  assert.equal(small.levels.length, 64)
})

test('PERP-CORE-002: a new account has leverage 1 and isolated margin, and one holding for each market and side', () => {
  const perp = new PerpState()
  const contract = contractAlone()
  perp.add(contract)
  assert.deepEqual([perp.contract(contract.id), perp.list], [contract, [contract]])
  assert.deepEqual([perp.knownAccount(4 as UserId), perp.contract(0 as MarketId)], [undefined, undefined])
  assert.deepEqual([contract.isClearing, contract.reviewedTo], [false, [0, 0]])
  const long = perp.holding(4 as UserId, contract, 1 as PositionNumber)
  const short = perp.holding(4 as UserId, contract, 2 as PositionNumber)
  assert.equal(perp.holding(4 as UserId, contract, 1 as PositionNumber), long)
  assert.notEqual(long, short)
  const account = perp.knownAccount(4 as UserId)!
  assert.deepEqual(account.holdings, [long, short])
  assert.deepEqual(
    [long.leverage, long.mode, long.isCross, long.setting === short.setting, long.at, account.at],
    [1, 1, false, true, -1, -1],
  )
  assert.deepEqual(
    [long.openLots, long.openValue, long.reduceLots, long.byPrice],
    [
      [0, 0],
      [0, 0],
      [0, 0],
      [undefined, undefined],
    ],
  )
  assert.deepEqual([long.isShort, long.hasEnded, long.isWatched, long.isLiquidating], [false, false, false, false])
  assert.deepEqual([account.isHedge, account.isWatched, account.isLiquidating], [false, false, false])
  perp.account(2 as UserId)
  assert.deepEqual(
    perp.accounts().map(({ user }) => user as number),
    [2, 4],
  )
})
