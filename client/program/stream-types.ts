import type { Decimal, Millis } from './call.ts'

/** Price and quantity. */
export type PriceLevel = readonly [Decimal, Decimal]

/** `<symbol>@trade` */
export type TradeEvent = {
  readonly e: 'trade'
  /** Time at which it was sent. */
  readonly E: Millis
  readonly s: string
  /** Number of the trade. */
  readonly t: number
  readonly p: Decimal
  readonly q: Decimal
  readonly T: Millis
  /** Whether the buyer was the maker. */
  readonly m: boolean
  readonly M?: boolean
  /** Futures: MARKET. */
  readonly X?: string
}

/** `<symbol>@aggTrade` */
export type AggregateTradeEvent = {
  readonly e: 'aggTrade'
  readonly E: Millis
  readonly s: string
  readonly a: number
  readonly p: Decimal
  readonly q: Decimal
  readonly f: number
  readonly l: number
  readonly T: Millis
  readonly m: boolean
  readonly M?: boolean
}

/** `<symbol>@kline_<interval>` */
export type KlineEvent = {
  readonly e: 'kline'
  readonly E: Millis
  readonly s: string
  readonly k: {
    readonly t: Millis
    readonly T: Millis
    readonly s: string
    readonly i: string
    readonly f: number
    readonly L: number
    readonly o: Decimal
    readonly c: Decimal
    readonly h: Decimal
    readonly l: Decimal
    readonly v: Decimal
    readonly n: number
    /** Whether the candle is complete. */
    readonly x: boolean
    readonly q: Decimal
    readonly V: Decimal
    readonly Q: Decimal
    readonly B: string
  }
}

/** `<symbol>@miniTicker`, and each of `!miniTicker@arr` */
export type MiniTickerEvent = {
  readonly e: '24hrMiniTicker'
  readonly E: Millis
  readonly s: string
  readonly c: Decimal
  readonly o: Decimal
  readonly h: Decimal
  readonly l: Decimal
  readonly v: Decimal
  readonly q: Decimal
}

/** `<symbol>@ticker` */
export type TickerEvent = Omit<MiniTickerEvent, 'e'> & {
  readonly e: '24hrTicker'
  /** Change, and change in percent. */
  readonly p: Decimal
  readonly P: Decimal
  /** Mean price. */
  readonly w: Decimal
  /** Last quantity. */
  readonly Q: Decimal
  /** Spot: the last price before the day, and the best levels. */
  readonly x?: Decimal
  readonly b?: Decimal
  readonly B?: Decimal
  readonly a?: Decimal
  readonly A?: Decimal
  readonly O: Millis
  readonly C: Millis
  readonly F: number
  readonly L: number
  readonly n: number
}

/** `<symbol>@bookTicker`, and of Futures `!bookTicker` */
export type BookTickerEvent = {
  /** Futures. */
  readonly e?: 'bookTicker'
  readonly E?: Millis
  readonly T?: Millis
  readonly u: number
  readonly s: string
  readonly b: Decimal
  readonly B: Decimal
  readonly a: Decimal
  readonly A: Decimal
}

/** `<symbol>@depth`, `<symbol>@depth@100ms`: quantities are absolute, "0" removes a level. */
export type DepthEvent = {
  readonly e: 'depthUpdate'
  readonly E: Millis
  readonly s: string
  /** First and last update in the message. */
  readonly U: number
  readonly u: number
  /** Futures: last update of the message before. */
  readonly pu?: number
  readonly b: readonly PriceLevel[]
  readonly a: readonly PriceLevel[]
}

/** `<symbol>@depth5`, `10` or `20` of spot */
export type PartialDepth = { readonly lastUpdateId: number; readonly bids: readonly PriceLevel[]; readonly asks: readonly PriceLevel[] }

/** `<symbol>@markPrice` of Futures */
export type MarkPriceEvent = {
  readonly e: 'markPriceUpdate'
  readonly E: Millis
  readonly s: string
  readonly p: Decimal
  readonly i: Decimal
  readonly P: Decimal
  /** Funding rate of the current period, and the time of its payment. */
  readonly r: Decimal
  readonly T: Millis
}

/** `<symbol>@forceOrder` and `!forceOrder@arr` of Futures: an order that liquidates a position. */
export type ForceOrderEvent = {
  readonly e: 'forceOrder'
  readonly E: Millis
  readonly o: {
    readonly s: string
    readonly S: 'BUY' | 'SELL'
    readonly o: string
    readonly f: string
    readonly q: Decimal
    readonly p: Decimal
    readonly ap: Decimal
    readonly X: 'FILLED' | 'PARTIALLY_FILLED' | 'EXPIRED'
    readonly l: Decimal
    readonly z: Decimal
    readonly T: Millis
  }
}

/** `<symbol>@avgPrice` of spot */
export type AveragePriceEvent = {
  readonly e: 'avgPrice'
  readonly E: Millis
  readonly s: string
  /** The window: 5m. */
  readonly i: string
  readonly w: Decimal
  readonly T: Millis
}

/** The message type of a stream with this name. */
export type StreamData<Name extends string> = Name extends `!miniTicker@arr${string}`
  ? readonly MiniTickerEvent[]
  : Name extends '!ticker@arr'
    ? readonly TickerEvent[]
    : Name extends '!forceOrder@arr' | `${string}@forceOrder`
      ? ForceOrderEvent
      : Name extends `!markPrice@arr${string}`
        ? readonly MarkPriceEvent[]
        : Name extends `${string}@aggTrade`
          ? AggregateTradeEvent
          : Name extends `${string}@trade`
            ? TradeEvent
            : Name extends `${string}@kline_${string}`
              ? KlineEvent
              : Name extends `${string}@miniTicker`
                ? MiniTickerEvent
                : Name extends `${string}@ticker`
                  ? TickerEvent
                  : Name extends `${string}ookTicker`
                    ? BookTickerEvent
                    : Name extends `${string}@depth` | `${string}@depth@${string}`
                      ? DepthEvent
                      : Name extends `${string}@depth${string}`
                        ? PartialDepth | DepthEvent
                        : Name extends `${string}@markPrice${string}`
                          ? MarkPriceEvent
                          : unknown
