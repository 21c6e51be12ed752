import type { Lang } from '@candor/core/protocol/locales.ts'
import type { WireAnnouncements } from '@candor/core/protocol/wire/news/announcements.ts'
import type { WireChanges } from '@candor/core/protocol/wire/changes.ts'
import type { CallOptions, Http } from '../http.ts'

type Page = { readonly before?: number; readonly limit?: number }

/** Changes of terms, newest first. `before`: the `next` of the previous page. */
export function changes(http: Http, query: Page = {}, options?: CallOptions): Promise<WireChanges> {
  return http('GET', '/changes', { ...options, query })
}

/** Announcements in a language, newest first. */
export function announcements(http: Http, query: Page & { readonly lang: Lang }, options?: CallOptions): Promise<WireAnnouncements> {
  return http('GET', '/announcements', { ...options, query })
}
