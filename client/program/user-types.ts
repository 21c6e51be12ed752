import type { Decimal, Millis } from './call.ts'

/** An event of a spot order, or of an order of a Margin account. */
export type ExecutionReport = {
  readonly e: 'executionReport'
  readonly E: Millis
  readonly s: string
  /** Client id; for a cancel, the client id of the cancel. */
  readonly c: string
  readonly S: 'BUY' | 'SELL'
  readonly o: string
  readonly f: string
  /** Quantity, price, stop price, visible quantity. */
  readonly q: Decimal
  readonly p: Decimal
  readonly P: Decimal
  readonly F: Decimal
  /** Trailing distance in hundredths of a percent. */
  readonly d?: number
  /** Number and type of its strategy. */
  readonly j?: number
  readonly J?: number
  /** Number of its list; −1 for none. */
  readonly g: number
  /** For a cancel, the client id of the order. */
  readonly C: string
  /** The kind of event. */
  readonly x: 'NEW' | 'CANCELED' | 'REPLACED' | 'TRADE' | 'EXPIRED' | 'TRADE_PREVENTION'
  /** State of the order. */
  readonly X: 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'EXPIRED' | 'EXPIRED_IN_MATCH'
  readonly r: string
  readonly i: number
  /** Quantity and price of this trade, and the executed quantity so far. */
  readonly l: Decimal
  readonly L: Decimal
  readonly z: Decimal
  /** Fee of this trade and its asset. */
  readonly n: Decimal
  readonly N: string | null
  readonly T: Millis
  /** Number of the trade; −1 for none. */
  readonly t: number
  readonly I: number
  /** Whether it rests in the book. */
  readonly w: boolean
  /** Whether this side was the maker. */
  readonly m: boolean
  readonly M: boolean
  readonly O: Millis
  /** Quote amount so far, and of this trade. */
  readonly Z: Decimal
  readonly Y: Decimal
  readonly Q: Decimal
  readonly W?: Millis
  readonly V: string
  /** With `TRADE_PREVENTION`: quantity that self-trade prevention removed, in total and now. */
  readonly A?: Decimal
  readonly B?: Decimal
  /** With `TRADE_PREVENTION`: number of the match, the other order and its market, and the price at which they would have traded. */
  readonly v?: number
  readonly U?: number
  readonly Cs?: string
  readonly pL?: Decimal
  /** The same where both orders lost something: quantity and quote amount that they would have traded. */
  readonly pl?: Decimal
  readonly pY?: Decimal
}

/** Changed balances: free and locked. */
export type AccountPosition = {
  readonly e: 'outboundAccountPosition'
  readonly E: Millis
  readonly u: Millis
  readonly B: readonly { readonly a: string; readonly f: Decimal; readonly l: Decimal }[]
}

/** A balance changed by something other than a trade. */
export type BalanceUpdate = { readonly e: 'balanceUpdate'; readonly E: Millis; readonly a: string; readonly d: Decimal; readonly T: Millis }

/** A deposit to the spot account. `d`: amount. `w`: whether it can be withdrawn. `D`: what is owed of the coin; absent for `FINAL`. */
export type DepositUpdate = {
  readonly e: 'depositUpdate'
  readonly E: Millis
  readonly T: Millis
  readonly X: 'CREDITED' | 'FINAL' | 'DROPPED'
  readonly a: string
  readonly n: string
  readonly d: Decimal
  readonly w: boolean
  readonly D?: Decimal
}

/** A step of a withdrawal. `i`: its id. `q`: what arrives. `f`: fee. */
export type WithdrawUpdate = {
  readonly e: 'withdrawUpdate'
  readonly E: Millis
  readonly T: Millis
  readonly X: 'REQUESTED' | 'APPROVED' | 'REJECTED' | 'CANCELED' | 'COMPLETED' | 'FAILED'
  readonly a: string
  readonly n: string
  readonly i: string
  readonly q: Decimal
  readonly f: Decimal
}

