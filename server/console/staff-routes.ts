import { noContent } from '../http/schema.ts'
import type { Staff } from '../staff/staff.ts'
import * as schema from './schema.ts'
import type { ConsoleScope } from './scope.ts'

/** The staff, and decisions about them. Each needs two administrators. */
export function staffRoutes(scope: ConsoleScope, staff: Staff): void {
  scope.read('/staff', { action: 'staff.read', summary: 'Everybody of the staff', answer: schema.members }, async () => ({
    members: await staff.list(),
  }))

  scope.read('/staff/proposals', { action: 'staff.read', summary: 'Open proposals', answer: schema.proposals }, async () => ({
    proposals: await staff.proposals.open(),
  }))

  scope.change(
    'POST',
    '/staff/proposals',
    {
      ...{ action: 'staff.propose', summary: 'Propose an invitation, a role, an address, a new enrolment or a deactivation' },
      ...{ body: schema.wish, answer: schema.proposed },
    },
    async ({ body, session, visitor }) => {
      staff.sessions.requireFresh(session)
      return { id: await staff.proposals.propose(body, { staff: session.staff, session: session.id, visitor }) }
    },
  )

  scope.change(
    'POST',
    '/staff/proposals/:id/approve',
    { action: 'staff.decide', summary: 'Approve somebody else’s proposal', params: schema.byNumber, answer: schema.approved },
    (asked) => staff.proposals.approve(asked.params.id, asked),
  )

  scope.change(
    'POST',
    '/staff/proposals/:id/decline',
    { action: 'staff.decide', summary: 'Decline a proposal', params: schema.byNumber, body: schema.why, answer: noContent },
    (asked) => staff.proposals.decline(asked.params.id, asked.body.reason, asked),
  )
}
