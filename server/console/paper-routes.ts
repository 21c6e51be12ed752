import type { PaperKind } from '@candor/core/protocol/wire/papers.ts'
import { noContent } from '../http/schema.ts'
import type { PapersDesk } from '../papers/desk.ts'
import type { Reviewer } from '../papers/reviews.ts'
import type { Clock } from '../ports.ts'
import type { Decider } from '../staff/proposals.ts'
import type { Staff } from '../staff/staff.ts'
import { reviewerOf } from './reviewer.ts'
import * as schema from './schema.ts'
import type { ConsoleScope } from './scope.ts'

/** The reviewers' side of the identity check. */
export function paperRoutes(scope: ConsoleScope, { papers, staff, clock }: PaperParts): void {
  const { reviews } = papers
  const reviewer = (who: Decider): Reviewer => reviewerOf(staff, who)

  scope.read(
    '/papers',
    { action: 'papers.read', summary: 'Waiting checks, the oldest first', query: schema.queuePage, answer: schema.queue },
    async ({ query: { after } }) => {
      const [sentAt, id] = after?.split(':') ?? []
      const rows = await reviews.waiting(id === undefined ? undefined : { sentAt: Number(sentAt), id })
      const { count, oldestAt } = await reviews.waitingCount()
      const last = rows.at(-1)
      const waiting = rows.map(({ account: _, kind, ...row }) => ({ ...row, kind: kind as PaperKind | null }))
      return { waiting, count, oldestAt, ...(last === undefined ? {} : { next: `${last.sentAt}:${last.id}` }) }
    },
  )

  scope.read(
    '/papers/:id',
    { action: 'papers.read', summary: 'One check with what its document says', params: schema.byId, answer: schema.review },
    async (asked) => {
      const { account: _, state, ...review } = await reviews.open(asked.params.id, reviewer(asked))
      return { ...review, state: state as Exclude<typeof state, 'draft'> }
    },
  )

  scope.read(
    '/papers/:id/photos/:side',
    {
      action: 'papers.photo',
      summary: 'A photo of a claimed check, with the viewer’s name in it',
      params: schema.photo,
      answer: schema.jpeg,
    },
    async (asked) => {
      const { id, side } = asked.params
      const plain = await reviews.photo(id, side, reviewer(asked))
      const time = new Date(clock()).toISOString().slice(0, 16).replace('T', ' ')
      const jpeg = await papers.mark(plain, `${asked.session.email} ${time}`, asked.session.staff)
      // Never shown as a page of this origin, whatever it contains.
      asked.reply.header('content-type', 'image/jpeg').header('content-disposition', 'attachment; filename="photo.jpg"')
      asked.reply.header('content-security-policy', "default-src 'none'; sandbox")
      return jpeg
    },
  )

  changeRoutes(scope, papers, reviewer)
}

export type PaperParts = { readonly papers: Pick<PapersDesk, 'reviews' | 'mark'>; readonly staff: Staff; readonly clock: Clock }

function changeRoutes(scope: ConsoleScope, { reviews }: Pick<PapersDesk, 'reviews'>, reviewer: (who: Decider) => Reviewer): void {
  const params = schema.byId
  const answer = noContent
  scope.change(
    'POST',
    '/papers/:id/claim',
    { action: 'papers.claim', summary: 'Claim a check for half an hour', params, answer },
    (asked) => reviews.claim(asked.params.id, reviewer(asked)),
  )

  scope.change('POST', '/papers/:id/release', { action: 'papers.claim', summary: 'Give a check back', params, answer }, (asked) =>
    reviews.release(asked.params.id, reviewer(asked)),
  )

  scope.change('POST', '/papers/:id/certify', { action: 'papers.decide', summary: 'Certify the customer', params, answer }, (asked) =>
    reviews.certify(asked.params.id, reviewer(asked)),
  )

  scope.change(
    'POST',
    '/papers/:id/reject',
    { action: 'papers.decide', summary: 'Send a check back with reasons', params, body: schema.faults, answer },
    (asked) => reviews.reject(asked.params.id, asked.body.faults, reviewer(asked)),
  )
}
