import type { Event, OutcomeEvent } from '@candor/core/protocol/event/index.ts'
import type { MarketId, OrderId, UserId } from '@candor/core/protocol/ids.ts'
import type { Ask } from '@candor/core/protocol/port.ts'
import type { UserUpdate } from '@candor/core/protocol/wire/stream.ts'
import type { MarketData } from '../live/data.ts'
import { amountText } from '../live/listing.ts'
import { type OptionState, wireOption } from '../live/options.ts'
import { wireFill, wireOrder } from '../live/order-texts.ts'
import { type OrderState } from '../live/orders.ts'
import type { Connection } from './connection.ts'
import { textFrame } from './frame.ts'
import { moveUpdates } from './move-updates.ts'
import { algoUpdates } from './algo/updates.ts'
import { marginUpdates } from './margin-updates.ts'
import { perpUpdates } from './perp-updates.ts'

/** Follows orders one event at a time: `state` is the order after the event. */
export type OrderTap = {
  isListening(user: UserId): boolean
  onOrder(state: OrderState, event: Event, index: number, events: readonly Event[], outcome: OutcomeEvent): void
  onCommand(events: readonly Event[], outcome: OutcomeEvent): void
}

/**
 * Reports events of users' own orders and balances to their sockets as soon as they are durable: all of one batch in one write
 * per socket. Also keeps the orders in memory up to date.
 */
export class UserStreams {
  readonly #data: MarketData
  readonly #ask: Ask
  readonly #sockets = new Map<UserId, Set<Connection>>()
  readonly #touched = new Set<Connection>()
  #tap: OrderTap | undefined

  constructor(data: MarketData, ask: Ask) {
    this.#data = data
    this.#ask = ask
    data.onCommand((events, outcome) => this.#command(events, outcome))
    data.wantEntries((user) => this.#sockets.has(user) || this.#tap?.isListening(user) === true)
    data.onBatch(() => {
      for (const connection of this.#touched) connection.flush()
      this.#touched.clear()
    })
    data.onReset(() => {
      for (const user of this.#sockets.keys()) void this.#know(user)
    })
  }

  /** At most one tap. */
  tap(tap: OrderTap): void {
    this.#tap = tap
  }

  join(user: UserId, connection: Connection): void {
    const sockets = this.#sockets.get(user)
    if (sockets) sockets.add(connection)
    else this.#sockets.set(user, new Set([connection]))
    void this.#know(user)
  }

  leave(user: UserId, connection: Connection): void {
    const sockets = this.#sockets.get(user)
    if (!sockets?.delete(connection)) return
    if (sockets.size === 0) this.#sockets.delete(user)
  }

  /** Reports what no command did, at once. */
  report(user: UserId, update: UserUpdate): void {
    this.#tell(user, () => update)
    for (const connection of this.#sockets.get(user) ?? []) {
      connection.flush()
      this.#touched.delete(connection)
    }
  }

  /** Orders placed before this process started are reported too once they change. While the engine is away, nothing changes. */
  async #know(user: UserId): Promise<void> {
    await this.#data.orders.know(this.#ask, user).catch(() => undefined)
    await this.#data.options.know(this.#ask, user).catch(() => undefined)
  }

  #command(events: readonly Event[], outcome: OutcomeEvent): void {
    const { seq, at } = outcome
    const tap = this.#tap
    const isHeard = this.#sockets.size > 0
    const changed = isHeard ? new Map<OrderId, UserId>() : undefined
    let options: Map<OrderId, OptionState> | undefined
    for (let i = 0; i < events.length; i++) {
      const event = events[i]!
      for (const state of this.#data.orders.apply(event, at, seq)) {
        changed?.set(state.order, state.user)
        if (tap?.isListening(state.user)) tap.onOrder(state, event, i, events, outcome)
      }
      const option = this.#data.options.apply(event)
      if (!isHeard) continue
      if (option) (options ??= new Map()).set(option.order, option)
      if (event.type === 'traded') {
        this.#tell(event.takerUser, () => ({ e: 'fill', E: at, seq, fill: wireFill(this.#data.listing, event, 'taker', at) }))
        this.#tell(event.makerUser, () => ({ e: 'fill', E: at, seq, fill: wireFill(this.#data.listing, event, 'maker', at) }))
      }
    }
    tap?.onCommand(events, outcome)
    if (!changed) return
    for (const [order, user] of changed) {
      this.#tell(user, () => ({ e: 'order', E: at, seq, order: wireOrder(this.#data.listing, this.#data.orders.get(order)!) }))
    }
    for (const option of options?.values() ?? []) {
      this.#tell(option.user, () => ({ e: 'option', E: at, seq, order: wireOption(this.#data.listing, option) }))
    }
    const isListening = (user: UserId): boolean => this.#sockets.has(user)
    for (const { user, update } of perpUpdates(this.#data, events, seq, at, isListening)) this.#tell(user, () => update)
    for (const { user, update } of algoUpdates(this.#data.listing, events, seq, at, isListening)) this.#tell(user, () => update)
    for (const { user, update } of marginUpdates(this.#data.listing, events, seq, at, isListening)) this.#tell(user, () => update)
    for (const { user, update } of moveUpdates(this.#data.listing, events, seq, at, isListening)) this.#tell(user, () => update)
    this.#balances(events, seq, at)
  }

  /** The last entry of each account has its balance after the command. */
  #balances(events: readonly Event[], seq: number, at: number): void {
    const last = new Map<string, Extract<Event, { type: 'entry' }>>()
    for (const event of events) {
      if (event.type !== 'entry' || !('user' in event.account) || !this.#sockets.has(event.account.user)) continue
      const { user, kind, asset, market } = event.account
      last.set(`${user}:${kind}:${asset}:${market ?? ''}`, event)
    }
    for (const { account, available, held } of last.values()) {
      if (!('user' in account)) continue
      const asset = this.#data.listing.asset(account.asset)
      const balance = { asset: asset.symbol, available: amountText(asset, available), held: amountText(asset, held) }
      const symbol = account.market === undefined ? {} : { symbol: this.#data.listing.market(account.market as MarketId).market.symbol }
      this.#tell(account.user, () => ({ e: 'balance', E: at, seq, account: account.kind, ...symbol, balance }))
    }
  }

  #tell(user: UserId, update: () => UserUpdate): void {
    const sockets = this.#sockets.get(user)
    if (!sockets) return
    const frame = textFrame(`{"stream":"user","data":${JSON.stringify(update())}}`)
    for (const connection of sockets) {
      connection.queue(frame)
      this.#touched.add(connection)
    }
  }
}
