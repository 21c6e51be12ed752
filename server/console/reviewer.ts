import type { Officer, ReviewTables } from '../chains/review/tables.ts'
import type { Reviewer } from '../papers/reviews.ts'
import type { PapersTables } from '../papers/tables.ts'
import type { Decider } from '../staff/proposals.ts'
import type { Staff } from '../staff/staff.ts'

/** A member of the staff as the room of the identity checks knows reviewers: what they do is in the staff's log. */
export function reviewerOf(staff: Staff, { session, visitor }: Decider): Reviewer {
  return {
    name: session.email,
    visitor,
    note: (tx, action, subject, after, why) =>
      staff.log.write<PapersTables>(
        tx,
        { staff: session.staff, session: session.id, visitor },
        { action, subject, ...(after === undefined ? {} : { after }), ...(why === undefined ? {} : { why }) },
      ),
  }
}

/** The same for the room that decides about withdrawals and held deposits. */
export function officerOf(staff: Staff, { session, visitor }: Decider): Officer {
  return {
    id: session.staff,
    email: session.email,
    note: (db, action, subject, more = {}) =>
      staff.log.write<ReviewTables>(db, { staff: session.staff, session: session.id, visitor }, { action, subject, ...more }),
  }
}
