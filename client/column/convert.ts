import type {
  WireConversion,
  WireConvertStanding,
  WireConvertTerms,
  WireHedge,
  WireQuote,
  WireQuoteRequest,
  WireShelf,
} from '@candor/core/protocol/wire/convert.ts'
import type { WirePage } from '@candor/core/protocol/wire/funds.ts'
import type { CallOptions, Http } from '../http.ts'

/** Whether coins can be converted, the limits, and the coins with their index prices. */
export function terms(http: Http, options?: CallOptions): Promise<WireConvertTerms> {
  return http('GET', '/convert/terms', options)
}

/** The user's limit of the day, and the open quote. */
export function standing(http: Http, options?: CallOptions): Promise<WireConvertStanding> {
  return http('GET', '/convert/standing', options)
}

/** Asks for a firm quote, which replaces the open one. Moves nothing. */
export function quote(http: Http, body: WireQuoteRequest, options?: CallOptions): Promise<WireQuote> {
  return http('POST', '/convert/quotes', { ...options, body })
}

/** Accepts the open quote. A repeat changes nothing: after an `OfflineError`, read the conversion. */
export function accept(http: Http, id: string, options?: CallOptions): Promise<WireConversion> {
  return http('POST', `/convert/quotes/${id}/accept`, { ...options, body: {} })
}

/** An accepted quote and what became of it. Refused with `QUOTE_UNKNOWN` if it was never accepted. */
export function conversion(http: Http, id: string, options?: CallOptions): Promise<WireConversion> {
  return http('GET', `/convert/conversions/${id}`, options)
}

/** The user's conversions, newest first. `before`: `next` of the previous page. */
export function conversions(
  http: Http,
  query: { readonly before?: string; readonly limit?: number } = {},
  options?: CallOptions,
): Promise<WirePage<WireConversion>> {
  return http('GET', '/convert/conversions', { ...options, query: { ...query } })
}

/** The inventory, for the hedger's account. Others are refused with `FORBIDDEN`. */
export function shelves(http: Http, options?: CallOptions): Promise<{ readonly shelves: readonly WireShelf[] }> {
  return http('GET', '/convert/shelves', options)
}

/** Takes from the inventory what it has above a target, or gives back. Returns the inventory afterwards. */
export function hedge(http: Http, body: WireHedge, options?: CallOptions): Promise<{ readonly shelves: readonly WireShelf[] }> {
  return http('POST', '/convert/hedge', { ...options, body })
}
