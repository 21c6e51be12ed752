import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Exchange } from '@candor/core/exchange/exchange.ts'
import { formatLots, formatTicks, parseLots } from '@candor/core/money/price.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import type { Event, Traded } from '@candor/core/protocol/event/index.ts'
import type { AssetId, OrderId, Seq } from '@candor/core/protocol/ids.ts'
import type { ListingView } from '@candor/core/protocol/market.ts'
import type { FillExplanation } from '@candor/core/protocol/wire/explain/explanation.ts'
import { Oracle } from '../../../simulator/oracle/oracle.ts'
import { productionEvery } from '../../../simulator/plans.ts'
import { type Step, Workload } from '../../../simulator/workload.ts'
import { FillLooks, type FillPlace } from '../fill.ts'
import { execute, replay } from './replay.ts'

type Queued = { readonly order: number; readonly price: number; readonly visible: number }
type Fill = {
  readonly trade: Traded
  readonly role: 'maker' | 'taker'
  readonly events: readonly Event[]
  readonly seq: number
  readonly filledBefore: number
}
/** What the oracle's books had before the command of a fill, and after that in which a maker took its place. */
type Told = Fill & { readonly other: readonly Queued[]; readonly own: readonly Queued[]; readonly rest: Rested | undefined }
type Rested = { readonly seq: number; readonly queue: readonly Queued[]; readonly isAlone: boolean }

/** Other seeds have production's rules, in which an exchange with practice funds can't be started. */
const seeds = [1, 2, 3, 4, 5, 6, 7].filter((seed) => seed % productionEvery !== 0)
const steps = 2_500

const orderOf = (trade: Traded, role: 'maker' | 'taker'): OrderId => (role === 'maker' ? trade.makerOrder : trade.takerOrder)

/** Runs one seed with the exchange and its oracle, and notes what the oracle knows about every fill. */
function run(seed: number): { readonly ran: readonly Step[]; readonly fills: readonly Told[] } {
  const [exchange, oracle, workload] = [Exchange.create(), new Oracle(), new Workload(seed)]
  const [ran, fills] = [[] as Step[], [] as Told[]]
  const rested = new Map<number, Rested>()
  const filled = new Map<number, number>()
  for (let n = 0; n < steps; n++) {
    const step = workload.next(exchange.nextDueAtMs === Infinity ? undefined : exchange.nextDueAtMs)
    const markets = exchange.listing().markets.map(({ id }) => id)
    const sidesOf = (market: number) => ({ buy: copy(oracle.queue(market, 'buy')), sell: copy(oracle.queue(market, 'sell')) })
    const before = new Map(markets.map((market) => [market as number, sidesOf(market)]))
    const events = execute(exchange, step)
    oracle.execute(step.command, step.stamp)
    ran.push(step)
    workload.observe(events)
    const { seq } = step.stamp
    const placings = events.filter(isPlacing)
    for (const { order, market } of placings) {
      const found = (['buy', 'sell'] as const)
        .map((side) => oracle.queue(market, side))
        .find((queue) => queue.some((one) => one.order === order))
      rested.set(order, { seq, queue: copy(found ?? []), isAlone: placings.length === 1 && exchange.seq === seq })
    }
    for (const trade of events.filter((event) => event.type === 'traded'))
      for (const role of ['maker', 'taker'] as const) {
        const order = orderOf(trade, role)
        const filledBefore = filled.get(order) ?? 0
        filled.set(order, filledBefore + trade.lots)
        const sides = before.get(trade.market)!
        const [own, other] = (role === 'maker') === (trade.takerSide === 'buy') ? [sides.sell, sides.buy] : [sides.buy, sides.sell]
        fills.push({
          trade,
          role,
          events,
          seq,
          filledBefore,
          own,
          other,
          rest: role === 'maker' ? rested.get(trade.makerOrder) : undefined,
        })
      }
  }
  return { ran, fills }
}

const copy = (queue: readonly Queued[]): readonly Queued[] => queue.map(({ order, price, visible }) => ({ order, price, visible }))

type Placing = Extract<Event, { readonly type: 'order.accepted' | 'order.triggered' | 'order.entered' | 'order.amended' }>
function isPlacing(event: Event): event is Placing {
  if (event.type === 'order.amended') return !event.keepsPriority
  return event.type === 'order.accepted' || event.type === 'order.triggered' || event.type === 'order.entered'
}

