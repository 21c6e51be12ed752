import type { Millis } from '@candor/core/money/brand.ts'
import { endTimeOf } from '@candor/core/market-data/calendar.ts'
import type { MarketView } from '@candor/core/market-data/market-view.ts'
import type { MarketId } from '@candor/core/protocol/ids.ts'
import type { Candle, Interval } from '@candor/core/protocol/market.ts'
import { programName } from '../live/program-names.ts'
import type { ListedMarket } from '../live/listing.ts'
import type { MarketData } from '../live/data.ts'
import { contractBookTickerText } from '../live/futures-texts.ts'
import { klineText, type TradeAt, wireCandle, wssQuote, wssRow } from '../live/texts.ts'
import { Beats } from './beats.ts'
import { Fanout } from './fanout.ts'
import { IndexTape } from './index-tape.ts'
import { Liquidations } from './liquidations.ts'
import { RolledKlines } from './rolled-klines.ts'
import { SlowDepth } from './slow-depth.ts'
import { type Changes, depthText, textsOf } from './stream-texts.ts'
import { allMarkets, channelOf, isEachCounted, type PublicStream, streamOfChannel } from './streams.ts'

export const tickMs = 100
/** Intervals for clients that do not want book changes every tick, in milliseconds. */
const depthEveryMs = [250, 500, 1_000] as const

/**
 * Once per tick, turns the changes of each market into one text per wanted stream, shared by all sockets.
 *
 * Channels: those from `channelOf` are the public streams, plain and wrapped with their name; `quote:<id>`, `quotes` and
 * `kline:<id>:<period>` are in the format of `/wss`.
 */
export class Publisher {
  readonly fanout: Fanout
  readonly #data: MarketData
  readonly #now: () => Millis
  /** Wanted streams by market and key. */
  readonly #streams = new Map<number, Map<string, PublicStream>>()
  readonly #klines = new Map<number, Map<Interval, number>>()
  readonly #trades = new Map<number, TradeAt[]>()
  readonly #tape: IndexTape
  readonly #slowDepth = new Map(depthEveryMs.map((everyMs) => [everyMs as number, new SlowDepth()]))
  readonly #liquidations: Liquidations
  readonly #beats: Beats
  readonly #rolled = new RolledKlines()
  #ticks = 0
  /** Open time of the last candle that was reported as closed. */
  readonly #closed = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined

  constructor(data: MarketData, now: () => Millis) {
    this.#data = data
    this.#now = now
    this.#tape = new IndexTape(data)
    this.#liquidations = new Liquidations(data)
    this.#beats = new Beats(data, this.#liquidations)
    this.fanout = new Fanout(
      (channel) => {
        const stream = streamOfChannel(data.listing, channel)
        return !stream || !isEachCounted(stream.kind)
      },
      (channel, isWanted) => this.#demand(channel, isWanted),
    )
    data.onReset(() => {
      for (const depth of this.#slowDepth.values()) depth.clear()
    })
    data.onCommand((events, outcome) => {
      let isLiquidating = false
      for (const event of events) {
        if (event.type === 'tape.extended') this.#tape.add(event)
        if (event.type === 'perp.liquidated') isLiquidating = true
        if (event.type !== 'traded' || !this.#streams.has(event.market)) continue
        const list = this.#trades.get(event.market)
        if (list) list.push({ event, at: outcome.at })
        else this.#trades.set(event.market, [{ event, at: outcome.at }])
      }
      if (!isLiquidating) return
      this.#liquidations.add(events, outcome, (market) => this.#streams.has(market) || this.#streams.has(allMarkets))
    })
  }

  /** Counts the publishing of changes. A value built from the data is up to date with the streams until this number changes. */
  get ticks(): number {
    return this.#ticks
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
      const trades = this.#trades.get(id) ?? []
      this.#streamsOf({ market, view, trades, hasTraded: changes.hasTraded, diff, at: this.#data.view.at }, now)
      if (!changes.hasTraded) continue
      this.#klinesOf(market, view, now)
      traded.add(id)
      this.#beats.traded(id)
    }
    this.#ticks++
    for (const [everyMs, depth] of this.#slowDepth) if (this.#isDue(everyMs)) this.#depthOf(everyMs, depth, now)
    this.#beats.tick(
      (everyMs) => this.#isDue(everyMs),
      this.#streams,
      now,
      (stream, text) => this.#publish(stream, text),
    )
    this.#trades.clear()
    this.#indices()
    this.#marks(now)
    if (quotes.length > 0) this.fanout.publish('quotes', `{"code":200,"data":{"list":[${quotes.join(',')}]}}`)
    this.#closeCandles(now)
    this.#rolledKlines(traded, now)
    this.fanout.flush()
  }

  /** Publishes every new tick of the tape, for each market whose index is followed. */
  #indices(): void {
    const streams = new Map<string, PublicStream>()
    for (const own of this.#streams.values()) {
      for (const stream of own.values()) if (stream.kind.type === 'index') streams.set(stream.name, stream)
    }
    const wanted = [...streams.values()].map(({ market, name }) => ({ id: market, name }))
    this.#tape.take(wanted, (name, text) => this.#publish(streams.get(name)!, text))
  }

