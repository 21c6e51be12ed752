import { noContent } from '../http/schema.ts'
import type { PapersDesk } from '../papers/desk.ts'
import type { Revoker } from '../papers/revocations.ts'
import type { Decider } from '../staff/proposals.ts'
import type { Staff } from '../staff/staff.ts'
import { reviewerOf } from './reviewer.ts'
import * as schema from './schema.ts'
import type { ConsoleScope } from './scope.ts'

/** The end of certificates, which needs two reviewers. */
export function revocationRoutes(scope: ConsoleScope, { revocations }: Pick<PapersDesk, 'revocations'>, staff: Staff): void {
  const revoker = (who: Decider): Revoker => ({ ...reviewerOf(staff, who), id: who.session.staff })

  scope.read(
    '/revocations',
    { action: 'papers.read', summary: 'Open proposals to revoke a certificate', answer: schema.revocations },
    async () => ({ revocations: await revocations.open() }),
  )

  scope.change(
    'POST',
    '/papers/:id/revocation',
    {
      ...{ action: 'papers.revoke', summary: 'Propose to revoke a certificate' },
      ...{ params: schema.byId, body: schema.why, answer: schema.proposed },
    },
    async (asked) => {
      staff.sessions.requireFresh(asked.session)
      return { id: await revocations.propose(asked.params.id, asked.body.reason, revoker(asked)) }
    },
  )

  scope.change(
    'POST',
    '/revocations/:id/approve',
    { action: 'papers.revoke', summary: 'Revoke a certificate, as somebody else proposed', params: schema.byNumber, answer: noContent },
    async (asked) => {
      staff.sessions.requireFresh(asked.session)
      await revocations.approve(asked.params.id, revoker(asked))
    },
  )

  scope.change(
    'POST',
    '/revocations/:id/decline',
    {
      ...{ action: 'papers.revoke', summary: 'Decline to revoke a certificate' },
      ...{ params: schema.byNumber, body: schema.why, answer: noContent },
    },
    (asked) => revocations.decline(asked.params.id, asked.body.reason, revoker(asked)),
  )
}
