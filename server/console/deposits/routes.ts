import type { DepositRow } from '@candor/core/protocol/wire/console/deposits.ts'
import type { DepositReading } from '../../chains/review/deposit-reading.ts'
import type { DepositDesk } from '../../chains/review/deposits.ts'
import { noContent } from '../../http/schema.ts'
import type { Staff } from '../../staff/staff.ts'
import { officerOf } from '../reviewer.ts'
import { byNumber, proposed, why } from '../schema.ts'
import type { ConsoleScope } from '../scope.ts'
import { fileMax } from '../files.ts'
import { fileRoutes } from '../watch/files.ts'
import * as schema from './schema.ts'

export type DepositsDesk = { readonly desk: DepositDesk; readonly reading: DepositReading }

/** Deposits that are not as usual; held ones are released or refused by two members. */
export function depositRoutes(scope: ConsoleScope, { desk, reading }: DepositsDesk, staff: Staff): void {
  const read = 'deposits.read'
  scope.read(
    '/deposits',
    { action: read, summary: 'Deposits that are not as usual', query: schema.page, answer: schema.deposits },
    ({ query: { view, before } }) => reading.page(view, before),
  )
  const action = 'deposits.decide'
  scope.change(
    'POST',
    '/deposits/:id/propose',
    { action, summary: 'Propose to release or to refuse a held deposit', params: byNumber, body: schema.wish, answer: proposed },
    async (asked) => {
      staff.sessions.requireFresh(asked.session)
      const { isReleased, reason } = asked.body
      return { id: await desk.propose(asked.params.id, isReleased, reason, officerOf(staff, asked)) }
    },
  )
  scope.change(
    'POST',
    '/deposits/decisions/:id/approve',
    { action, summary: 'Approve somebody else’s proposal', params: byNumber, answer: noContent },
    (asked) => {
      staff.sessions.requireFresh(asked.session)
      return desk.approve(asked.params.id, officerOf(staff, asked))
    },
  )
  scope.change(
    'POST',
    '/deposits/decisions/:id/decline',
    { action, summary: 'Decline a proposal, or take back the own', params: byNumber, body: why, answer: noContent },
    (asked) => desk.decline(asked.params.id, asked.body.reason, officerOf(staff, asked)),
  )
  fileRoutes(scope, staff, {
    ...{ area: 'deposits', action: read, filter: schema.filter },
    tables: { list: { row: schema.line, read: async ({ view }) => (await reading.page(view, undefined, fileMax + 1)).deposits.map(line) } },
  })
}

function line({ id, uid, network, asset, contract, amount, sender, address, txid, block, state, why: reason, ...row }: DepositRow) {
  const { seenAt, debts, proposal, last } = row
  return {
    ...{ id, customer: uid, network, asset: asset ?? '', contract, amount, sender, address, txid, block, state, why: reason ?? '' },
    seenAt: new Date(seenAt).toISOString(),
    debts: debts.map((debt) => `${debt.amount} ${debt.asset}`).join(' '),
    ...{ proposedBy: proposal?.proposedBy ?? '', decidedBy: last?.by.join(' ') ?? '' },
  }
}
