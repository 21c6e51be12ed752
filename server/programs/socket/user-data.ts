import type { Event, OutcomeEvent } from '@candor/core/protocol/event/index.ts'
import type { MarketId, UserId } from '@candor/core/protocol/ids.ts'
import type { Ask } from '@candor/core/protocol/port.ts'
import type { UserStreamKind } from '../../store/query/listen-keys.ts'
import type { MarketData } from '../../live/data.ts'
import type { OrderState } from '../../live/orders.ts'
import type { Listener } from '../../sockets/listen-key.ts'
import type { OrderTap } from '../../sockets/user-streams.ts'
import type { CancelNames } from './cancel-names.ts'
import type { NetworkWords } from './coin-events.ts'
import { ContractEvents } from './contract-events.ts'
import { SpotEvents } from './spot-events.ts'

/** The account of a user that a stream reports. `market`: of an isolated margin account, otherwise 0. */
export type UserStream = { readonly user: UserId; readonly kind: UserStreamKind; readonly market: MarketId | 0 }

type Followed = { readonly stream: UserStream; readonly maker: EventMaker; readonly listeners: Set<Listener> }

/** Makes the messages of one command for one stream, in order. */
export type EventMaker = {
  /** `state`: an order of the stream after the event. `events`: all events of the command; `event` is the one at `index`. */
  order(state: OrderState, event: Event, index: number, events: readonly Event[], outcome: OutcomeEvent): readonly object[]
  /** Messages about the rest of the command. */
  command(events: readonly Event[], outcome: OutcomeEvent): readonly object[]
}

/**
 * Reports what happens to users' orders and accounts, in the format of programs, to all sockets that follow it: everything of a
 * command, in order, as soon as it is durable.
 */
export class UserData implements OrderTap {
  readonly #data: MarketData
  readonly #ask: Ask
  readonly #names: CancelNames
  readonly #words: NetworkWords
  /** By user, and within a user by stream. */
  readonly #users = new Map<UserId, Map<string, Followed>>()
  readonly #touched = new Set<Listener>()

  constructor(data: MarketData, ask: Ask, names: CancelNames, words: NetworkWords = new Map()) {
    this.#data = data
    this.#ask = ask
    this.#names = names
    this.#words = words
    data.onBatch(() => this.#flush())
    data.onReset(() => {
      for (const streams of this.#users.values()) {
        for (const { listeners } of streams.values()) for (const listener of listeners) listener.onLost()
      }
    })
  }

  /** Resolves when no later event can be missed, with a function that ends the following. */
  async join(stream: UserStream, listener: Listener): Promise<() => void> {
    await this.#data.orders.know(this.#ask, stream.user)
    const followed = this.#followed(stream)
    followed.listeners.add(listener)
    const leave = (): void => this.#leave(followed, listener)
    try {
      if (followed.maker instanceof ContractEvents) await followed.maker.begin(this.#ask)
    } catch (cause) {
      leave()
      throw cause
    }
    return leave
  }

  isListening(user: UserId): boolean {
    return this.#users.has(user)
  }

  onOrder(state: OrderState, event: Event, index: number, events: readonly Event[], outcome: OutcomeEvent): void {
    for (const followed of this.#users.get(state.user)?.values() ?? []) {
      if (isOf(followed.stream, state)) this.#say(followed, followed.maker.order(state, event, index, events, outcome))
    }
  }

  onCommand(events: readonly Event[], outcome: OutcomeEvent): void {
    if (this.#users.size === 0) return
    const users = new Set<UserId>()
    for (const event of events) {
      if (event.type === 'entry') {
        if ('user' in event.account && this.#users.has(event.account.user)) users.add(event.account.user)
      } else if ('user' in event && this.#users.has(event.user)) users.add(event.user)
    }
    for (const user of users) {
      for (const followed of this.#users.get(user)?.values() ?? []) this.#say(followed, followed.maker.command(events, outcome))
    }
  }

  #followed(stream: UserStream): Followed {
    const { user, kind, market } = stream
    let streams = this.#users.get(user)
    if (!streams) this.#users.set(user, (streams = new Map()))
    const key = `${kind} ${market}`
    let followed = streams.get(key)
    if (!followed) {
      const maker = kind === 'futures' ? new ContractEvents(this.#data, user) : new SpotEvents(this.#data, stream, this.#names, this.#words)
      followed = { stream, maker, listeners: new Set() }
      streams.set(key, followed)
    }
    return followed
  }

  #say({ listeners }: Followed, events: readonly object[]): void {
    for (const event of events) {
      const text = JSON.stringify(event)
      for (const listener of listeners) listener.say(text)
    }
    if (events.length > 0) for (const listener of listeners) this.#touched.add(listener)
  }

  #flush(): void {
    for (const listener of this.#touched) listener.flush()
    this.#touched.clear()
  }

  #leave({ stream: { user, kind, market }, listeners }: Followed, listener: Listener): void {
    // This listener may have been the last of a stream that others have restarted since.
    if (!listeners.delete(listener) || listeners.size > 0) return
    const streams = this.#users.get(user)
    streams?.delete(`${kind} ${market}`)
    if (streams?.size === 0) this.#users.delete(user)
  }
}

function isOf({ kind, market }: UserStream, { perp, margin, market: own }: OrderState): boolean {
  if (perp) return kind === 'futures'
  if (!margin) return kind === 'spot'
  return margin.account === 'margin-cross' ? kind === 'cross' : kind === 'isolated' && market === own
}
