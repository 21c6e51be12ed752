/** Webhooks: URLs to which the user's events are posted. */
import type {
  DeliveryState,
  WireDeliveries,
  WireDelivery,
  WireNewWebhook,
  WireReplayed,
  WireWebhook,
  WireWebhookChange,
  WireWebhookMade,
  WireWebhooks,
} from '@candor/core/protocol/wire/webhooks.ts'
import { segment, type CallOptions, type Http } from '../http.ts'

/** Webhooks, without their secrets. */
export function list(http: Http, options?: CallOptions): Promise<WireWebhooks> {
  return http('GET', '/webhooks', options)
}

/** Creates a webhook. Only this answer has its secret. Needs the password. */
export function create(http: Http, body: WireNewWebhook, options?: CallOptions): Promise<WireWebhookMade> {
  return http('POST', '/webhooks', { ...options, body })
}

/** Changes the kinds of events of a webhook, or switches it on or off. */
export function change(http: Http, id: string, body: WireWebhookChange, options?: CallOptions): Promise<WireWebhook> {
  return http('PATCH', `/webhooks/${segment(id)}`, { ...options, body })
}

export function remove(http: Http, id: string, options?: CallOptions): Promise<void> {
  return http('DELETE', `/webhooks/${segment(id)}`, options)
}

/** Creates a new secret; the old one stays valid for one day. Needs the password. */
export function renewSecret(http: Http, id: string, password: string, options?: CallOptions): Promise<WireWebhookMade> {
  return http('POST', `/webhooks/${segment(id)}/secret`, { ...options, body: { password } })
}

/** Deliveries, newest first. `before`: the `next` of the previous page. */
export function deliveries(
  http: Http,
  id: string,
  query: { readonly before?: string; readonly limit?: number; readonly state?: DeliveryState } = {},
  options?: CallOptions,
): Promise<WireDeliveries> {
  return http('GET', `/webhooks/${segment(id)}/deliveries`, { ...options, query })
}

/** Sends another challenge to the URL of a pending webhook. */
export function challenge(http: Http, id: string, options?: CallOptions): Promise<WireWebhook> {
  return http('POST', `/webhooks/${segment(id)}/challenge`, options)
}

/** Sends a test delivery. */
export function test(http: Http, id: string, options?: CallOptions): Promise<WireDelivery> {
  return http('POST', `/webhooks/${segment(id)}/test`, options)
}

/** Sends one delivery again, with the same id and body. */
export function replay(http: Http, id: string, sequence: number, options?: CallOptions): Promise<WireDelivery> {
  return http('POST', `/webhooks/${segment(id)}/deliveries/${segment(String(sequence))}/replay`, options)
}

/** Sends all events of `since` (milliseconds) or later again. */
export function replaySince(http: Http, id: string, since: number, options?: CallOptions): Promise<WireReplayed> {
  return http('POST', `/webhooks/${segment(id)}/replay`, { ...options, body: { since } })
}
