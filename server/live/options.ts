import { formatUnits } from '@candor/core/money/units.ts'
import type { Units } from '@candor/core/money/brand.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { OptionSettled } from '@candor/core/protocol/event/option.ts'
import type { OrderId, UserId } from '@candor/core/protocol/ids.ts'
import type { Ask, RunningOption } from '@candor/core/protocol/port.ts'
import type { WireOption } from '@candor/core/protocol/wire/option.ts'
import { amountText, type Listing } from './listing.ts'

/** The state of an order of Second after the events so far. */
export type OptionState = RunningOption & { readonly settled?: OptionSettled }

const settledKept = 20_000
const indexDigits = 8

/**
 * Orders of Second in memory, updated by the released events, for answers and users' streams. Complete for every user loaded once
 * by `know`; the last settled orders are kept as well.
 */
export class Options {
  readonly #open = new Map<OrderId, OptionState>()
  /** Kept in two halves; the older half is dropped as a whole. */
  #settled = new Map<OrderId, OptionState>()
  #settledBefore = new Map<OrderId, OptionState>()
  readonly #known = new Map<UserId, Promise<void>>()

  /** Forgets everything, because events were missed. */
  clear(): void {
    this.#open.clear()
    this.#settled.clear()
    this.#settledBefore.clear()
    this.#known.clear()
  }

  get(order: OrderId): OptionState | undefined {
    return this.#open.get(order) ?? this.#settled.get(order) ?? this.#settledBefore.get(order)
  }

  /** Resolves when every open order of this user is in memory. */
  know(ask: Ask, user: UserId): Promise<void> {
    let known = this.#known.get(user)
    if (!known) {
      known = ask.openOptions(user).then((orders) => {
        // An order settled while the answer was on its way stays settled.
        for (const order of orders) if (!this.get(order.order)?.settled) this.#open.set(order.order, order)
      })
      known.catch(() => this.#known.delete(user))
      this.#known.set(user, known)
    }
    return known
  }

  /** Applies one event. Returns the order that it changed, if known. */
  apply(event: Event): OptionState | undefined {
    if (event.type === 'option.opened') {
      const { type: _, ...opened } = event
      this.#open.set(event.order, opened)
      return opened
    }
    if (event.type === 'option.struck') {
      const before = this.#open.get(event.order)
      if (!before) return undefined
      const { strike, tick, at } = event
      const state = { ...before, struck: { strike, tick, at } }
      this.#open.set(event.order, state)
      return state
    }
    if (event.type !== 'option.settled') return undefined
    const before = this.#open.get(event.order)
    if (!before) return undefined
    const state = { ...before, settled: event }
    this.#open.delete(event.order)
    this.#keep(state)
    return state
  }

  #keep(state: OptionState): void {
    if (this.#settled.size >= settledKept / 2) {
      this.#settledBefore = this.#settled
      this.#settled = new Map()
    }
    this.#settled.set(state.order, state)
  }
}

export function wireOption(listing: Listing, state: OptionState): WireOption {
  const { market, quote } = listing.market(state.market)
  const { struck, settled } = state
  const amount = (units: number): string => amountText(quote, units as Units)
  return {
    id: String(state.order),
    clientId: state.clientId,
    symbol: market.symbol,
    direction: state.direction,
    stake: amount(state.stake),
    profitPpm: state.profitPpm,
    profit: amount(state.profit),
    fee: '0',
    seconds: (state.expiresAt - state.strikeFrom) / 1000,
    status: settled ? 'settled' : struck ? 'running' : 'placed',
    acceptedAt: state.acceptedAt,
    strikeFrom: state.strikeFrom,
    expiresAt: state.expiresAt,
    windowMs: state.windowMs,
    gapMaxMs: state.gapMaxMs,
    guardPpm: state.guardPpm,
    reference: indexText(state.reference),
    ...(struck ? { strike: indexText(struck.strike), strikeTick: struck.tick, strikeAt: struck.at } : {}),
    ...(settled ? settlement(settled, state.stake, amount) : {}),
  }
}

function settlement(settled: OptionSettled, stake: number, amount: (units: number) => string): Partial<WireOption> {
  return {
    result: settled.result,
    ...(settled.reason === 'none' ? {} : { voidReason: settled.reason }),
    ...(settled.price === 0 ? {} : { settlePrice: indexText(settled.price) }),
    settleProfit: amount(settled.payout - stake),
    settledAt: settled.at,
  }
}

/** An index price as the shortest decimal text. */
export function indexText(price: number): string {
  return formatUnits(price, indexDigits)
}
