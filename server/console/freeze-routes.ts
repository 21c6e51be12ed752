import { noContent } from '../http/schema.ts'
import type { Officer } from '../identity/freeze/freezes.ts'
import type { Identity } from '../identity/identity.ts'
import type { IdentityTables } from '../identity/tables.ts'
import type { Decider } from '../staff/proposals.ts'
import type { Staff } from '../staff/staff.ts'
import * as schema from './schema.ts'
import type { ConsoleScope } from './scope.ts'

/** Frozen accounts of customers: one member of the staff freezes, two open the account again. */
export function freezeRoutes(scope: ConsoleScope, { freezes, lifts }: Pick<Identity, 'freezes' | 'lifts'>, staff: Staff): void {
  const officer = (who: Decider): Officer => officerOf(staff, who)

  scope.read(
    '/freezes',
    { action: 'freezes.read', summary: 'Frozen accounts, the newest first', query: schema.freezePage, answer: schema.freezes },
    async ({ query: { before } }) => ({ freezes: await lifts.standing(before) }),
  )

  scope.change(
    'POST',
    '/freezes',
    { action: 'customers.freeze', summary: 'Freeze the account of a customer', body: schema.newFreeze, answer: noContent },
    (asked) => freezes.byStaff(asked.body.uid, asked.body.reason, officer(asked)),
  )

  scope.change(
    'POST',
    '/freezes/:id/lift',
    {
      ...{ action: 'customers.unfreeze', summary: 'Propose to open a frozen account' },
      ...{ params: schema.byNumber, body: schema.why, answer: schema.proposed },
    },
    async (asked) => {
      staff.sessions.requireFresh(asked.session)
      return { id: await lifts.propose(asked.params.id, asked.body.reason, officer(asked)) }
    },
  )

  scope.change(
    'POST',
    '/freezes/lifts/:id/approve',
    {
      action: 'customers.unfreeze',
      summary: 'Open a frozen account, as somebody else proposed',
      params: schema.byNumber,
      answer: noContent,
    },
    async (asked) => {
      staff.sessions.requireFresh(asked.session)
      await lifts.approve(asked.params.id, officer(asked))
    },
  )

  scope.change(
    'POST',
    '/freezes/lifts/:id/decline',
    {
      ...{ action: 'customers.unfreeze', summary: 'Decline to open a frozen account' },
      ...{ params: schema.byNumber, body: schema.why, answer: noContent },
    },
    (asked) => lifts.decline(asked.params.id, asked.body.reason, officer(asked)),
  )
}

/** A member of the staff as the room of the accounts knows them: what they do is in the staff's log. */
function officerOf(staff: Staff, { session, visitor }: Decider): Officer {
  return {
    ...{ id: session.staff, name: session.email, visitor },
    note: (tx, action, subject, after, why) =>
      staff.log.write<IdentityTables>(
        tx,
        { staff: session.staff, session: session.id, visitor },
        { action, subject, ...(after === undefined ? {} : { after }), ...(why === undefined ? {} : { why }) },
      ),
  }
}