/** Executes the same commands on an exchange of its own, and explains every fill on the way. */
function explain(ran: readonly Step[], fills: readonly Told[], listing: ListingView): readonly FillExplanation[] {
  const faults: unknown[] = []
  const asked = fills.map(({ trade, role, seq, rest }) => {
    const [order, user] = role === 'maker' ? [trade.makerOrder, trade.makerUser] : [trade.takerOrder, trade.takerUser]
    const place = { user, market: trade.market, trade: trade.trade, role, seq: seq as Seq, order: order as OrderId }
    const recorded = recordOf(trade, role, listing)
    return new FillLooks({ ...place, restSeq: rest?.seq as Seq | undefined, recorded }, (cause) => void faults.push(cause))
  })
  replay(ran, asked)
  assert.deepEqual(faults, [])
  return asked.map((one) => one.result(new Map()) as FillExplanation)
}

const runs = seeds.map((seed) => {
  const { ran, fills } = run(seed)
  const exchange = Exchange.create()
  const events = ran.map((step) => execute(exchange, step))
  const listing = exchange.listing()
  // A part of the fills once more, without a record of the place.
  const some = fills.filter((fill, n) => fill.role === 'maker' && n % 40 === 0).map((fill) => ({ ...fill, rest: undefined }))
  const unplaced = explain(ran, some, listing).flatMap(({ maker }) =>
    maker?.noRest === 'gone' ? ['gone'] : maker?.rest === undefined ? [] : ['told'],
  )
  return { seed, fills, told: explain(ran, fills, listing), listing, events, unplaced }
})

/** What the tables would have of one side of a trade. */
function recordOf(trade: Traded, role: 'maker' | 'taker', { markets, assets }: ListingView) {
  const market = markets.find(({ id }) => id === trade.market)!
  const scaleOf = (asset: AssetId): number => assets.find(({ id }) => id === asset)!.scale
  const isBuy = (trade.takerSide === 'buy') === (role === 'taker')
  return {
    price: String(Number(formatTicks(trade.price, market.tick))),
    quantity: formatUnits(trade.lots * market.basePerLot, scaleOf(market.base)),
    value: formatUnits(trade.quote, scaleOf(market.quote)),
    fee: formatUnits(role === 'maker' ? trade.makerFee : trade.takerFee, scaleOf(isBuy ? market.base : market.quote)),
  }
}

test('EXPLAIN-FILL-001: price, quantity, value and fee of every fill of a workload are those of its event', () => {
  let count = 0
  for (const { fills, told, listing } of runs)
    for (const [n, { trade, role, filledBefore }] of fills.entries()) {
      const market = listing.markets.find(({ id }) => id === trade.market)!
      const found = told[n]!
      const isBuy = (trade.takerSide === 'buy') === (role === 'taker')
      const asset = listing.assets.find(({ id }) => id === (isBuy ? market.base : market.quote))!
      const quote = listing.assets.find(({ id }) => id === market.quote)!
      assert.deepEqual(
        [found.side, found.price, found.quantity, found.value, found.fee.asset, found.fee.amount],
        [
          isBuy ? 'buy' : 'sell',
          formatTicks(trade.price, market.tick),
          formatLots(trade.lots, market.lot),
          formatUnits(trade.quote, quote.scale),
          asset.symbol,
          formatUnits(role === 'maker' ? trade.makerFee : trade.takerFee, asset.scale),
        ],
      )
      // By hand: what was received × rate, rounded up.
      const received = BigInt(isBuy ? trade.lots * market.basePerLot : trade.quote)
      assert.equal(found.fee.base, formatUnits(received, asset.scale))
      const due = (received * BigInt(found.fee.ratePpm) + 999_999n) / 1_000_000n
      assert.equal(found.fee.amount, formatUnits(due, asset.scale))
      assert.equal(parseLots(found.filledBefore, market.lot), filledBefore)
      count++
    }
  assert.ok(count > 2_000, `${count} fills`)
})

const sum = (queue: readonly Queued[]): number => queue.reduce((total, { visible }) => total + visible, 0)

