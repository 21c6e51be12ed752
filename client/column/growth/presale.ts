import type { LocaleCode } from '@candor/core/protocol/locales.ts'
import type {
  WirePresaleDetail,
  WirePresales,
  WirePresaleSchedule,
  WirePresaleSubscription,
  WirePresaleSubscriptions,
  WireSubscribe,
} from '@candor/core/protocol/wire/presale.ts'
import { type CallOptions, type Http, segment } from '../../http.ts'

/** A whitepaper over a slow connection. */
const downloadMs = 180_000

/** All presales, newest start first. `lang`: of the titles. */
export function list(http: Http, query: { readonly lang: LocaleCode }, options?: CallOptions): Promise<WirePresales> {
  return http('GET', '/presales', { ...options, query: { ...query } })
}

/** Everything about one presale. Refused with `PRESALE_UNKNOWN` if there is none. */
export function detail(
  http: Http,
  presale: number,
  query: { readonly lang: LocaleCode },
  options?: CallOptions,
): Promise<WirePresaleDetail> {
  return http('GET', `/presales/${presale}`, { ...options, query: { ...query } })
}

/** Subscribes with coins of the spot account. Later subscriptions add up; a repeat with the same client id counts once. */
export function subscribe(http: Http, presale: number, body: WireSubscribe, options?: CallOptions): Promise<WirePresaleSubscription> {
  return http('POST', `/presales/${presale}/subscriptions`, { ...options, body })
}

/** The user's subscriptions, newest first. */
export function mine(http: Http, query: { readonly lang: LocaleCode }, options?: CallOptions): Promise<WirePresaleSubscriptions> {
  return http('GET', '/presales/subscriptions', { ...options, query: { ...query } })
}

/** The user's subscription to one presale, with all its releases. */
export function schedule(http: Http, presale: number, options?: CallOptions): Promise<WirePresaleSchedule> {
  return http('GET', `/presales/${presale}/subscription`, options)
}

/** A whitepaper by its SHA-256. The caller checks that the file has this hash. */
export function paper(http: Http, hash: string, options?: CallOptions): Promise<Blob> {
  return http('GET', `/presales/papers/${segment(hash)}`, { timeoutMs: downloadMs, ...options, answer: 'file' })
}
