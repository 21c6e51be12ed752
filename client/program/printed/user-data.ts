// Printed from the routes of the exchange: node tools/tidy/print.ts

import type { Call, CallOptions, Millis } from '../call.ts'
import type { Nothing } from './shared.ts'

export type ListenKey = {
  readonly listenKey: string
}

export type ListenToken = {
  readonly token: string
  readonly expirationTime: Millis
}

/**
 * A key for the events of spot, valid for an hour.
 *
 * POST /api/v3/userDataStream · weight 2 · a key that may read
 */
export function startSpot(call: Call, options?: CallOptions): Promise<ListenKey> {
  return call(
    { method: 'POST', path: '/api/v3/userDataStream', security: 'key', isRepeatable: true, socket: 'userDataStream.start' },
    {},
    options,
  )
}

export type RenewSpotParams = {
  /** The key of the stream. */
  readonly listenKey: string
}

/**
 * Extends a key by an hour.
 *
 * PUT /api/v3/userDataStream · weight 2 · a key that may read
 */
export function renewSpot(call: Call, params: RenewSpotParams, options?: CallOptions): Promise<Nothing> {
  return call(
    { method: 'PUT', path: '/api/v3/userDataStream', security: 'key', isRepeatable: true, socket: 'userDataStream.ping' },
    params,
    options,
  )
}

export type EndSpotParams = {
  /** The key of the stream. */
  readonly listenKey: string
}

/**
 * Ends a key and the streams that it opened.
 *
 * DELETE /api/v3/userDataStream · weight 2 · a key that may read
 */
export function endSpot(call: Call, params: EndSpotParams, options?: CallOptions): Promise<Nothing> {
  return call({ method: 'DELETE', path: '/api/v3/userDataStream', security: 'key', socket: 'userDataStream.stop' }, params, options)
}

/**
 * A key for the events of the cross account, valid for an hour.
 *
 * POST /sapi/v1/userDataStream · weight 1 · a key that may read
 */
export function startCross(call: Call, options?: CallOptions): Promise<ListenKey> {
  return call({ method: 'POST', path: '/sapi/v1/userDataStream', security: 'key', isRepeatable: true }, {}, options)
}

export type RenewCrossParams = {
  /** The key of the stream. */
  readonly listenKey: string
}

/**
 * Extends a key by an hour.
 *
 * PUT /sapi/v1/userDataStream · weight 1 · a key that may read
 */
export function renewCross(call: Call, params: RenewCrossParams, options?: CallOptions): Promise<Nothing> {
  return call({ method: 'PUT', path: '/sapi/v1/userDataStream', security: 'key', isRepeatable: true }, params, options)
}

export type EndCrossParams = {
  /** The key of the stream. */
  readonly listenKey: string
}

/**
 * Ends a key and the streams that it opened.
 *
 * DELETE /sapi/v1/userDataStream · weight 1 · a key that may read
 */
export function endCross(call: Call, params: EndCrossParams, options?: CallOptions): Promise<Nothing> {
  return call({ method: 'DELETE', path: '/sapi/v1/userDataStream', security: 'key' }, params, options)
}

export type StartIsolatedParams = {
  /** Pair of the isolated account. */
  readonly symbol: string
}

/**
 * A key for the events of an isolated account, valid for an hour.
 *
 * POST /sapi/v1/userDataStream/isolated · weight 1 · a key that may read
 */
export function startIsolated(call: Call, params: StartIsolatedParams, options?: CallOptions): Promise<ListenKey> {
  return call({ method: 'POST', path: '/sapi/v1/userDataStream/isolated', security: 'key', isRepeatable: true }, params, options)
}

export type RenewIsolatedParams = {
  /** Pair of the isolated account. */
  readonly symbol: string
  /** The key of the stream. */
  readonly listenKey: string
}

/**
 * Extends a key by an hour.
 *
 * PUT /sapi/v1/userDataStream/isolated · weight 1 · a key that may read
 */
export function renewIsolated(call: Call, params: RenewIsolatedParams, options?: CallOptions): Promise<Nothing> {
  return call({ method: 'PUT', path: '/sapi/v1/userDataStream/isolated', security: 'key', isRepeatable: true }, params, options)
}

export type EndIsolatedParams = {
  /** Pair of the isolated account. */
  readonly symbol: string
  /** The key of the stream. */
  readonly listenKey: string
}

/**
 * Ends a key and the streams that it opened.
 *
 * DELETE /sapi/v1/userDataStream/isolated · weight 1 · a key that may read
 */
export function endIsolated(call: Call, params: EndIsolatedParams, options?: CallOptions): Promise<Nothing> {
  return call({ method: 'DELETE', path: '/sapi/v1/userDataStream/isolated', security: 'key' }, params, options)
}

export type ListenTokenParams = {
  /** TRUE for the isolated account of `symbol`. Default: FALSE. */
  readonly isIsolated?: boolean | undefined
  /** Pair of the isolated account. */
  readonly symbol?: string | undefined
  /** Milliseconds, a day at most. Default: 86400000. */
  readonly validity?: number | undefined
}

/**
 * A token for the events of a Margin account, for the WebSocket API.
 *
 * POST /sapi/v1/userListenToken · weight 1 · a key that may read
 */
export function listenToken(call: Call, params: ListenTokenParams = {}, options?: CallOptions): Promise<ListenToken> {
  return call({ method: 'POST', path: '/sapi/v1/userListenToken', security: 'key', isRepeatable: true }, params, options)
}

/**
 * A key for the events of Futures, valid for an hour.
 *
 * POST /fapi/v1/listenKey · weight 1 · a key that may read
 */
export function startFutures(call: Call, options?: CallOptions): Promise<ListenKey> {
  return call(
    { method: 'POST', path: '/fapi/v1/listenKey', security: 'key', isRepeatable: true, socket: 'userDataStream.start' },
    {},
    options,
  )
}

export type RenewFuturesParams = {
  /** The key of the stream. */
  readonly listenKey?: string | undefined
}

/**
 * Extends a key by an hour: the API key’s own, unless another is given.
 *
 * PUT /fapi/v1/listenKey · weight 1 · a key that may read
 */
export function renewFutures(call: Call, params: RenewFuturesParams = {}, options?: CallOptions): Promise<ListenKey> {
  return call(
    { method: 'PUT', path: '/fapi/v1/listenKey', security: 'key', isRepeatable: true, socket: 'userDataStream.ping' },
    params,
    options,
  )
}

export type EndFuturesParams = {
  /** The key of the stream. */
  readonly listenKey?: string | undefined
}

/**
 * Ends a key and the streams that it opened.
 *
 * DELETE /fapi/v1/listenKey · weight 1 · a key that may read
 */
export function endFutures(call: Call, params: EndFuturesParams = {}, options?: CallOptions): Promise<Nothing> {
  return call({ method: 'DELETE', path: '/fapi/v1/listenKey', security: 'key', socket: 'userDataStream.stop' }, params, options)
}
