import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Exchange } from '@candor/core/exchange/exchange.ts'
import type { Millis } from '@candor/core/money/brand.ts'
import { formatLots, formatTicks, parseLots } from '@candor/core/money/price.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import { encodeCommand } from '@candor/core/protocol/codec/command.ts'
import { decodeEvents } from '@candor/core/protocol/codec/event.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import type { Event, Traded } from '@candor/core/protocol/event/index.ts'
import type { AssetId, OrderId, Seq } from '@candor/core/protocol/ids.ts'
import type { ListingView } from '@candor/core/protocol/market.ts'
import type { FillExplanation } from '@candor/core/protocol/wire/explain/explanation.ts'
import { Oracle } from '../../../simulator/oracle/oracle.ts'
import { productionEvery } from '../../../simulator/plans.ts'
import { type Step, Workload } from '../../../simulator/workload.ts'
import { FillLooks } from '../fill.ts'

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

function execute(exchange: Exchange, { command, stamp }: Step): readonly Event[] {
  const [commands, events] = [new Records(), new Records()]
  encodeCommand(command, stamp, commands)
  exchange.execute(commands.data, 0, events)
  return decodeEvents(events.data, 0, events.length)
}

const copy = (queue: readonly Queued[]): readonly Queued[] => queue.map(({ order, price, visible }) => ({ order, price, visible }))

type Placing = Extract<Event, { readonly type: 'order.accepted' | 'order.triggered' | 'order.entered' | 'order.amended' }>
function isPlacing(event: Event): event is Placing {
  if (event.type === 'order.amended') return !event.keepsPriority
  return event.type === 'order.accepted' || event.type === 'order.triggered' || event.type === 'order.entered'
}

/** Executes the same commands on an exchange of its own, and explains every fill on the way. */
function explain(ran: readonly Step[], fills: readonly Told[], listing: ListingView): readonly FillExplanation[] {
  const exchange = Exchange.create()
  const faults: unknown[] = []
  const asked = fills.map(({ trade, role, seq, rest }) => {
    const [order, user] = role === 'maker' ? [trade.makerOrder, trade.makerUser] : [trade.takerOrder, trade.takerUser]
    const place = { user, market: trade.market, trade: trade.trade, role, seq: seq as Seq, order: order as OrderId }
    const recorded = recordOf(trade, role, listing)
    return new FillLooks({ ...place, restSeq: rest?.seq as Seq | undefined, recorded }, (cause) => void faults.push(cause))
  })
  const looks = Map.groupBy(
    asked.flatMap((one) => one.looks),
    ({ seq }) => seq,
  )
  for (const step of ran) {
    const { command, stamp } = step
    const mine = looks.get(stamp.seq) ?? []
    const seen = { seq: stamp.seq, at: stamp.at as Millis, command }
    for (const look of mine) look.before?.(exchange, seen)
    const events = execute(exchange, step)
    for (const look of mine) look.after?.(exchange, events, seen)
  }
  assert.deepEqual(faults, [])
  return asked.map((one) => one.result(new Map()) as FillExplanation)
}

const runs = seeds.map((seed) => {
  const { ran, fills } = run(seed)
  const exchange = Exchange.create()
  for (const step of ran) execute(exchange, step)
  const listing = exchange.listing()
  return { seed, fills, told: explain(ran, fills, listing), listing }
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