test('EXPLAIN-FILL-002: what stood before an order is what the oracle counts in its own book, order by order', () => {
  const counts = { takers: 0, makers: 0, rests: 0 }
  for (const { fills, told, listing } of runs)
    for (const [n, { trade, role, events, own, other, rest }] of fills.entries()) {
      const { lot } = listing.markets.find(({ id }) => id === trade.market)!
      const found = told[n]!
      const lots = (text: string): number => parseLots(text, lot)!
      const matches = events.filter((event) => event.type === 'traded' && event.market === trade.market) as Traded[]
      const isFirst = matches[0]!.takerOrder === trade.takerOrder
      const isPlain = isFirst && events.filter(isPlacing).length === 1 && !events.some(({ type }) => type === 'match.prevented')
      if (role === 'taker' && isPlain) {
        const better = other.filter(({ price }) => (trade.takerSide === 'buy' ? price < trade.price : price > trade.price))
        const at = other.filter(({ price }) => price === trade.price)
        const { queue, takenBefore, takenBetter, levels } = found.taker!
        assert.deepEqual(
          [lots(queue.betterQuantity), queue.betterLevels, lots(queue.quantity)],
          [sum(better), new Set(better.map(({ price }) => price)).size, sum(at)],
        )
        assert.equal(levels.length, Math.min(20, queue.betterLevels + 1))
        // Everything shown at better prices was taken first, and hidden parts with it.
        assert.ok(lots(takenBetter) >= sum(better))
        assert.ok(
          lots(takenBefore) >=
            sum(
              at.slice(
                0,
                at.findIndex(({ order }) => order === trade.makerOrder),
              ),
            ),
        )
        counts.takers++
      }
      if (role === 'maker' && isPlain && matches.filter(({ makerOrder }) => makerOrder === trade.makerOrder).length === 1) {
        const at = own.filter(({ price }) => price === trade.price)
        assert.equal(
          lots(found.maker!.takenBefore),
          sum(
            at.slice(
              0,
              at.findIndex(({ order }) => order === trade.makerOrder),
            ),
          ),
        )
        counts.makers++
      }
      if (rest?.isAlone === true && found.maker?.rest !== undefined) {
        const place = rest.queue.findIndex(({ order }) => order === trade.makerOrder)
        // Another order of the same command may have filled it.
        const mine = rest.queue[place]
        if (mine === undefined) continue
        const before = rest.queue.slice(0, place)
        assert.deepEqual(
          [lots(found.maker.rest.quantity), lots(found.maker.rest.betterQuantity), lots(found.maker.rest.rested)],
          [sum(before.filter(({ price }) => price === mine.price)), sum(before.filter(({ price }) => price !== mine.price)), mine.visible],
        )
        counts.rests++
      }
    }
  assert.ok(counts.takers > 300 && counts.makers > 300 && counts.rests > 300, JSON.stringify(counts))
})

/** What anybody could see of a command: levels and trades, in order. */
type Market = { readonly buy: Map<number, number>; readonly sell: Map<number, number> }
const copyOf = ({ buy, sell }: Market): Market => ({ buy: new Map(buy), sell: new Map(sell) })
function queueOf(side: 'buy' | 'sell', levels: ReadonlyMap<number, number>, price: number): readonly [number, number, number] {
  const better = [...levels].filter(([at]) => (side === 'buy' ? at > price : at < price))
  return [better.reduce((total, [, lots]) => total + lots, 0), better.length, levels.get(price) ?? 0]
}

