/**
 * `/app/v1/stream`: the app's second socket (cookie, origin checked), opened by screens that need depth, trades or the user's own
 * events. Requests and public data are those of `/stream`; `user` is the user's own stream.
 *
 *   → {"method":"SUBSCRIBE","params":["btcusdt@depth@100ms","btcusdt@trade","user"],"id":1}
 *   ← {"result":null,"id":1}
 *   ← {"stream":"btcusdt@depth@100ms","data":{…}}
 *
 * One frame carries one message; all messages of a tick are sent in one write.
 */
import type { Decimal } from '../../money/brand.ts'
import type { AccountKind } from '../account.ts'
import type { AlgoUpdate } from './algo/algo.ts'
import type { WireBalance } from './funds.ts'
import type { MarginState } from '../event/margin.ts'
import type { WatchState } from '../event/perp.ts'
import type { WireLevel } from './market.ts'
import type { WireOption } from './option.ts'
import type { WireClosedPosition, WireFunding, WireMark, WirePosition } from './perp.ts'
import type { WireFill, WireOrder } from './spot.ts'

/**
 * `<symbol>@depth@100ms`, or `<symbol>@depth` once a second: changed levels. `U`…`u`: first and last update contained; apply if
 * `U <= local + 1 <= u`.
 */
export type DepthUpdate = {
  readonly e: 'depthUpdate'
  readonly E: number
  readonly s: string
  readonly U: number
  readonly u: number
  readonly b: readonly WireLevel[]
  readonly a: readonly WireLevel[]
}

/** `<symbol>@trade`. `m`: whether the buyer was the maker. */
export type TradeUpdate = {
  readonly e: 'trade'
  readonly E: number
  readonly s: string
  readonly t: number
  readonly p: Decimal
  readonly q: Decimal
  readonly T: number
  readonly m: boolean
}

/** `<symbol>@kline_<interval>`: the bar that is forming, or just closed. `t`: its opening time. */
export type KlineUpdate = {
  readonly e: 'kline'
  readonly k: { readonly t: number } & { readonly [Name in 'o' | 'h' | 'l' | 'c' | 'v' | 'q']: Decimal }
}

/** `<symbol>@mark` of a perpetual contract, at most four per second. */
export type MarkUpdate = { readonly e: 'mark'; readonly E: number; readonly mark: WireMark }

/** `<symbol>@index` of a spot market: every tick of its index, with its number on the tape. */
export type IndexUpdate = {
  readonly e: 'index'
  readonly E: number
  readonly s: string
  readonly tick: number
  readonly p: Decimal
  readonly isGood: boolean
}

/** An account of the user; `symbol` names the market of an isolated margin account. */
export type WirePlace = { readonly account: AccountKind; readonly symbol?: string }
export type MoveCause = 'transfer' | 'firm-move' | 'borrow' | 'auto-borrow' | 'repay' | 'auto-repay'

/** `user` */
export type UserUpdate =
  | { readonly e: 'order'; readonly E: number; readonly seq: number; readonly order: WireOrder }
  | { readonly e: 'fill'; readonly E: number; readonly seq: number; readonly fill: WireFill }
  | {
      readonly e: 'balance'
      readonly E: number
      readonly seq: number
      readonly account: AccountKind
      /** Market of an isolated margin account. */
      readonly symbol?: string
      readonly balance: WireBalance
    }
  /** `quantity` "0": the position is closed. */
  | { readonly e: 'position'; readonly E: number; readonly seq: number; readonly position: WirePosition }
  | { readonly e: 'positionClosed'; readonly E: number; readonly seq: number; readonly closed: WireClosedPosition }
  | { readonly e: 'liquidation'; readonly E: number; readonly seq: number; readonly positionId: string; readonly symbol: string }
  | {
      readonly e: 'deleveraged'
      readonly E: number
      readonly seq: number
      readonly positionId: string
      readonly symbol: string
      readonly price: Decimal
      readonly quantity: Decimal
    }
  /** A position came close to liquidation or moved away from it. Without a symbol: the whole cross account. */
  | {
      readonly e: 'level'
      readonly E: number
      readonly seq: number
      readonly symbol?: string
      readonly positionId?: string
      readonly state: WatchState
    }
  | { readonly e: 'funding'; readonly E: number; readonly seq: number; readonly funding: WireFunding }
  /** A debt changed or the level crossed a threshold: fetch the account again. */
  | { readonly e: 'margin'; readonly E: number; readonly seq: number; readonly symbol?: string; readonly state?: MarginState }
  /** Money moved without a trade. A firm's move has one of the places, the other is another account of the firm; a loan has `to`. */
  | {
      readonly e: 'moved'
      readonly E: number
      readonly seq: number
      readonly cause: MoveCause
      readonly asset: string
      readonly amount: Decimal
      readonly from?: WirePlace
      readonly to?: WirePlace
    }
  | AlgoUpdate
  | { readonly e: 'option'; readonly E: number; readonly seq: number; readonly order: WireOption }
  /** A ticket of the user changed: somebody wrote, read or closed it. It has no text: what was written is fetched. */
  | { readonly e: 'support'; readonly E: number; readonly ticket: string }
  | { readonly e: 'ended'; readonly E: number }

export type StreamMessage =
  | { readonly stream: string; readonly data: DepthUpdate | TradeUpdate | MarkUpdate | IndexUpdate | UserUpdate }
  | { readonly result: null | readonly string[]; readonly id: number | string | null }
  | { readonly error: { readonly code: string; readonly msg: string }; readonly id: number | string | null }
