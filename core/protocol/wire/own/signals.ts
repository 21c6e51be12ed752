import type { Decimal } from '../../../money/brand.ts'
import type { Refusal } from '../../refusal.ts'
import type { Side } from '../../command/order.ts'

/** Where an alert has its parts, and its words for what to do. A path names a field, or a field of an object: `strategy.order_action`. */
export type WireSignalTemplate = {
  readonly symbol: string
  readonly action: string
  readonly quantity?: string
  /** An amount of the quote asset instead of a quantity. */
  readonly quote?: string
  /** `market` or `limit`. */
  readonly type?: string
  readonly price?: string
  readonly id?: string
  readonly time?: string
  readonly buy: readonly string[]
  readonly sell: readonly string[]
  readonly close: readonly string[]
}

/**
 * Limits of a signal address. `maxQuote`: the largest order, in USDT. `maxAgeSeconds`: of an alert that has a time. `ips`: addresses and
 * networks that may send; empty: all. `template`: absent: the exchange's own formats.
 */
export type WireSignalTerms = {
  readonly symbols: readonly string[]
  readonly maxQuote: Decimal
  readonly perMinute: number
  readonly perDay: number
  readonly maxAgeSeconds: number
  readonly ips: readonly string[]
  readonly template?: WireSignalTemplate
}

/** `madeAt`: when its present address was made. */
export type WireSignal = WireSignalTerms & { readonly isOn: boolean; readonly madeAt: number }

/**
 * Ends of a call besides refusals. `sent`: under way. `repeat`: an alert that had come before. `flat`: one that closes, when there was no
 * position.
 */
export const signalEnds = ['sent', 'placed', 'repeat', 'flat'] as const
export type SignalEnd = (typeof signalEnds)[number] | Refusal

/** A call of the address, newest first. `order`: its number, as text. */
export type WireSignalCall = {
  readonly id: string
  readonly at: number
  readonly ip: string
  readonly text: string
  readonly end: SignalEnd
  readonly symbol?: string
  readonly order?: string
}

/** `signal` absent: switched off and never made. */
export type WireSignalState = { readonly signal?: WireSignal; readonly calls: readonly WireSignalCall[] }

/** `path`: of the address, with its secret; shown only this once. */
export type WireSignalMade = { readonly signal: WireSignal; readonly path: string }

export type WireNewSignal = { readonly terms: WireSignalTerms; readonly password: string }

/** Everything but switching off needs the password. */
export type WireSignalChange = { readonly isOn?: boolean; readonly terms?: WireSignalTerms; readonly password?: string }

/** An alert to be read as if it had come, under these terms. Nothing is sent. */
export type WireSignalTry = { readonly text: string; readonly terms: WireSignalTerms }

/** The order that the alert would place, at the prices of the moment. `value`: in USDT; absent for a close, which has no limit. */
export type WireSignalOrder = {
  readonly symbol: string
  readonly side: Side
  readonly type: 'market' | 'limit'
  readonly isClose: boolean
  readonly quantity?: Decimal
  readonly quote?: Decimal
  readonly price?: Decimal
  readonly value?: Decimal
}

export type WireSignalTried = { readonly order?: WireSignalOrder; readonly refusal?: Refusal; readonly field?: string }

/** The terms that a new address begins with. Its owner names the markets. */
export const signalDefaults = { maxQuote: '100', perMinute: 5, perDay: 50, maxAgeSeconds: 60 } as const
export const signalMax = { maxQuote: 1_000_000, perMinute: 60, perDay: 1_000, maxAgeSeconds: 3_600, symbols: 50, words: 10 } as const
