import { type Call, type HttpOptions, makeCall } from './call.ts'
import { type FuturesEvents, openFuturesEvents } from './futures-events.ts'
import * as account from './printed/account.ts'
import * as convert from './printed/convert.ts'
import * as futuresAccount from './printed/futures-account.ts'
import * as futuresMarket from './printed/futures-market.ts'
import * as futures from './printed/futures.ts'
import * as margin from './printed/margin.ts'
import * as market from './printed/market.ts'
import * as spot from './printed/spot.ts'
import * as subAccounts from './printed/sub-accounts.ts'
import * as userData from './printed/user-data.ts'
import * as wallet from './printed/wallet.ts'
import { openSocketApi, type SocketApi } from './socket-api.ts'
import { openStream, type Stream } from './stream.ts'
import type { FuturesEvent } from './user-types.ts'

/** Overloads are kept: with one market the answer is one object, without it a list. */
type BoundFunction<F> = F extends {
  (call: Call, ...first: infer First): infer One
  (call: Call, ...second: infer Second): infer Two
}
  ? { (...first: First): One; (...second: Second): Two }
  : F extends (call: Call, ...rest: infer Rest) => infer Answer
    ? (...rest: Rest) => Answer
    : never

export type Bound<Module> = { readonly [Name in keyof Module]: BoundFunction<Module[Name]> }

export type ProgramOptions = HttpOptions & {
  /** Default: the global `WebSocket`. */
  readonly WebSocket?: new (
    url: string,
  ) => unknown
}

export type Program = {
  /** Public market data of spot. */
  readonly market: Bound<typeof market>
  /** Orders of the spot account. */
  readonly spot: Bound<typeof spot>
  /** The key in use, the spot account and its trades. */
  readonly account: Bound<typeof account>
  /** Balances of all accounts, and transfers between them. */
  readonly wallet: Bound<typeof wallet>
  /** Conversions of coins at a firm quote. */
  readonly convert: Bound<typeof convert>
  /** The other accounts of a firm, for a key of its main account. */
  readonly subAccounts: Bound<typeof subAccounts>
  /** Margin accounts, loans and their orders. */
  readonly margin: Bound<typeof margin>
  /** Public market data of Futures, whose markets have the names of their pairs. */
  readonly futuresMarket: Bound<typeof futuresMarket>
  /** Futures orders. */
  readonly futures: Bound<typeof futures>
  /** The account of Futures, positions and settings. */
  readonly futuresAccount: Bound<typeof futuresAccount>
  /** Keys of user data streams, for programs that open such streams themselves. */
  readonly userData: Bound<typeof userData>
  /** Sends any request, for routes without a method. */
  readonly call: Call
  /** A socket of market data; the caller closes it. */
  stream(market?: 'spot' | 'futures'): Stream
  /** A socket for orders and for the account's events; the caller closes it. */
  socketApi(market?: 'spot' | 'futures'): SocketApi
  /** Events of the Futures account; the caller closes them. */
  futuresEvents(listener: (event: FuturesEvent) => void): FuturesEvents
}

/** The functions of a module, with their first parameter bound. */
export function bindTo<Module extends object>(module: Module, call: Call): Bound<Module> {
  const bound: Record<string, unknown> = {}
  for (const [name, ask] of Object.entries(module)) bound[name] = (...rest: unknown[]) => ask(call, ...rest)
  return bound as Bound<Module>
}

/**
 * The whole programs' API, one method for each route.
 *
 *   const program = makeProgram({ url: 'http://127.0.0.1:3000', key, secret })
 *   await program.market.depth({ symbol: 'BTCUSDT', limit: 5 })
 *
 * A small bundle imports single functions of a product instead, with a `makeCall`.
 */
export function makeProgram(options: ProgramOptions): Program {
  const call = makeCall(options)
  const { WebSocket: Socket } = options
  const sockets = {
    url: options.url,
    ...(Socket === undefined ? {} : { socket: (url: string) => new Socket(url) as ReturnType<NonNullable<SocketOptions['socket']>> }),
  }
  return {
    market: bindTo(market, call),
    spot: bindTo(spot, call),
    account: bindTo(account, call),
    wallet: bindTo(wallet, call),
    convert: bindTo(convert, call),
    subAccounts: bindTo(subAccounts, call),
    margin: bindTo(margin, call),
    futuresMarket: bindTo(futuresMarket, call),
    futures: bindTo(futures, call),
    futuresAccount: bindTo(futuresAccount, call),
    userData: bindTo(userData, call),
    call,
    stream: (of = 'spot') => openStream({ ...sockets, market: of }),
    socketApi: (of = 'spot') => openSocketApi({ ...options, ...sockets, market: of }),
    futuresEvents: (onEvent) => openFuturesEvents({ ...sockets, call, onEvent }),
  }
}

type SocketOptions = Parameters<typeof openStream>[0]
