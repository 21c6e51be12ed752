import { noContent } from '../../http/schema.ts'
import type { FirmsDesk } from '../../firms/desk.ts'
import type { Decider } from '../../staff/proposals.ts'
import type { Staff } from '../../staff/staff.ts'
import { byNumber, why } from '../schema.ts'
import type { ConsoleScope } from '../scope.ts'
import * as schema from './schema.ts'

type Decided = Decider & { readonly params: { readonly id: number }; readonly body: { readonly reason: string } }

/** Firms: one member of compliance decides about an application. Terms by contract are decisions of two, below `/terms/firms`. */
export function firmRoutes(scope: ConsoleScope, { office, applications }: Pick<FirmsDesk, 'office' | 'applications'>, staff: Staff): void {
  const decide = async ({ params, body, session, visitor }: Decided, isAccepted: boolean): Promise<void> => {
    staff.sessions.requireFresh(session)
    const actor = { staff: session.staff, session: session.id, visitor }
    await applications.decide(await office.idOf(params.id), { isAccepted, why: body.reason }, actor)
  }

  scope.read('/firms', { action: 'firms.read', summary: 'Firms, with open applications first', answer: schema.firms }, ({ session }) =>
    office.list(session.staff),
  )

  scope.read('/firms/:id', { action: 'firms.read', summary: 'One firm', params: byNumber, answer: schema.firm }, ({ params, session }) =>
    office.one(params.id, session.staff),
  )

  scope.change(
    'POST',
    '/firms/:id/accept',
    { action: 'firms.admit', summary: 'Accept the application of a firm', params: byNumber, body: why, answer: noContent },
    (asked) => decide(asked, true),
  )

  scope.change(
    'POST',
    '/firms/:id/refuse',
    { action: 'firms.admit', summary: 'Refuse the application of a firm', params: byNumber, body: why, answer: noContent },
    (asked) => decide(asked, false),
  )
}
