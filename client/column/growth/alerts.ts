import type { WireAlert, WireAlerts, WireNewAlert } from '@candor/core/protocol/wire/own/alerts.ts'
import { type CallOptions, type Http, segment } from '../../http.ts'

/** The user's price alerts, newest first. */
export function alerts(http: Http, options?: CallOptions): Promise<WireAlerts> {
  return http('GET', '/alerts', options)
}

/** Refused with `ALERT_REACHED` while the price is beyond the level, unless `isReachedFine`. */
export function createAlert(http: Http, alert: WireNewAlert, options?: CallOptions): Promise<WireAlert> {
  return http('POST', '/alerts', { ...options, body: alert })
}

export function replaceAlert(http: Http, id: string, alert: WireNewAlert, options?: CallOptions): Promise<WireAlert> {
  return http('PUT', `/alerts/${segment(id)}`, { ...options, body: alert })
}

/** Pauses an alert, or watches again from the present price on. */
export function switchAlert(http: Http, id: string, isOn: boolean, options?: CallOptions): Promise<WireAlert> {
  return http('PATCH', `/alerts/${segment(id)}`, { ...options, body: { isOn } })
}

export function deleteAlert(http: Http, id: string, options?: CallOptions): Promise<void> {
  return http('DELETE', `/alerts/${segment(id)}`, options)
}
