/** Announcements of the exchange to everybody. */

/** Most characters of a title and of a text. */
export const announcementTitleMax = 80
export const announcementTextMax = 2_000

/** In one language. `until`: home shows it as long. */
export type WireAnnouncement = {
  readonly number: number
  readonly title: string
  readonly text: string
  readonly at: number
  readonly until: number
}

/** Newest first. `next`: the `before` of the following page. */
export type WireAnnouncements = { readonly announcements: readonly WireAnnouncement[]; readonly next?: number }
