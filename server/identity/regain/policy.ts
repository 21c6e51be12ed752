const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** How long a request waits: `certified` from the second reviewer's approval on, `other` from its beginning, without a document. */
export type RegainPolicy = { readonly certifiedMs: number; readonly otherMs: number }

/** In the sandbox nobody has money to lose, and everybody may try how it works. */
export const regainPolicies: Readonly<Record<'sandbox' | 'production', RegainPolicy>> = {
  sandbox: { certifiedMs: minute, otherMs: 2 * minute },
  production: { certifiedMs: day, otherMs: 7 * day },
}

/** How long the link works. */
export const linkLivesMs = day
/** A request whose document was not sent by then is over. */
export const draftLivesMs = 7 * day
/** The owner is told again after this time: before the link in the message before has expired. */
export const remindEveryMs = 2 * day
/** Requests that one account may begin in `requestsMs`. */
export const requestsMax = 5
export const requestsMs = 30 * day
/** A password that came from a message in this time proves nothing beside the mailbox. */
export const resetCountsMs = 30 * day
