import { endTimeOf } from '@candor/core/market-data/calendar.ts'
import type { DepthDiff } from '@candor/core/market-data/depth.ts'
import type { MarketView } from '@candor/core/market-data/market-view.ts'
import type { MarketId } from '@candor/core/protocol/ids.ts'
import type { Candle, Interval } from '@candor/core/protocol/market.ts'
import type { ListedMarket } from '../market/listing.ts'
import type { MarketData } from '../market/data.ts'
import {
  aggregateTexts,
  bookTickerText,
  depthDiffText,
  klineText,
  miniTickerText,
  partialDepthText,
  type TradeAt,
  tickerText,
  tradeText,
  wireCandle,
  wssQuote,
  wssRow,
} from '../market/texts.ts'
import { Fanout } from './fanout.ts'
import { IndexTape } from './index-tape.ts'
import { RolledKlines } from './rolled-klines.ts'
import { SlowDepth } from './slow-depth.ts'
import { allMarkets, isEachCounted, parseStream, type PublicStream, type StreamKind } from './streams.ts'

export const tickMs = 100
/** What is told once a second. */
const slowTicks = 10

/**
 * Once per tick: what changed in each market becomes one text per stream that somebody listens to, for all sockets.
 *
 * Channels: `raw:<stream>` and `all:<stream>` are the public streams, plain and wrapped with their name; `quote:<id>`,
 * `quotes` and `kline:<id>:<period>` speak the words of `/wss`.
 */
export class Publisher {
  readonly fanout: Fanout
  readonly #data: MarketData
  readonly #now: () => number
  /** Wanted streams by market; the names under which each is wanted are the channels. */
  readonly #streams = new Map<number, Map<string, PublicStream>>()
  readonly #klines = new Map<number, Map<Interval, number>>()
  readonly #trades = new Map<number, TradeAt[]>()
  readonly #tape: IndexTape
  readonly #slowDepth = new SlowDepth()
  readonly #rolled = new RolledKlines()
  /** Spot markets that traded since the last slow tick. */
  readonly #traded = new Set<number>()
  #ticks = 0
  /** Open time of the last candle that was told to be closed. */
  readonly #closed = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined

