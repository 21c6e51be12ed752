import type { Lots, Millis, Ticks, Units } from '@candor/core/money/brand.ts'
import { formatLots, formatTicks, notional } from '@candor/core/money/price.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import type { Side, Trigger } from '@candor/core/protocol/command/spot.ts'
import type { UserClass } from '@candor/core/protocol/command/user.ts'
import type { CloseReason, EntryReason, Event } from '@candor/core/protocol/event/index.ts'
import type { Seq, UserId } from '@candor/core/protocol/ids.ts'
import type { Asset, Market } from '@candor/core/protocol/market.ts'
import type { WireFill } from '@candor/core/protocol/wire/spot.ts'
import type pg from 'pg'
import { Known } from '../../projection/known.ts'
import { Projection } from '../../projection/projection.ts'
import { writePart } from '../../projector/write.ts'

const terms = {
  makerFeePpm: 1000,
  takerFeePpm: 1000,
  notionalMin: 1,
  lotsMin: 1,
  lotsMax: 1e9,
  bandPpm: 1,
  slippagePpm: 1,
  openOrdersMax: 9,
}
const asset = (id: number, symbol: string, scale: number) => ({ id, symbol, scale }) as Asset
export const [usdt, btc, eth] = [asset(1, 'USDT', 6), asset(2, 'BTC', 8), asset(3, 'ETH', 8)]

function market(id: number, base: Asset, quote: Asset, tick: string, lot: string, basePerLot: number, quotePerTickLot: number): Market {
  const symbol = base.symbol + quote.symbol
  return {
    id,
    symbol,
    base: base.id,
    quote: quote.id,
    tick,
    lot,
    basePerLot,
    quotePerTickLot,
    terms: { ...terms, isTrading: true },
  } as Market
}

export const markets = [
  market(1, btc, usdt, '0.1', '0.00001', 1000, 1),
  market(2, eth, usdt, '0.01', '0.0001', 10_000, 1),
  market(3, eth, btc, '0.00001', '0.001', 100_000, 1),
] as const

export type Placed = {
  order: number
  user: number
  market: Market
  side: Side
  price: number
  lots: number
  at: number
  executed: number
  paid: number
}
type Made = WireFill & { readonly user: number; readonly seq: number }

const nothingHeld = { positions: [], marks: new Map(), quotes: new Map() }

/** Events in the core's form, made by hand: a naive ledger, no book. It records the expected values, to compare pages with. */
export class Scenario {
  readonly projection = new Projection({
    seq: 0 as Seq,
    at: 0 as Millis,
    known: new Known(),
    users: [],
    openOrders: [],
    openOptions: [],
    lastPrices: new Map(),
    perp: nothingHeld,
  })
  readonly placed: Placed[] = []
  readonly fills: Made[] = []
  readonly #balances = new Map<string, { available: number; held: number }>()
  readonly #others = new Map<string, number>()
  readonly #tradeIds = new Map<number, number>()
  #seq = 0
  at: number

  /** Lists the assets and markets. */
  constructor(at: number) {
    this.at = at
    for (const one of [usdt, btc, eth]) this.command({ type: 'asset.listed', asset: one })
    for (const one of markets) this.command({ type: 'market.listed', market: one })
  }

  get seq(): number {
    return this.#seq
  }

