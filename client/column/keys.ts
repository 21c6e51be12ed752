/** API keys for the user's own programs. */
import type { WireKey, WireKeyChange, WireKeyMade, WireKeys, WireNewKey } from '@candor/core/protocol/wire/keys.ts'
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
