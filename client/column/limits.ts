import type {
  WireActive,
  WireCheckEvery,
  WireLossFigures,
  WireNewRest,
  WireOwnLimitChange,
  WireOwnLimitConfirmed,
  WireOwnLimits,
} from '@candor/core/protocol/wire/own-limits.ts'
import type { CallOptions, Http } from '../http.ts'

/** The user's own limits, how much of each is used, and the running pause. */
export function mine(http: Http, options?: CallOptions): Promise<WireOwnLimits> {
  return http('GET', '/limits', options)
}

/** Sets a limit: a lower one at once, a higher one, or none, after a wait and `confirm`. */
export function set(http: Http, body: WireOwnLimitChange, options?: CallOptions): Promise<WireOwnLimits> {
  return http('PUT', '/limits', { ...options, body })
}

export function confirm(http: Http, body: WireOwnLimitConfirmed, options?: CallOptions): Promise<WireOwnLimits> {
  return http('POST', '/limits/confirm', { ...options, body })
}

export function setCheckEvery(http: Http, body: WireCheckEvery, options?: CallOptions): Promise<void> {
  return http('PUT', '/limits/check', { ...options, body })
}

/** Begins a pause, which nobody can end earlier. */
export function rest(http: Http, body: WireNewRest, options?: CallOptions): Promise<WireOwnLimits> {
  return http('POST', '/limits/rest', { ...options, body })
}

/** A sign of life of the app while it is seen: counts the time of today. */
export function active(http: Http, options?: CallOptions): Promise<WireActive> {
  return http('POST', '/limits/active', options)
}

/** The share of accounts that lost money with each product in the last 90 days. */
export function lossFigures(http: Http, options?: CallOptions): Promise<WireLossFigures> {
  return http('GET', '/loss-figures', options)
}