/** A list of orders began or ended. */
export type ListStatus = {
  readonly e: 'listStatus'
  readonly E: Millis
  readonly s: string
  readonly g: number
  readonly c: 'OCO'
  readonly l: 'EXEC_STARTED' | 'ALL_DONE'
  readonly L: 'EXECUTING' | 'ALL_DONE'
  readonly r: string
  readonly C: string
  readonly T: Millis
  readonly O: readonly { readonly s: string; readonly i: number; readonly c: string }[]
}

/** The last message: the key was deleted, or lost this permission. */
export type StreamTerminated = { readonly e: 'eventStreamTerminated'; readonly E: Millis }

export type SpotEvent = ExecutionReport | AccountPosition | BalanceUpdate | DepositUpdate | WithdrawUpdate | ListStatus | StreamTerminated

/** An event of an order of a Futures market. */
export type OrderTradeUpdate = {
  readonly e: 'ORDER_TRADE_UPDATE'
  readonly E: Millis
  readonly T: Millis
  readonly o: {
    readonly s: string
    readonly c: string
    readonly S: 'BUY' | 'SELL'
    readonly o: string
    readonly f: string
    readonly q: Decimal
    readonly p: Decimal
    /** Average price, and trigger price. */
    readonly ap: Decimal
    readonly sp: Decimal
    readonly x: 'NEW' | 'CANCELED' | 'AMENDMENT' | 'TRADE' | 'EXPIRED' | 'CALCULATED'
    readonly X: 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'EXPIRED' | 'EXPIRED_IN_MATCH'
    readonly i: number
    readonly l: Decimal
    readonly z: Decimal
    readonly L: Decimal
    readonly n?: Decimal
    readonly N?: string
    readonly T: Millis
    /** Number of the trade; 0 for none. */
    readonly t: number
    readonly m: boolean
    readonly R: boolean
    readonly wt: 'CONTRACT_PRICE' | 'MARK_PRICE'
    readonly ot: string
    readonly ps: 'BOTH' | 'LONG' | 'SHORT'
    readonly cp: boolean
    /** Profit of this trade. */
    readonly rp: Decimal
  } & Readonly<Record<string, unknown>>
}

/** An event of an order that waits for a price. */
export type AlgoUpdate = {
  readonly e: 'ALGO_UPDATE'
  readonly E: Millis
  readonly T: Millis
  readonly o: {
    readonly caid: string
    readonly aid: number
    readonly s: string
    readonly S: 'BUY' | 'SELL'
    readonly X: 'NEW' | 'TRIGGERED' | 'FINISHED' | 'CANCELED' | 'EXPIRED'
    /** Number of the order after its trigger, empty while it waits. */
    readonly ai: string
    readonly tp: Decimal
  } & Readonly<Record<string, unknown>>
}

/** Changed balances and positions. */
export type AccountUpdate = {
  readonly e: 'ACCOUNT_UPDATE'
  readonly E: Millis
  readonly T: Millis
  readonly a: {
    /** Reason of the change. */
    readonly m: string
    readonly B: readonly { readonly a: string; readonly wb: Decimal; readonly cw: Decimal; readonly bc: Decimal }[]
    readonly P: readonly {
      readonly s: string
      readonly pa: Decimal
      readonly ep: Decimal
      readonly bep: Decimal
      readonly cr: Decimal
      readonly up: Decimal
      readonly mt: 'isolated' | 'cross'
      readonly iw: Decimal
      readonly ps: 'BOTH' | 'LONG' | 'SHORT'
    }[]
  }
}

/** A change of leverage. */
export type ConfigUpdate = {
  readonly e: 'ACCOUNT_CONFIG_UPDATE'
  readonly E: Millis
  readonly T: Millis
} & Readonly<Record<string, unknown>>

/** Positions that come close to liquidation. */
export type MarginCall = { readonly e: 'MARGIN_CALL'; readonly E: Millis } & Readonly<Record<string, unknown>>

/** The key of the stream ended. */
export type ListenKeyExpired = { readonly e: 'listenKeyExpired'; readonly E: Millis } & Readonly<Record<string, unknown>>

export type FuturesEvent = OrderTradeUpdate | AlgoUpdate | AccountUpdate | ConfigUpdate | MarginCall | ListenKeyExpired