test('EXPLAIN-FILL-003: who sees only the public levels and trades comes to the same figures, also where orders have hidden parts', () => {
  let [hidden, count] = [0, 0]
  for (const { fills, told, listing, events: all } of runs) {
    const books = new Map<number, Market>()
    const views = new Map<string, { readonly book: Market; readonly taken: readonly Traded[] }>()
    /** By command, market, side and price: what the book showed before each of its changes there. */
    const changes = new Map<string, (readonly number[])[]>()
    for (const [n, events] of all.entries()) {
      const taken: Traded[] = []
      const began = new Map<number, Market>()
      for (const event of events) {
        if (event.type === 'book.level') {
          const book = books.get(event.market) ?? { buy: new Map(), sell: new Map() }
          books.set(event.market, book)
          const key = [n + 1, event.market, event.side, event.price].join()
          changes.set(key, [...(changes.get(key) ?? []), [...queueOf(event.side, book[event.side], event.price), event.lots]])
          if (event.lots === 0) book[event.side].delete(event.price)
          else book[event.side].set(event.price, event.lots)
        }
        if (event.type === 'traded') {
          if (!began.has(event.takerOrder)) began.set(event.takerOrder, copyOf(books.get(event.market)!))
          views.set(`${event.market} ${event.trade}`, {
            book: began.get(event.takerOrder)!,
            taken: taken.filter((one) => one.takerOrder === event.takerOrder),
          })
          taken.push(event)
        }
        if (event.type === 'order.accepted' && event.display > 0) hidden++
      }
    }
    for (const [n, { trade, role }] of fills.entries()) {
      const { lot } = listing.markets.find(({ id }) => id === trade.market)!
      const lots = (text: string): number => parseLots(text, lot)!
      const { taker, maker, side } = told[n]!
      const { book, taken } = views.get(`${trade.market} ${trade.trade}`)!
      const sumAt = (isSame: boolean): number =>
        taken.reduce((total, one) => total + ((one.price === trade.price) === isSame ? one.lots : 0), 0)
      const found = taker ?? maker!
      assert.deepEqual([lots(found.takenBetter), lots(found.takenBefore)], [sumAt(false), sumAt(true)], role)
      if (taker !== undefined) {
        const other = side === 'buy' ? 'sell' : 'buy'
        const { betterQuantity, betterLevels, quantity } = taker.queue
        assert.deepEqual([lots(betterQuantity), betterLevels, lots(quantity)], queueOf(other, book[other], trade.price))
      }
      if (maker?.rest !== undefined) {
        const { seq, betterQuantity, betterLevels, quantity, rested } = maker.rest
        const at = changes.get([seq, trade.market, side, trade.price].join()) ?? []
        const mine = [lots(betterQuantity), betterLevels, lots(quantity), lots(quantity) + lots(rested)]
        assert.ok(
          at.some((one) => one.join() === mine.join()),
          `${mine.join()} of ${JSON.stringify(at)}`,
        )
      }
      count++
    }
  }
  assert.ok(hidden > 100 && count > 2_000, `${hidden} icebergs, ${count} fills`)
})

test('EXPLAIN-FILL-004: a maker has a place in the queue or the reason why it is left out: gone, a later part of an iceberg, or a leg of a pair', () => {
  const reasons = new Map<string, number>()
  for (const { fills, told, events: all, listing } of runs) {
    const placed = new Map(all.flat().flatMap((event) => (event.type === 'order.accepted' ? [[event.order, event] as const] : [])))
    for (const [n, { trade, role }] of fills.entries()) {
      const { maker, filledBefore } = told[n]!
      if (role === 'taker' || maker === undefined) continue
      assert.equal(maker.rest === undefined, maker.noRest !== undefined)
      const order = placed.get(trade.makerOrder)!
      const { lot } = listing.markets.find(({ id }) => id === trade.market)!
      if (maker.noRest === 'list') assert.notEqual(order.list, 0)
      if (maker.noRest === 'part') assert.ok(order.display > 0 && parseLots(filledBefore, lot)! >= order.display)
      if (order.list === 0 && order.display === 0) assert.notEqual(maker.rest, undefined)
      const reason = maker.noRest ?? 'told'
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
    }
  }
  for (const reason of ['told', 'part', 'list']) assert.ok((reasons.get(reason) ?? 0) > 5, JSON.stringify([...reasons]))
  // Without a record of its place, or where that can't be executed again.
  const place = { user: 1, market: 1, trade: 1, role: 'maker', seq: 9, order: 1, recorded: { price: '', quantity: '', value: '', fee: '' } }
  assert.equal(new FillLooks({ ...place, restSeq: undefined } as unknown as FillPlace, () => undefined).looks.length, 1)
  const [rest, own] = new FillLooks({ ...place, restSeq: 5 } as unknown as FillPlace, () => undefined).looks
  assert.deepEqual([rest?.seq, own?.seq], [5, 9])
  assert.deepEqual([...new Set(runs.flatMap(({ unplaced }) => unplaced))], ['gone'])
})
