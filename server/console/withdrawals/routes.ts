import type { WithdrawalRow } from '@candor/core/protocol/wire/console/withdrawals.ts'
import type { ChainDesk } from '../../chains/review/chain-desk.ts'
import type { WithdrawalDesk } from '../../chains/review/desk.ts'
import { kindsOf, type WithdrawalReading } from '../../chains/review/reading.ts'
import { noContent } from '../../http/schema.ts'
import type { Signatures } from '../../chains/review/signatures.ts'
import type { Staff } from '../../staff/staff.ts'
import { officerOf } from '../reviewer.ts'
import { decisionRoutes } from '../chain-decisions.ts'
import { byNumber, options, passkey, proposed, why } from '../schema.ts'
import { pageOf } from '../auth-routes.ts'
import type { ConsoleScope } from '../scope.ts'
import { fileMax } from '../files.ts'
import { fileRoutes } from '../watch/files.ts'
import * as schema from './schema.ts'

export type WithdrawalsDesk = {
  readonly desk: WithdrawalDesk
  readonly reading: WithdrawalReading
  readonly signatures: Signatures
  readonly chain: ChainDesk
}

/** Requests for withdrawals, and what becomes of those that were approved. */
export function withdrawalRoutes(scope: ConsoleScope, { desk, reading, signatures, chain }: WithdrawalsDesk, staff: Staff): void {
  const read = 'withdrawals.read'
  scope.read(
    '/withdrawals',
    { action: read, summary: 'Withdrawals to decide, on their way or ended', query: schema.page, answer: schema.withdrawals },
    ({ query: { view, before } }) => reading.page(view, before),
  )
  scope.read(
    '/withdrawals/:id',
    { action: read, summary: 'One withdrawal, with what was found', params: byNumber, answer: schema.withdrawal },
    (asked) => reading.open(asked.params.id, officerOf(staff, asked)),
  )
  const claim = { action: 'withdrawals.review', params: byNumber, answer: noContent } as const
  scope.change('POST', '/withdrawals/:id/claim', { ...claim, summary: 'Claim a request for half an hour' }, (asked) =>
    desk.claim(asked.params.id, officerOf(staff, asked)),
  )
  scope.change('POST', '/withdrawals/:id/release', { ...claim, summary: 'Give a request back' }, (asked) =>
    desk.release(asked.params.id, officerOf(staff, asked)),
  )
  const decide = { action: 'withdrawals.decide', params: byNumber, answer: schema.done } as const
  scope.change('POST', '/withdrawals/:id/approve', { ...decide, summary: 'Approve a claimed request' }, (asked) => {
    staff.sessions.requireFresh(asked.session)
    return desk.approve(asked.params.id, officerOf(staff, asked))
  })
  scope.change(
    'POST',
    '/withdrawals/:id/reject',
    { ...decide, summary: 'Reject a claimed request with a reason', body: schema.rejection },
    (asked) => desk.reject(asked.params.id, asked.body.reason, asked.body.note, officerOf(staff, asked)),
  )
  scope.change(
    'POST',
    '/withdrawals/:id/sign/options',
    { action: 'withdrawals.decide', summary: 'What an operator’s passkey must sign', params: byNumber, answer: options },
    async (asked) => ({ options: await signatures.ask(asked.params.id, officerOf(staff, asked), pageOf(asked.request)) }),
  )
  scope.change(
    'POST',
    '/withdrawals/:id/sign',
    { action: 'withdrawals.decide', summary: 'Sign a payment as an operator', params: byNumber, body: passkey, answer: noContent },
    (asked) => signatures.sign(asked.params.id, asked.body.response, officerOf(staff, asked), pageOf(asked.request)),
  )
  scope.change(
    'POST',
    '/withdrawals/:id/end',
    {
      ...{ action: 'withdrawals.decide', summary: 'Propose to end a payment that the signer refuses' },
      ...{ params: byNumber, body: why, answer: proposed },
    },
    async (asked) => {
      staff.sessions.requireFresh(asked.session)
      return { id: await chain.proposeEnding(asked.params.id, asked.body.reason, officerOf(staff, asked)) }
    },
  )
  decisionRoutes(scope, { chain, staff, kind: 'ending', path: '/withdrawals/endings', action: 'withdrawals.decide' })
  fileRoutes(scope, staff, {
    ...{ area: 'withdrawals', action: read, filter: schema.filter },
    tables: {
      list: { row: schema.line, read: async ({ view }) => (await reading.page(view, undefined, fileMax + 1)).withdrawals.map(line) },
    },
  })
}

const iso = (at: number | null): string => (at === null ? '' : new Date(at).toISOString())

function line(row: WithdrawalRow) {
  const { id, uid, asset, amount, fee, worthUsdt, network, address, state, requestedAt, decidedAt, endedAt, people } = row
  const { approvals, flags, claimedBy, payout, trouble } = row
  return {
    ...{ id, customer: uid, asset, amount, fee, worthUsdt: worthUsdt ?? '', network, address: address ?? '', state },
    ...{ requestedAt: iso(requestedAt), decidedAt: iso(decidedAt), endedAt: iso(endedAt), people, approvedBy: approvals.join(' ') },
    ...{ flags: kindsOf(flags), claimedBy: claimedBy ?? '', payout: payout ?? '', trouble: trouble ?? '' },
  }
}
