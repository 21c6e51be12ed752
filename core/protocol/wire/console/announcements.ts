/** Answers of the routes about announcements, as `server/console/announcements/schema.ts` describes them. */
import type { Lang } from '../../locales.ts'

export type AnnouncementText = { readonly title: string; readonly text: string }
export type AnnouncementTexts = { readonly [L in Lang]: AnnouncementText }
export type Announcement = {
  readonly id: number
  readonly texts: AnnouncementTexts
  readonly from: number
  readonly until: number
  readonly publishedBy: string
  readonly publishedAt: number
  readonly withdrawnBy: string | null
  readonly withdrawnAt: number | null
}
