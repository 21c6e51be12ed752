import type { WirePage } from '@candor/core/protocol/wire/funds.ts'
import type {
  WireKnowledge,
  WireKnowledgeAnswers,
  WireOpenOption,
  WireOption,
  WireOptionFigures,
  WireOptionLimits,
  WireOptionMe,
  WireOptionOpened,
  WireOptionTerms,
  WireTape,
  WireTapeLine,
} from '@candor/core/protocol/wire/option.ts'
import type { OptionResult } from '@candor/core/protocol/event/option.ts'
import { segment, type CallOptions, type Http } from '../http.ts'

/** Durations with their profit rates, limits of stakes, and paused markets. */
export function terms(http: Http, options?: CallOptions): Promise<WireOptionTerms> {
  return http('GET', '/option/terms', options)
}

/** Results of all customers together over the last 30 days. */
export function figures(http: Http, options?: CallOptions): Promise<WireOptionFigures> {
  return http('GET', '/option/figures', options)
}

export function knowledge(http: Http, options?: CallOptions): Promise<WireKnowledge> {
  return http('GET', '/option/knowledge', options)
}

/** Admits the user if every answer is correct; otherwise refused with `KNOWLEDGE_WRONG`. */
export function answer(http: Http, body: WireKnowledgeAnswers, options?: CallOptions): Promise<WireOptionMe> {
  return http('POST', '/option/knowledge', { ...options, body })
}

export function me(http: Http, options?: CallOptions): Promise<WireOptionMe> {
  return http('GET', '/option/me', options)
}

/** A lower loss limit applies at once, a higher one or none after a wait; a cool-off can only be extended. */
export function setLimits(http: Http, body: WireOptionLimits, options?: CallOptions): Promise<WireOptionMe> {
  return http('POST', '/option/limits', { ...options, body })
}

/** The same client id with the same body gives the same order again: after an `OfflineError`, repeat it unchanged. */
export function open(http: Http, body: WireOpenOption, options?: CallOptions): Promise<WireOptionOpened> {
  return http('POST', '/option/orders', { ...options, body })
}

export async function openOrders(http: Http, options?: CallOptions): Promise<readonly WireOption[]> {
  return (await http<{ readonly orders: readonly WireOption[] }>('GET', '/option/orders/open', options)).orders
}

export type OptionHistoryQuery = {
  readonly symbol?: string
  readonly result?: OptionResult
  /** In milliseconds; `from` is inclusive, `to` exclusive. */
  readonly from?: number
  readonly to?: number
  /** `next` of the previous page. */
  readonly before?: string
  readonly limit?: number
}

/** Settled orders, newest first. */
export function history(http: Http, query: OptionHistoryQuery = {}, options?: CallOptions): Promise<WirePage<WireOption>> {
  return http('GET', '/option/orders/history', { ...options, query: { ...query } })
}

export function order(http: Http, id: string, options?: CallOptions): Promise<WireOption> {
  return http('GET', `/option/orders/${segment(id)}`, options)
}

/** A piece of the public tape: ticks from a number on, or those from time `at` (inclusive) to `until` (exclusive), in milliseconds. */
export type TapeQuery = { readonly from?: number; readonly at?: number; readonly until?: number; readonly limit?: number }

export function tape(http: Http, query: TapeQuery, options?: CallOptions): Promise<WireTape> {
  return http('GET', '/proof/tape', { ...options, query: { ...query } })
}

/** The index of a market along the tape: the newest ticks, or those from time `at` (inclusive) to `until` (exclusive); 100 by default. */
export type TapeLineQuery = Omit<TapeQuery, 'from'> & { readonly symbol: string }

export function tapeLine(http: Http, query: TapeLineQuery, options?: CallOptions): Promise<WireTapeLine> {
  return http('GET', '/proof/line', { ...options, query: { ...query } })
}