  constructor(data: MarketData, now: () => number) {
    this.#data = data
    this.#now = now
    this.#tape = new IndexTape(data)
    this.fanout = new Fanout(
      (channel) => {
        const stream = this.#streamOf(channel)
        return !stream || !isEachCounted(stream.kind)
      },
      (channel, isWanted) => this.#demand(channel, isWanted),
    )
    data.onReset(() => this.#slowDepth.clear())
    data.onCommand((events, outcome) => {
      for (const event of events) {
        if (event.type === 'tape.extended') this.#tape.add(event)
        if (event.type !== 'traded' || !this.#streams.has(event.market)) continue
        const list = this.#trades.get(event.market)
        if (list) list.push({ event, at: outcome.at })
        else this.#trades.set(event.market, [{ event, at: outcome.at }])
      }
    })
  }

  start(): void {
    this.#timer = setInterval(() => this.tick(), tickMs)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  tick(): void {
    if (!this.#data.isReady) return
    const now = this.#now()
    const quotes: string[] = []
    const traded = new Set<number>()
    for (const [id, changes] of this.#data.view.takeChanges()) {
      const market = this.#data.listing.marketIfAny(id)
      const view = this.#data.market(id)
      if (!market || !view) continue
      const diff = changes.hasDepth ? view.depth.takeDiff() : undefined
      if (changes.hasTraded || changes.hasIndex) {
        const quote = this.#quote(market, view, changes.hasTraded, now)
        if (quote) quotes.push(quote)
      }
      this.#streamsOf(market, view, { hasTraded: changes.hasTraded, diff }, now)
      if (changes.hasTraded) this.#klinesOf(market, view, now)
      if (changes.hasTraded) traded.add(id)
      if (changes.hasTraded && market.wire.kind === 'spot') this.#traded.add(id)
    }
    if (++this.#ticks % slowTicks === 0) this.#slow(now)
    this.#trades.clear()
    this.#indices()
    this.#marks(now)
    if (quotes.length > 0) this.fanout.publish('quotes', `{"code":200,"data":{"list":[${quotes.join(',')}]}}`)
    this.#closeCandles(now)
    this.#rolledKlines(traded, now)
    this.fanout.flush()
  }

  /** Every tick of the tape that came since the last time, for each market whose index somebody follows. */
  #indices(): void {
    const wanted = [...this.#streams].flatMap(([id, streams]) =>
      [...streams.values()].filter(({ kind }) => kind.type === 'index').map(({ name }) => ({ id, name })),
    )
    this.#tape.take(wanted, (name, text) => this.#publish(name, text))
  }

  /** Marks that moved, for each contract whose mark somebody follows. */
  #marks(now: number): void {
    const { contracts, listing, view } = this.#data
    for (const id of contracts.takeChanged()) {
      for (const { name, kind } of this.#streams.get(id)?.values() ?? []) {
        if (kind.type !== 'mark') continue
        const mark = contracts.wireMark(listing.market(id), view.at)
        if (mark) this.#publish(name, JSON.stringify({ e: 'mark', E: now, mark }))
      }
    }
  }

  /** A market that never traded shows its index: only then does an index tick change its quote. */
  #quote(market: ListedMarket, view: MarketView, hasTraded: boolean, now: number): string | undefined {
    if (!hasTraded && view.trades.newest(1).length > 0) return undefined
    const one = `quote:${market.market.id}`
    if (!this.fanout.isWanted('quotes') && !this.fanout.isWanted(one)) return undefined
    const text = JSON.stringify(wssQuote(market, view, now))
    this.fanout.publish(one, `{"code":200,"data":{"list":[${text}]}}`)
    return text
  }

  #streamsOf(market: ListedMarket, view: MarketView, changes: { hasTraded: boolean; diff: DepthDiff | undefined }, now: number): void {
    const streams = [...(this.#streams.get(market.market.id)?.values() ?? [])]
    if (changes.diff && streams.some(({ kind }) => 'isSlow' in kind && kind.isSlow)) this.#slowDepth.add(market.market.id, changes.diff)
    for (const { name, kind } of streams) {
      for (const text of this.#texts(market, view, kind, changes, now)) this.#publish(name, text)
    }
  }

  /** Depth of the last second, and the day of every market that traded in it. */
  #slow(now: number): void {
    for (const [id, diff] of this.#slowDepth.take()) {
      const view = this.#data.market(id)
      if (!view) continue
      for (const { name, kind } of this.#streams.get(id)?.values() ?? []) {
        for (const text of depthTexts(this.#data.listing.market(id as MarketId), view, kind, diff, true, now)) this.#publish(name, text)
      }
    }
    if (this.#traded.size > 0 && this.#streams.has(allMarkets)) {
      const views = [...this.#traded].map((id) => [this.#data.listing.market(id as MarketId), this.#data.market(id)] as const)
      const days = views.map(([market, view]) => (view ? miniTickerText(market, view, now) : ''))
      this.#publish('!miniTicker@arr', `[${days.filter((text) => text !== '').join(',')}]`)
    }
    this.#traded.clear()
  }

  #texts(
    market: ListedMarket,
    view: MarketView,
    kind: StreamKind,
    changes: { hasTraded: boolean; diff: DepthDiff | undefined },
    now: number,
  ) {
    const { hasTraded, diff } = changes
    const trades = this.#trades.get(market.market.id) ?? []
    switch (kind.type) {
      case 'trade':
        return trades.map((trade) => tradeText(market, trade, now))
      case 'aggTrade':
        return aggregateTexts(market, trades, now)
      case 'depth':
      case 'partialDepth':
        return diff ? depthTexts(market, view, kind, diff, false, now) : []
      case 'bookTicker':
        return diff ? [bookTickerText(market, view)] : []
      case 'miniTicker':
        return hasTraded ? [miniTickerText(market, view, now)] : []
      case 'ticker':
        return hasTraded || diff ? [tickerText(market, view, now)] : []
      case 'kline':
      case 'index':
      case 'mark':
      case 'miniTickers':
      case 'rolledKline':
        return []
    }
  }

  #publish(name: string, text: string): void {
    this.fanout.publish(`raw:${name}`, text)
    if (this.fanout.isWanted(`all:${name}`)) this.fanout.publish(`all:${name}`, `{"stream":"${name}","data":${text}}`)
  }

  #klinesOf(market: ListedMarket, view: MarketView, now: number): void {
    for (const interval of this.#klines.get(market.market.id)?.keys() ?? []) {
      const changed = view.candles.takeChanged(interval)
      if (changed.length === 0) continue
      this.#publishKline(market, interval, changed, now)
    }
  }

  #publishKline(market: ListedMarket, interval: Interval, changed: readonly Candle[], now: number): void {
    const { id } = market.market
    const rows = changed.map((candle) => wssRow(wireCandle(market, candle)))
    this.fanout.publish(
      `kline:${id}:${interval}`,
      `{"code":200,"data":{"kline":${JSON.stringify({ tradingPairsId: id, period: interval, rows })}}}`,
    )
    const name = `${market.market.symbol.toLowerCase()}@kline_${interval}`
    if (!this.#streams.get(id)?.has(name)) return
    for (const candle of changed) {
      const isClosed = endTimeOf(interval, candle.openTime) <= now
      if (isClosed) this.#closed.set(`${id}:${interval}`, candle.openTime)
      this.#publish(name, klineText(market, candle, interval, endTimeOf(interval, candle.openTime), isClosed, now))
    }
  }

  /** A candle closes by the clock, whether or not the next one has begun. */
  #closeCandles(now: number): void {
    for (const [id, intervals] of this.#klines) {
      const market = this.#data.listing.marketIfAny(id)
      for (const interval of intervals.keys()) {
        const candle = this.#data.market(id)?.candles.current(interval)
        const key = `${id}:${interval}`
        if (!market || !candle || endTimeOf(interval, candle.openTime) > now || this.#closed.get(key) === candle.openTime) continue
        this.#closed.set(key, candle.openTime)
        this.#publish(
          `${market.market.symbol.toLowerCase()}@kline_${interval}`,
          klineText(market, candle, interval, endTimeOf(interval, candle.openTime), true, now),
        )
      }
    }
  }

  #rolledKlines(traded: ReadonlySet<number>, now: number): void {
    for (const [id, streams] of this.#streams) {
      const market = this.#data.listing.marketIfAny(id)
      const view = this.#data.market(id)
      if (!market || !view) continue
      for (const stream of streams.values()) {
        if (stream.kind.type !== 'rolledKline') continue
        for (const text of this.#rolled.texts(market, view, stream, traded.has(id), now)) this.#publish(stream.name, text)
      }
    }
  }

  #streamOf(channel: string): PublicStream | undefined {
    const isStream = channel.startsWith('raw:') || channel.startsWith('all:')
    return isStream ? parseStream(this.#data.listing, channel.slice(4)) : undefined
  }

  #demand(channel: string, isWanted: boolean): void {
    const kline = /^kline:([0-9]+):(.+)$/.exec(channel)
    if (kline) this.#wantKline(Number(kline[1]), kline[2] as Interval, isWanted)
    const stream = this.#streamOf(channel)
    if (!stream) return
    if (stream.kind.type === 'kline') this.#wantKline(stream.market, stream.kind.interval, isWanted)
    let streams = this.#streams.get(stream.market)
    if (!streams) {
      streams = new Map()
      this.#streams.set(stream.market, streams)
    }
    if (isWanted) streams.set(stream.name, stream)
    else if (!this.fanout.isWanted(`raw:${stream.name}`) && !this.fanout.isWanted(`all:${stream.name}`)) {
      streams.delete(stream.name)
      this.#rolled.forget(stream.name)
      if (streams.size === 0) this.#streams.delete(stream.market)
    }
  }

  /** Counts who wants the candles of an interval; what changed before the first one is nobody's. */
  #wantKline(market: number, interval: Interval, isWanted: boolean): void {
    const wanted = this.#klines.get(market) ?? new Map<Interval, number>()
    this.#klines.set(market, wanted)
    const count = (wanted.get(interval) ?? 0) + (isWanted ? 1 : -1)
    if (count > 0) {
      if (count === 1 && isWanted) this.#data.market(market)?.candles.takeChanged(interval)
      wanted.set(interval, count)
    } else {
      wanted.delete(interval)
      if (wanted.size === 0) this.#klines.delete(market)
    }
  }
}

/** Of streams that are told at this speed. */
function depthTexts(
  market: ListedMarket,
  view: MarketView,
  kind: StreamKind,
  diff: DepthDiff,
  isSlow: boolean,
  now: number,
): readonly string[] {
  if (kind.type === 'depth' && kind.isSlow === isSlow) return [depthDiffText(market, diff, now)]
  return kind.type === 'partialDepth' && kind.isSlow === isSlow ? [partialDepthText(market, view, kind.levels)] : []
}
