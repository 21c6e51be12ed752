import type { AssetId, MarketId } from '@candor/core/protocol/ids.ts'
import { openTimeOf } from '@candor/core/market-data/calendar.ts'
import { addTrade, openCandle } from '@candor/core/market-data/candle.ts'
import { valueOf } from '@candor/core/market-data/volume.ts'
import type { Millis, Ticks, Units } from '@candor/core/money/brand.ts'
import { formatFixed } from '@candor/core/money/units.ts'
import type { Event, Traded } from '@candor/core/protocol/event/index.ts'
import type { Asset, Candle, Market } from '@candor/core/protocol/market.ts'
import { Columns, overwrite, type Statement } from './columns.ts'
import type { Known, MarketView } from './known.ts'

const keepSecondsMs = 48 * 3_600_000
const frames = ['1s', '1m', '1h'] as const

/** The listing, candles of own trades, and the site's volume. */
export class MarketProjection {
  readonly #known: Known
  readonly #assets = new Map<AssetId, Asset>()
  readonly #markets = new Map<MarketId, Market>()
  /**
   * The newest candle of each market and frame, as far as this batch knows it: the upsert merges it with the row in the table.
   * Commands come in order of time, so a candle is complete once a later one begins.
   */
  readonly #candles: readonly Map<MarketView, Candle>[] = frames.map(() => new Map())
  readonly #volume = new Map<number, number>()
  readonly #lastPrices: Map<string, Ticks>
  #hour: number
  #isNewHour = false
  readonly #assetRows = new Columns('assets', { id: 'integer', symbol: 'text', scale: 'integer' })
  readonly #marketRows = new Columns(
    'markets',
    { id: 'integer', symbol: 'text', base: 'text', quote: 'text', definition: 'jsonb' },
    `(id) do update set ${overwrite('definition')}`,
  )
  readonly #candleRows = frames.map((frame) => new Columns(`candles_${frame} as old`, candleColumns, mergeCandle))
  readonly #volumeRows = new Columns(
    'volume_hours as old',
    { hour: 'bigint', usdt: 'numeric' },
    '(hour) do update set usdt = old.usdt + excluded.usdt',
  )

  /** `at`: time of the last projected command. `lastPrices`: price of the last trade up to then, by symbol. */
  constructor(known: Known, at: Millis, lastPrices: ReadonlyMap<string, Ticks>) {
    this.#known = known
    this.#hour = openTimeOf('1h', at)
    this.#lastPrices = new Map(lastPrices)
  }

  get size(): number {
    return this.#assets.size + this.#markets.size + this.#volume.size + this.#candleRows.reduce((sum, rows) => sum + rows.length, 0)
  }

  apply(event: Event, at: Millis): void {
    switch (event.type) {
      case 'asset.listed':
        this.#known.addAsset(event.asset)
        this.#assets.set(event.asset.id, event.asset)
        break
      case 'market.listed':
      case 'market.changed':
        this.#known.addMarket(event.market)
        this.#markets.set(event.market.id, event.market)
        break
      case 'traded':
        this.#trade(event, at)
        break
      case 'outcome':
        this.#passTo(at)
        break
    }
  }

  take(): readonly (Statement | undefined)[] {
    for (const { id, symbol, scale } of this.#assets.values()) this.#assetRows.push(id, symbol, scale)
    this.#assets.clear()
    for (const market of this.#markets.values()) {
      const { base, quote } = this.#known.market(market.id)
      this.#marketRows.push(market.id, market.symbol, base.symbol, quote.symbol, JSON.stringify(market))
    }
    this.#markets.clear()
    this.#candles.forEach((candles, frame) => {
      for (const [view, candle] of candles) this.#pushCandle(frame, view, candle)
      candles.clear()
    })
    if (this.#volume.size > 0) {
      const scale = this.#known.scaleOf('USDT')
      for (const [hour, units] of this.#volume) this.#volumeRows.push(hour, formatFixed(units, scale))
    }
    this.#volume.clear()
    const candles = this.#candleRows.map((rows) => rows.take())
    return [this.#assetRows.take(), this.#marketRows.take(), ...candles, this.#volumeRows.take(), this.#takePruning()]
  }

  /** A trade of a user with themselves counts for nothing; one between two accounts of the house makes candles but no volume. */
  #trade(event: Traded, at: Millis): void {
    if (event.makerUser === event.takerUser) return
    const view = this.#known.market(event.market)
    const print = { at, price: event.price, lots: event.lots, quote: event.quote, takerSide: event.takerSide }
    frames.forEach((interval, frame) => {
      const candles = this.#candles[frame] as Map<MarketView, Candle>
      const openTime = openTimeOf(interval, at)
      const candle = candles.get(view)
      if (candle?.openTime === openTime) {
        candles.set(view, addTrade(candle, print))
        return
      }
      if (candle !== undefined) this.#pushCandle(frame, view, candle)
      candles.set(view, openCandle(openTime, print))
    })
    this.#lastPrices.set(view.market.symbol, event.price)
    const usdt = event.isHouse ? 0 : this.usdtOf(view, event.quote)
    const hour = openTimeOf('1h', at)
    if (usdt > 0) this.#volume.set(hour, (this.#volume.get(hour) ?? 0) + usdt)
  }

  /** Valued at the last trade price of the quote asset in USDT, rounded down; nothing before that market's first trade. */
  usdtOf(view: MarketView, quote: Units): number {
    const usdt = this.#known.assetNamed('USDT')
    if (usdt === undefined) return 0
    const symbol = `${view.quote.symbol}USDT`
    const price = this.#lastPrices.get(symbol)
    const bridge = price === undefined ? undefined : { market: (this.#known.marketNamed(symbol) as MarketView).market, price }
    return valueOf(quote, view.quote.id, usdt.id, bridge)
  }

  #pushCandle(frame: number, view: MarketView, candle: Candle): void {
    const { openTime, open, high, low, close, lots, quote, takerLots, takerQuote, trades } = candle
    const bought = [view.quantity(takerLots), view.quoteSum(takerQuote)]
    const prices = [open, high, low, close].map((ticks) => view.price(ticks))
    const rows = this.#candleRows[frame] as Columns
    rows.push(view.market.symbol, openTime, ...prices, view.quantity(lots), view.quoteSum(quote), trades, false, ...bought)
  }

  #passTo(at: Millis): void {
    const hour = openTimeOf('1h', at)
    if (hour === this.#hour) return
    this.#hour = hour
    this.#isNewHour = true
  }

  /** Deletes candles of seconds older than two days, each hour by the exchange's clock, so that a rebuild keeps exactly the same ones. */
  #takePruning(): Statement | undefined {
    if (!this.#isNewHour) return undefined
    this.#isNewHour = false
    const text = 'delete from candles_1s where market in (select symbol from markets) and open_time < $1::bigint'
    return { text, batches: [[String(this.#hour - keepSecondsMs)]] }
  }
}

/** Columns of a bar, whether of our own trades or of a reference. */
export const barColumns = {
  market: 'text',
  open_time: 'bigint',
  open: 'numeric',
  high: 'numeric',
  low: 'numeric',
  close: 'numeric',
  volume: 'numeric',
  quote_volume: 'numeric',
  trades: 'bigint',
  is_reference: 'boolean',
} as const
const candleColumns = {
  ...barColumns,
  taker_volume: 'numeric',
  taker_quote_volume: 'numeric',
} as const

/** A bar of our own trades replaces a reference bar, and is merged into an earlier one of our own. */
const mergeCandle = `(market, open_time) do update set
  open = case when old.is_reference then excluded.open else old.open end,
  high = case when old.is_reference then excluded.high else greatest(old.high, excluded.high) end,
  low = case when old.is_reference then excluded.low else least(old.low, excluded.low) end,
  close = excluded.close,
  volume = case when old.is_reference then excluded.volume else old.volume + excluded.volume end,
  quote_volume = case when old.is_reference then excluded.quote_volume else old.quote_volume + excluded.quote_volume end,
  trades = case when old.is_reference then excluded.trades else old.trades + excluded.trades end,
  taker_volume = case when old.is_reference then excluded.taker_volume else old.taker_volume + excluded.taker_volume end,
  taker_quote_volume = case
    when old.is_reference then excluded.taker_quote_volume else old.taker_quote_volume + excluded.taker_quote_volume end,
  is_reference = false`
