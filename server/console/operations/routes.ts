import { noContent } from '../../http/schema.ts'
import type { Operations } from '../../operations/operations.ts'
import type { PreparedPresales } from '../../operations/presale-reading.ts'
import type { Decisions, TermsNow } from '../../operations/reading.ts'
import { type Area, areas } from '../../operations/tables.ts'
import type { Staff } from '../../staff/staff.ts'
import { fileMax, fileOf } from '../files.ts'
import { byNumber, proposed, why } from '../schema.ts'
import type { ConsoleScope } from '../scope.ts'
import * as schema from './schema.ts'

export type OperationsDesk = {
  readonly operations: Operations
  readonly decisions: Decisions
  readonly terms: TermsNow
  readonly presales: PreparedPresales
}

const fileCost = 40
const columns = [
  ...(['id', 'area', 'kind', 'subject', 'differences', 'payment', 'reason', 'isClosing', 'proposedBy', 'proposedAt', 'state'] as const),
  ...(['decidedBy', 'decidedAt', 'why', 'doneAt', 'seq', 'refusal'] as const),
] as const

/** Terms of the exchange, and decisions about them. Each needs two members whose role may, except to close. */
export function operationRoutes(scope: ConsoleScope, desk: OperationsDesk, staff: Staff): void {
  const { terms, decisions } = desk
  scope.read('/terms/markets', { action: 'markets.read', summary: 'Terms of all markets', answer: schema.markets }, () => terms.markets())
  scope.read('/terms/fees', { action: 'fees.read', summary: 'The fee schedule, and what inviters get of fees', answer: schema.fees }, () =>
    terms.fees(),
  )
  scope.read('/terms/countries', { action: 'countries.read', summary: 'Products by region', answer: schema.countries }, () =>
    terms.countries(),
  )
  scope.read('/terms/house', { action: 'house.read', summary: 'Terms and house fund of Second', answer: schema.house }, () => terms.house())
  scope.read('/terms/networks', { action: 'networks.read', summary: 'Terms of withdrawals', answer: schema.networks }, () =>
    terms.networks(),
  )

  scope.read(
    '/terms/postings',
    { action: 'operations.read', summary: 'What the member may still propose to post by hand today', answer: schema.postingCap },
    ({ session }) => desk.operations.postingCap(session.staff),
  )

  for (const area of areas) decisionRoutes(scope, area, desk, staff)
  for (const area of ['markets', 'fees', 'countries', 'house', 'networks'] as const)
    scope.change(
      'POST',
      `/terms/${area}/close`,
      {
        ...{ action: `${area}.decide`, summary: 'Take products off the market at once, alone' },
        ...{ body: schema.closings[area], answer: schema.done },
      },
      (asked) => {
        staff.sessions.requireFresh(asked.session)
        return desk.operations.close(asked.body, asked)
      },
    )

  scope.read(
    '/operations',
    { action: 'operations.read', summary: 'Decisions, newest first', query: schema.page, answer: schema.operations },
    ({ query }) => decisions.page(query),
  )

  scope.read(
    '/operations/:id',
    { action: 'operations.read', summary: 'One decision', params: byNumber, answer: schema.operation },
    ({ params }) => decisions.one(params.id),
  )

  scope.read(
    '/operations.csv',
    {
      ...{ action: 'operations.read', summary: `The newest ${fileMax} of these decisions as a file`, cost: fileCost },
      ...{ query: schema.file, answer: schema.csv },
    },
    async ({ query, session, visitor, reply }) => {
      await staff.exported({ what: 'operations', ...query }, { session, visitor })
      const { operations } = await decisions.page(query, fileMax + 1)
      return fileOf(reply, 'decisions', { columns, rows: operations.map(withTimes) })
    },
  )
}

function decisionRoutes(scope: ConsoleScope, area: Area, { operations }: OperationsDesk, staff: Staff): void {
  const action = `${area}.decide` as const
  scope.change(
    'POST',
    `/terms/${area}`,
    { action, summary: 'Propose new terms, or a posting', body: schema.wishes[area], answer: proposed },
    async (asked) => {
      staff.sessions.requireFresh(asked.session)
      return { id: await operations.propose(asked.body, asked) }
    },
  )

  scope.change(
    'POST',
    `/terms/${area}/:id/approve`,
    {
      ...{ action, summary: 'Approve somebody else’s proposal and carry it out' },
      ...{ params: byNumber, body: schema.approval, answer: schema.done },
    },
    (asked) => {
      staff.sessions.requireFresh(asked.session)
      return operations.approve(asked.params.id, area, asked, asked.body.amount)
    },
  )

  scope.change(
    'POST',
    `/terms/${area}/:id/decline`,
    { action, summary: 'Decline a proposal, or take back the own', params: byNumber, body: why, answer: noContent },
    (asked) => operations.decline(asked.params.id, area, asked.body.reason, asked),
  )
}

const timed = ['proposedAt', 'decidedAt', 'doneAt'] as const

function withTimes(operation: Readonly<Record<string, unknown>>): Readonly<Record<(typeof columns)[number], unknown>> {
  const times = timed.map((name) => [name, operation[name] === null ? null : new Date(operation[name] as number).toISOString()])
  return { ...operation, ...Object.fromEntries(times) } as Readonly<Record<(typeof columns)[number], unknown>>
}
