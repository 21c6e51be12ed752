/**
 * `/app/v1/stream`: the app's second socket (cookie, origin checked), opened by screens that need depth, trades or the
 * user's own events. Requests and public data are those of `/stream`; `user` is the user's own stream.
 *
 *   → {"method":"SUBSCRIBE","params":["btcusdt@depth","btcusdt@trade","user"],"id":1}
 *   ← {"result":null,"id":1}
 *   ← {"stream":"btcusdt@depth","data":{…}}
 *
 * One frame carries one message; all of a tick travel in one write.
 */
import type { Decimal } from '../../money/brand.ts'
import type { AccountKind } from '../account.ts'
import type { WireBalance } from './funds.ts'
import type { WireLevel } from './market.ts'
import type { WireFill, WireOrder } from './spot.ts'

/** `<symbol>@depth`: changed levels. `U`…`u`: first and last update inside; apply when `U <= local + 1 <= u`. */
export type DepthUpdate = {
  readonly e: 'depthUpdate'
  readonly E: number
  readonly s: string
  readonly U: number
  readonly u: number
  readonly b: readonly WireLevel[]
  readonly a: readonly WireLevel[]
}

/** `<symbol>@trade`. `m`: the buyer was the maker. */
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

/** `user` */
export type UserUpdate =
  | { readonly e: 'order'; readonly E: number; readonly seq: number; readonly order: WireOrder }
  | { readonly e: 'fill'; readonly E: number; readonly seq: number; readonly fill: WireFill }
  | { readonly e: 'balance'; readonly E: number; readonly seq: number; readonly account: AccountKind; readonly balance: WireBalance }
  | { readonly e: 'ended'; readonly E: number }

export type StreamMessage =
  | { readonly stream: string; readonly data: DepthUpdate | TradeUpdate | UserUpdate }
  | { readonly result: null | readonly string[]; readonly id: number | string | null }
  | { readonly error: { readonly code: string; readonly msg: string }; readonly id: number | string | null }
