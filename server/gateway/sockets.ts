import type { Millis } from '@candor/core/money/brand.ts'
import { wordOf } from '../programs/chains/networks.ts'
import { CancelNames } from '../programs/socket/cancel-names.ts'
import type { KeyedStreams } from '../programs/socket/keyed-streams.ts'
import { UserData } from '../programs/socket/user-data.ts'
import type { Context } from '../live/context.ts'
import type { Limits } from '../http/limits.ts'
import type { Live } from './live.ts'
import type { GatewayOptions } from './options.ts'
import { crowdOf } from '../sockets/crowd.ts'
import { guessesOf } from '../sockets/guesses.ts'
import { Publisher } from '../sockets/publisher.ts'
import { StreamSockets } from '../sockets/stream-sockets.ts'
import { UserStreams } from '../sockets/user-streams.ts'
import { WssSockets } from '../sockets/wss.ts'

/**
 * Turns each change into messages: market data for everybody, and orders and accounts of users, in the formats of the app and of
 * programs.
 */
export type Tellers = {
  readonly publisher: Publisher
  readonly users: UserStreams
  readonly userData: UserData
  readonly cancelNames: CancelNames
}

/** Must be called before changes arrive. */
export function openTellers({ data }: Live, { link, chains }: Pick<GatewayOptions, 'link' | 'chains'>, now: () => Millis): Tellers {
  const publisher = new Publisher(data, now)
  const users = new UserStreams(data, link.ask)
  const cancelNames = new CancelNames()
  const userData = new UserData(
    data,
    link.ask,
    cancelNames,
    new Map(chains.config?.networks.map((network) => [network.number, wordOf(network)])),
  )
  users.tap(userData)
  return { publisher, users, userData, cancelNames }
}

export type Sockets = { readonly wss: WssSockets; readonly streams: StreamSockets; readonly close: () => void }

/** The sockets on which these messages are sent. */
export function openSockets(
  { mode, patience = {} }: Pick<GatewayOptions, 'mode' | 'patience'>,
  context: Context,
  { publisher, users }: Tellers,
  { limits, keyed }: { readonly limits: Limits; readonly keyed: KeyedStreams },
): Sockets {
  const crowd = crowdOf(limits, mode)
  const wss = new WssSockets(context, publisher, crowd, patience.wssSilentMs)
  const streams = new StreamSockets({ listing: context.listing, publisher, users, keyed, crowd, guesses: guessesOf(limits, mode) })
  const close = (): void => {
    streams.close()
    wss.close()
  }
  return { wss, streams, close }
}
