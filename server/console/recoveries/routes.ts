import { noContent } from '../../http/schema.ts'
import type { PapersDesk } from '../../papers/desk.ts'
import type { Revoker } from '../../papers/revocations.ts'
import type { Clock } from '../../ports.ts'
import type { Decider } from '../../staff/proposals.ts'
import type { Staff } from '../../staff/staff.ts'
import { reviewerOf } from '../reviewer.ts'
import { byId, jpeg, why } from '../schema.ts'
import type { ConsoleScope } from '../scope.ts'
import * as schema from './schema.ts'

export type RecoveryParts = {
  readonly papers: Pick<PapersDesk, 'regainReviews' | 'mark'>
  readonly staff: Staff
  readonly clock: Clock
}

/** Requests of customers who have lost their second factors: two reviewers compare the document with the certified one. */
export function recoveryRoutes(scope: ConsoleScope, { papers, staff, clock }: RecoveryParts): void {
  const { regainReviews: reviews } = papers
  const reviewer = (who: Decider): Revoker => ({ ...reviewerOf(staff, who), id: who.session.staff })

  scope.read(
    '/recoveries',
    { action: 'recoveries.read', summary: 'Requests for access without the second factors, the oldest first', answer: schema.recoveries },
    async () => ({ recoveries: await reviews.list() }),
  )

  scope.read(
    '/recoveries/:id',
    { action: 'recoveries.read', summary: 'One request with both documents', params: byId, answer: schema.recovery },
    (asked) => reviews.open(asked.params.id, reviewer(asked)),
  )

  scope.read(
    '/recoveries/:id/photos/:which/:side',
    {
      action: 'recoveries.photo',
      summary: 'A photo of either document, with the viewer’s name in it',
      params: schema.photo,
      answer: jpeg,
    },
    async (asked) => {
      const { id, which, side } = asked.params
      const plain = await reviews.photo(id, which, side, reviewer(asked))
      const time = new Date(clock()).toISOString().slice(0, 16).replace('T', ' ')
      const marked = await papers.mark(plain, `${asked.session.email} ${time}`, asked.session.staff)
      // Never shown as a page of this origin, whatever it contains.
      asked.reply.header('content-type', 'image/jpeg').header('content-disposition', 'attachment; filename="photo.jpg"')
      asked.reply.header('content-security-policy', "default-src 'none'; sandbox")
      return marked
    },
  )

  decisionRoutes(scope, reviews, staff, reviewer)
}

type Reviews = RecoveryParts['papers']['regainReviews']

function decisionRoutes(scope: ConsoleScope, reviews: Reviews, staff: Staff, reviewer: (who: Decider) => Revoker): void {
  const shared = { action: 'recoveries.decide', params: byId, answer: noContent } as const
  scope.change(
    'POST',
    '/recoveries/:id/propose',
    { ...shared, summary: 'Propose to give access, because the documents match', body: why },
    async (asked) => {
      staff.sessions.requireFresh(asked.session)
      await reviews.propose(asked.params.id, asked.body.reason, reviewer(asked))
    },
  )

  scope.change(
    'POST',
    '/recoveries/:id/approve',
    { ...shared, summary: 'Give access after the waiting time, as somebody else proposed' },
    async (asked) => {
      staff.sessions.requireFresh(asked.session)
      await reviews.approve(asked.params.id, reviewer(asked))
    },
  )

  scope.change('POST', '/recoveries/:id/reject', { ...shared, summary: 'Decline a request', body: why }, (asked) =>
    reviews.reject(asked.params.id, asked.body.reason, reviewer(asked)),
  )
}
