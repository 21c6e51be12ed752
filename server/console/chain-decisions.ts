import type { ChainDesk } from '../chains/review/chain-desk.ts'
import type { ChainDecision } from '../chains/review/tables.ts'
import { noContent } from '../http/schema.ts'
import type { ChangeAction } from '../staff/permissions.ts'
import type { Staff } from '../staff/staff.ts'
import { officerOf } from './reviewer.ts'
import { byNumber, why } from './schema.ts'
import type { ConsoleScope } from './scope.ts'

export type DecisionRoutes = {
  readonly chain: Pick<ChainDesk, 'approve' | 'decline'>
  readonly staff: Staff
  readonly kind: ChainDecision['kind']
  readonly path: string
  readonly action: ChangeAction
}

/** How a second member answers a proposal about payments or about movements of own coins. */
export function decisionRoutes(scope: ConsoleScope, { chain, staff, kind, path, action }: DecisionRoutes): void {
  scope.change(
    'POST',
    `${path}/:id/approve`,
    { action, summary: 'Approve somebody else’s proposal', params: byNumber, answer: noContent },
    (asked) => {
      staff.sessions.requireFresh(asked.session)
      return chain.approve(kind, asked.params.id, officerOf(staff, asked))
    },
  )
  scope.change(
    'POST',
    `${path}/:id/decline`,
    { action, summary: 'Decline a proposal, or take back the own', params: byNumber, body: why, answer: noContent },
    (asked) => chain.decline(kind, asked.params.id, asked.body.reason, officerOf(staff, asked)),
  )
}