  /** Whether this tick is the first of a new interval of that length. */
  #isDue(everyMs: number): boolean {
    return Math.floor((this.#ticks * tickMs) / everyMs) !== Math.floor(((this.#ticks - 1) * tickMs) / everyMs)
  }

  /** Publishes the marks that moved, for each Futures market whose mark is followed. */
  #marks(now: Millis): void {
    const { contracts, listing, view } = this.#data
    for (const id of contracts.takeChanged()) {
      for (const stream of this.#streams.get(id)?.values() ?? []) {
        if (stream.kind.type !== 'mark') continue
        const mark = contracts.wireMark(listing.market(id), view.at)
        if (mark) this.#publish(stream, JSON.stringify({ e: 'mark', E: now, mark }))
      }
    }
  }

  /** A market without trades shows its index: only then does an index tick change its quote. */
  #quote(market: ListedMarket, view: MarketView, hasTraded: boolean, now: Millis): string | undefined {
    if (!hasTraded && view.trades.newest(1).length > 0) return undefined
    const one = `quote:${market.market.id}`
    if (!this.fanout.isWanted('quotes') && !this.fanout.isWanted(one)) return undefined
    const text = JSON.stringify(wssQuote(market, view, now))
    this.fanout.publish(one, `{"code":200,"data":{"list":[${text}]}}`)
    return text
  }

  #streamsOf(changes: Changes, now: Millis): void {
    const { id } = changes.market.market
    const streams = this.#streams.get(id)
    if (changes.diff) this.#books(changes, now)
    if (!streams) return
    const slow = new Set<number>()
    for (const stream of streams.values()) {
      if ('everyMs' in stream.kind) slow.add(stream.kind.everyMs)
      for (const text of textsOf(stream, changes, tickMs, now)) this.#publish(stream, text)
    }
    if (changes.diff) for (const everyMs of slow) this.#slowDepth.get(everyMs)?.add(id, changes.diff)
  }

  /** Publishes the best levels of each Futures market whose book changed, in one stream. */
  #books({ market, view, at }: Changes, now: Millis): void {
    if (market.wire.kind !== 'perp') return
    for (const stream of this.#streams.get(allMarkets)?.values() ?? []) {
      if (stream.kind.type !== 'bookTickers') continue
      this.#publish(stream, contractBookTickerText({ market, said: programName(market) }, view, at, now))
    }
  }

  #depthOf(everyMs: number, depth: SlowDepth, now: Millis): void {
    for (const [id, diff] of depth.take()) {
      const view = this.#data.market(id)
      if (!view) continue
      const seen = { market: this.#data.listing.market(id as MarketId), view, at: this.#data.view.at }
      for (const stream of this.#streams.get(id)?.values() ?? []) {
        const { kind } = stream
        if ((kind.type !== 'depth' && kind.type !== 'partialDepth') || kind.everyMs !== everyMs) continue
        this.#publish(stream, depthText(stream, seen, diff, now))
      }
    }
  }

  #publish({ family, name }: PublicStream, text: string): void {
    this.fanout.publish(channelOf(family, false, name), text)
    const wrapped = channelOf(family, true, name)
    if (this.fanout.isWanted(wrapped)) this.fanout.publish(wrapped, `{"stream":"${name}","data":${text}}`)
  }

  #klinesOf(market: ListedMarket, view: MarketView, now: Millis): void {
    for (const interval of this.#klines.get(market.market.id)?.keys() ?? []) {
      const changed = view.candles.takeChanged(interval)
      if (changed.length === 0) continue
      this.#publishKline(market, interval, changed, now)
    }
  }

  #publishKline(market: ListedMarket, interval: Interval, changed: readonly Candle[], now: Millis): void {
    const { id } = market.market
    const rows = changed.map((candle) => wssRow(wireCandle(market, candle)))
    this.fanout.publish(
      `kline:${id}:${interval}`,
      `{"code":200,"data":{"kline":${JSON.stringify({ tradingPairsId: id, period: interval, rows })}}}`,
    )
    const streams = this.#klineStreams(id, interval)
    for (const candle of changed) {
      const endTime = endTimeOf(interval, candle.openTime)
      const isClosed = endTime <= now
      if (isClosed && streams.length > 0) this.#closed.set(`${id}:${interval}`, candle.openTime)
      for (const stream of streams) {
        this.#publish(stream, klineText(market, candle, { said: stream.said, interval, endTime, isClosed }, now))
      }
    }
  }

  /** The candle streams of both families. */
  #klineStreams(market: number, interval: Interval): readonly PublicStream[] {
    const streams = this.#streams.get(market)?.values() ?? []
    return [...streams].filter(({ kind }) => kind.type === 'kline' && kind.interval === interval)
  }

  /** Closes candles by the clock, whether or not the next one has begun. */
  #closeCandles(now: Millis): void {
    for (const [id, intervals] of this.#klines) {
      const market = this.#data.listing.marketIfAny(id)
      for (const interval of intervals.keys()) {
        const candle = this.#data.market(id)?.candles.current(interval)
        const key = `${id}:${interval}`
        if (!market || !candle || endTimeOf(interval, candle.openTime) > now || this.#closed.get(key) === candle.openTime) continue
        this.#closed.set(key, candle.openTime)
        const endTime = endTimeOf(interval, candle.openTime)
        for (const stream of this.#klineStreams(id, interval)) {
          this.#publish(stream, klineText(market, candle, { said: stream.said, interval, endTime, isClosed: true }, now))
        }
      }
    }
  }

  #rolledKlines(traded: ReadonlySet<number>, now: Millis): void {
    for (const [id, streams] of this.#streams) {
      const market = this.#data.listing.marketIfAny(id)
      const view = this.#data.market(id)
      if (!market || !view) continue
      for (const stream of streams.values()) {
        if (stream.kind.type !== 'rolledKline') continue
        for (const text of this.#rolled.texts(market, view, stream, traded.has(id), now)) this.#publish(stream, text)
      }
    }
  }

  #demand(channel: string, isWanted: boolean): void {
    const kline = /^kline:([0-9]+):(.+)$/.exec(channel)
    if (kline) this.#wantKline(Number(kline[1]), kline[2] as Interval, isWanted)
    const stream = streamOfChannel(this.#data.listing, channel)
    if (!stream) return
    if (stream.kind.type === 'kline') this.#wantKline(stream.market, stream.kind.interval, isWanted)
    let streams = this.#streams.get(stream.market)
    if (!streams) {
      streams = new Map()
      this.#streams.set(stream.market, streams)
    }
    if (isWanted) streams.set(stream.key, stream)
    else if (![true, false].some((isCombined) => this.fanout.isWanted(channelOf(stream.family, isCombined, stream.name)))) {
      streams.delete(stream.key)
      this.#rolled.forget(stream.key)
      if (streams.size === 0) this.#streams.delete(stream.market)
    }
  }

  /** Counts the listeners of an interval. Changes from before the first listener are dropped. */
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
