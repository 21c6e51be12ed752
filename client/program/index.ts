/**
 * The client of programs: `makeProgram` for everything at once, or single functions with `makeCall`.
 *
 *   import { makeCall, market } from '@candor/client'
 *   const call = makeCall({ url: 'https://exchange.example' })
 *   const { bids } = await market.depth(call, { symbol: 'BTCUSDT' })
 */
export { bookAfter, openBook, type Book, type BookOptions } from './book.ts'
export {
  makeCall,
  newClientId,
  type Call,
  type CallOptions,
  type Credentials,
  type Decimal,
  type HttpOptions,
  type Millis,
  type Params,
  type Route,
} from './call.ts'
export { ConnectionError, ProgramError, type ConnectionFault } from './errors.ts'
export { makeProgram, type Bound, type Program, type ProgramOptions } from './program.ts'
export { ed25519Signer, hmacSigner, rsaSigner, type Signer } from './sign.ts'
export { openFuturesEvents, type FuturesEvents, type FuturesEventsOptions } from './futures-events.ts'
export { openSocketApi, type SocketApi, type SocketApiOptions } from './socket-api.ts'
export { openStream, type Stream, type StreamError, type StreamOptions } from './stream.ts'
export type * from './stream-types.ts'
export type * from './user-types.ts'
export * as account from './printed/account.ts'
export * as convert from './printed/convert.ts'
export * as futuresAccount from './printed/futures-account.ts'
export * as futuresMarket from './printed/futures-market.ts'
export * as futures from './printed/futures.ts'
export * as margin from './printed/margin.ts'
export * as market from './printed/market.ts'
export * as spot from './printed/spot.ts'
export * as subAccounts from './printed/sub-accounts.ts'
export * as userData from './printed/user-data.ts'
export * as wallet from './printed/wallet.ts'
