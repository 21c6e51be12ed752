import type {
  NoticeArea,
  WireNoticePreferences,
  WireNotices,
  WireNoticesRead,
  WireNoticeSwitch,
  WirePush,
  WirePushTarget,
  WireUnread,
} from '@candor/core/protocol/wire/notices.ts'
import { type CallOptions, type Http, segment } from '../http.ts'

/** Notices, newest first, of one area or of all. `before`: the `next` of the previous page. */
export function list(
  http: Http,
  query: { readonly before?: number; readonly limit?: number; readonly area?: NoticeArea } = {},
  options?: CallOptions,
): Promise<WireNotices> {
  return http('GET', '/notices', { ...options, query })
}

export function unread(http: Http, options?: CallOptions): Promise<WireUnread> {
  return http('GET', '/notices/unread', options)
}

/** Marks one notice as read. */
export function read(http: Http, number: number, options?: CallOptions): Promise<void> {
  return http('POST', `/notices/${segment(String(number))}/read`, options)
}

/** Marks all notices of these numbers as read. */
export function readAll(http: Http, read: WireNoticesRead, options?: CallOptions): Promise<WireUnread> {
  return http('POST', '/notices/read', { ...options, body: read })
}

export function preferences(http: Http, options?: CallOptions): Promise<WireNoticePreferences> {
  return http('GET', '/notices/preferences', options)
}

/** Switches one channel of one kind. */
export function choose(http: Http, body: WireNoticeSwitch, options?: CallOptions): Promise<WireNoticePreferences> {
  return http('PATCH', '/notices/preferences', { ...options, body })
}

/** The key for a subscription, and whether this browser has one. */
export function push(http: Http, options?: CallOptions): Promise<WirePush> {
  return http('GET', '/notices/push', options)
}

/** Sends push messages to this browser until its session ends. */
export function subscribe(http: Http, body: WirePushTarget, options?: CallOptions): Promise<WirePush> {
  return http('PUT', '/notices/push', { ...options, body })
}

export function unsubscribe(http: Http, options?: CallOptions): Promise<void> {
  return http('DELETE', '/notices/push', options)
}
