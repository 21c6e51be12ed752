/** API keys for the user's own programs. */
import type { WireKey, WireKeyChange, WireKeyMade, WireKeys, WireNewKey } from '@candor/core/protocol/wire/keys.ts'
import type {
  WireNewSignal,
  WireSignal,
  WireSignalChange,
  WireSignalMade,
  WireSignalState,
  WireSignalTried,
  WireSignalTry,
} from '@candor/core/protocol/wire/own/signals.ts'
import { segment, type CallOptions, type Http } from '../http.ts'

/** Keys, without their secrets. */
export function list(http: Http, options?: CallOptions): Promise<WireKeys> {
  return http('GET', '/keys', options)
}

/** Creates a key. Only this answer has its secret. Needs the password. */
export function create(http: Http, body: WireNewKey, options?: CallOptions): Promise<WireKeyMade> {
  return http('POST', '/keys', { ...options, body })
}

/** Changes a key. Needs the password if the key may do more afterwards. */
export function change(http: Http, id: string, body: WireKeyChange, options?: CallOptions): Promise<WireKey> {
  return http('PATCH', `/keys/${segment(id)}`, { ...options, body })
}

/** Deletes a key: it stops working at once. */
export function remove(http: Http, id: string, options?: CallOptions): Promise<void> {
  return http('DELETE', `/keys/${segment(id)}`, options)
}

/** The signal address of a key without its secret, and a page of what came to it. */
export function signal(http: Http, id: string, query: { readonly before?: string } = {}, options?: CallOptions): Promise<WireSignalState> {
  return http('GET', `/keys/${segment(id)}/signal`, { ...options, query })
}

/** Makes a signal address, or a new one instead of the old. Only this answer contains it. Needs the password. */
export function makeSignal(http: Http, id: string, body: WireNewSignal, options?: CallOptions): Promise<WireSignalMade> {
  return http('POST', `/keys/${segment(id)}/signal`, { ...options, body })
}

/** Changes a signal address, or switches it on or off. Needs the password, except to switch it off. */
export function changeSignal(http: Http, id: string, body: WireSignalChange, options?: CallOptions): Promise<WireSignal> {
  return http('PATCH', `/keys/${segment(id)}/signal`, { ...options, body })
}

/** What an alert would place at the prices of the moment. Nothing is sent. */
export function trySignal(http: Http, id: string, body: WireSignalTry, options?: CallOptions): Promise<WireSignalTried> {
  return http('POST', `/keys/${segment(id)}/signal/try`, { ...options, body })
}
