import type { Treasury } from '@candor/core/protocol/wire/console/treasury.ts'
import type { ChainDesk } from '../../chains/review/chain-desk.ts'
import type { Staff } from '../../staff/staff.ts'
import { decisionRoutes } from '../chain-decisions.ts'
import { officerOf } from '../reviewer.ts'
import { byNumber, proposed, why } from '../schema.ts'
import { recent } from '../overview/recent.ts'
import type { ConsoleScope } from '../scope.ts'
import { fileRoutes } from '../watch/files.ts'
import { type TreasuryParts, treasuryOf } from './read.ts'
import * as schema from './schema.ts'

const sharedMs = 2_000

type Deciding = { readonly chain: ChainDesk; readonly staff: Staff }

/**
 * Coins on chains beside the books, what differs, and what the signer was told. All pages that are open share one answer. Two members
 * explain a transaction of own addresses.
 */
export function treasuryRoutes(scope: ConsoleScope, parts: TreasuryParts, { chain, staff }: Deciding): void {
  const action = 'treasury.read'
  const read = recent(sharedMs, () => treasuryOf(parts))
  scope.read('/treasury', { action, summary: 'Coins on chains beside the books', cost: 2, answer: schema.treasury }, read)
  scope.change(
    'POST',
    '/treasury/findings/:id/explain',
    {
      ...{ action: 'treasury.decide', summary: 'Propose that a transaction was the operator’s own' },
      ...{ params: byNumber, body: why, answer: proposed },
    },
    async (asked) => {
      staff.sessions.requireFresh(asked.session)
      return { id: await chain.proposeMovement(asked.params.id, asked.body.reason, officerOf(staff, asked)) }
    },
  )
  decisionRoutes(scope, { chain, staff, kind: 'movement', path: '/treasury/movements', action: 'treasury.decide' })
  fileRoutes(scope, staff, {
    ...{ area: 'treasury', action },
    tables: {
      coins: { row: schema.rowLine, read: async () => (await read()).rows.map(rowLine) },
      differences: { row: schema.findingLine, read: async () => (await read()).findings.map(findingLine) },
      jobs: { row: schema.jobLine, read: async () => (await read()).jobs.map(jobLine) },
    },
  })
}

const iso = (at: number | null): string => (at === null ? '' : new Date(at).toISOString())

function rowLine({ network, asset, chain, total, customers, unfinal, leaving, outflow, share, block, at }: Treasury['rows'][number]) {
  const { deposits, hot, gas, sink } = chain
  return {
    ...{ network, asset, deposits: deposits ?? '', hot: hot ?? '', gas: gas ?? '', sink: sink ?? '', total },
    ...{
      customers: customers ?? '',
      unfinal: unfinal ?? '',
      leaving,
      outflow,
      share: share ?? '',
      block: String(block ?? ''),
      at: iso(at),
    },
  }
}

const findingLine = ({ url: _, foundAt, closedAt, decision, isNameable: _nameable, ...row }: Treasury['findings'][number]) => ({
  ...{ ...row, foundAt: iso(foundAt), closedAt: iso(closedAt) },
  ...{ explainedBy: decision === null || decision.approvedBy === null ? '' : `${decision.proposedBy} ${decision.approvedBy}` },
  reason: decision?.reason ?? '',
})

const jobLine = ({ amount, trouble, madeAt, ...row }: Treasury['jobs'][number]) => ({
  ...{ ...row, amount: amount ?? '', trouble: trouble ?? '', madeAt: iso(madeAt) },
})