  command(...events: readonly object[]): void {
    const outcome = { type: 'outcome', seq: ++this.#seq, at: this.at as Millis, user: 0, order: 0, refusal: undefined, isRepeat: false }
    this.projection.applyCommand([...events, outcome] as Event[])
  }

  async write(pool: pg.Pool): Promise<void> {
    const client = await pool.connect()
    await writePart(client, this.projection.take())
    client.release()
  }

  open(user: number, userClass: UserClass = 'retail'): UserId {
    this.command({ type: 'user.opened', user, class: userClass, referrer: 0 })
    return user as UserId
  }

  faucet(user: number, of: Asset, amount: number): void {
    this.command(this.#entry(0, of, 'faucet', -amount), this.#entry(user, of, 'faucet', amount))
  }

  place(user: number, of: Market, side: Side, price: number, lots: number, more: { trigger?: Trigger; list?: number } = {}): Placed {
    const order = this.placed.length + 1
    const placed = { order, user, market: of, side, price, lots, at: this.at, executed: 0, paid: 0 }
    this.placed.push(placed)
    const accepted = { type: 'order.accepted', order, list: 0, user, clientId: `c${order}`, market: of.id, side, orderType: 'limit' }
    const shape = { timeInForce: 'GTC', price, lots, spend: 0, isPostOnly: false, display: 0, ...more }
    this.command({ ...accepted, ...shape }, this.#hold(user, of, side, price, lots))
    return placed
  }

  /** The taker trades with the maker at the maker's price; both have held the money. */
  trade(maker: Placed, taker: Placed, lots: number): void {
    const of = maker.market
    const quote = notional(maker.price, lots, of)
    const base = lots * of.basePerLot
    const trade = (this.#tradeIds.get(of.id) ?? 0) + 1
    this.#tradeIds.set(of.id, trade)
    const [baseAsset, quoteAsset] = assetsOf(of)
    const fee = (side: Side) => Math.floor((side === 'buy' ? base : quote) / 1000)
    const events: object[] = [
      {
        ...{ type: 'traded', market: of.id, trade, price: maker.price, lots, quote, takerSide: taker.side },
        ...{ makerOrder: maker.order, takerOrder: taker.order, makerUser: maker.user, takerUser: taker.user },
        ...{ makerFee: fee(maker.side), takerFee: fee(taker.side) },
      },
    ]
    for (const [role, own] of [
      ['maker', maker],
      ['taker', taker],
    ] as const) {
      own.executed += lots
      own.paid += quote
      const [gives, amount] = own.side === 'buy' ? [quoteAsset, quote] : [baseAsset, base]
      const [gets, received] = own.side === 'buy' ? [baseAsset, base] : [quoteAsset, quote]
      events.push(this.#entry(own.user, gives, 'trade', 0, -amount), this.#entry(own.user, gets, 'trade', received))
      events.push(this.#entry(own.user, gets, 'fee', -fee(own.side)), this.#entry(0, gets, 'fee', fee(own.side)))
      this.fills.push({
        ...{
          user: own.user,
          seq: this.#seq + 1,
          tradeId: String(trade),
          orderId: String(own.order),
          symbol: of.symbol,
          side: own.side,
          role,
        },
        ...{ price: formatTicks(maker.price, of.tick), quantity: formatLots(lots, of.lot), quote: formatUnits(quote, quoteAsset.scale) },
        ...{ fee: formatUnits(fee(own.side), gets.scale), feeAsset: gets.symbol, time: this.at },
      })
    }
    this.command(...events)
  }

  close(own: Placed, reason: CloseReason): void {
    const { order, user, market: of, executed, paid } = own
    this.command(
      { type: 'order.closed', order, user, market: of.id, reason, executedLots: executed as Lots, executedQuote: paid as Units },
      this.#hold(user, of, own.side, own.price, executed - own.lots),
    )
  }

  /** An entry of an account that the other helpers don't track: its balance is the entry's amount, as if the account had been empty. */
  entry(account: object, reason: EntryReason, delta: number): object {
    const key = JSON.stringify(account)
    const available = (this.#others.get(key) ?? 0) + delta
    this.#others.set(key, available)
    return { type: 'entry', account, reason, delta, heldDelta: 0, available, held: 0 }
  }

  balance(user: number, of: Asset): { readonly available: number; readonly held: number } {
    return this.#balances.get(`${user}:${of.id}`) ?? { available: 0, held: 0 }
  }

  #hold(user: number, of: Market, side: Side, price: number, lots: number): object {
    const [base, quote] = assetsOf(of)
    const amount = side === 'buy' ? price * lots * of.quotePerTickLot : lots * of.basePerLot
    return this.#entry(user, side === 'buy' ? quote : base, lots > 0 ? 'hold' : 'release', -amount, amount)
  }

  #entry(user: number, of: Asset, reason: EntryReason, delta: number, heldDelta = 0): object {
    const system = reason === 'faucet' ? 'outside:sandbox' : 'fees'
    const key = `${user === 0 ? system : user}:${of.id}`
    const old = this.#balances.get(key) ?? { available: 0, held: 0 }
    const balance = { available: old.available + delta, held: old.held + heldDelta }
    this.#balances.set(key, balance)
    const account = user === 0 ? { system, asset: of.id } : { user, kind: 'spot', asset: of.id }
    return { type: 'entry', account, reason, delta, heldDelta, ...balance }
  }
}

function assetsOf(of: Market): readonly [Asset, Asset] {
  const named = (id: number) => [usdt, btc, eth].find((one) => one.id === id) as Asset
  return [named(of.base), named(of.quote)]
}

export const ticks = (count: number): Ticks => count as Ticks
