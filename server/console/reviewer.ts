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
