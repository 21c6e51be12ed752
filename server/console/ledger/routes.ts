import type pg from 'pg'
import type { z } from 'zod'
import type { Customers } from '../../customers/customers.ts'
import { Refused } from '../../refused.ts'
import type { Staff } from '../../staff/staff.ts'
import { tablesAt } from '../../store/query/console/funds.ts'
import { balancesOf, customerOf, customerPostings, housePostings, postingsOf } from '../../store/query/console/ledger.ts'
import { trialAt, trialNow } from '../../store/query/console/trial.ts'
import type { ConsoleScope } from '../scope.ts'
import { fileRoutes } from '../watch/files.ts'
import * as schema from './schema.ts'
import { assetSums, postingSums } from './sums.ts'

const action = 'ledger.read'
/** The trial balance walks all accounts. */
const trialCost = 20

type Owner = Pick<z.output<typeof schema.accountQuery>, 'uid' | 'house'>

export type LedgerParts = { readonly pool: pg.Pool; readonly staff: Staff; readonly customers: Pick<Customers, 'look'> }

/** Accounts, their postings, and the trial balance. A look at a customer's accounts is in the log first. */
export function ledgerRoutes(scope: ConsoleScope, { pool, staff, customers }: LedgerParts): void {
  scope.read(
    '/ledger',
    { action, summary: 'Trial balance now or after a command', cost: trialCost, query: schema.trialQuery, answer: schema.trial },
    async ({ query: { seq } }) => {
      const begun = performance.now()
      const trial = await trialOf(pool, seq)
      return { ...trial, assets: assetSums(trial.rows), ms: Math.round(performance.now() - begun) }
    },
  )

  scope.read(
    '/ledger/account',
    {
      action,
      summary: 'Balances and postings of a customer or of the exchange',
      cost: 2,
      query: schema.accountQuery,
      answer: schema.account,
    },
    async (asked) => {
      const { query } = asked
      await userOf(pool, query)
      if (query.house === undefined) await customers.look(query.uid!, asked)
      const [tables, balances, page] = await Promise.all([tablesAt(pool), ownBalances(pool, query), ownPostings(pool, query)])
      const { items: postings, next } = page
      return { tables, balances, postings, ...(next === undefined ? {} : { next }) }
    },
  )

  scope.read(
    '/ledger/command',
    { action, summary: 'Postings of a command', query: schema.commandQuery, answer: schema.command },
    async ({ query: { seq } }) => {
      const [tables, postings] = await Promise.all([tablesAt(pool), postingsOf(pool, seq)])
      return { tables, postings, sums: postingSums(postings) }
    },
  )

  fileRoutes(scope, staff, {
    ...{ area: 'ledger', action, filter: schema.fileQuery },
    tables: {
      trial: { row: schema.trialRow, read: async ({ seq }) => (await trialOf(pool, seq)).rows },
      assets: { row: schema.assetRow, read: async ({ seq }) => assetSums((await trialOf(pool, seq)).rows) },
      balances: { row: schema.balance, read: (owner) => ownBalances(pool, owner) },
      postings: { row: schema.posting, read: async (query) => (await ownPostings(pool, query)).items },
      command: { row: schema.posting, read: ({ seq = 0 }) => postingsOf(pool, seq) },
    },
  })
}

const trialOf = (pool: pg.Pool, seq: number | undefined) => (seq === undefined ? trialNow(pool) : trialAt(pool, seq))

/** throws  Refused NOT_FOUND: an unknown customer, or no account is named */
async function userOf(pool: pg.Pool, { uid, house }: Owner): Promise<number> {
  if (house !== undefined) return 0
  const user = uid === undefined ? undefined : await customerOf(pool, uid)
  if (user === undefined) throw new Refused('NOT_FOUND')
  return user
}

async function ownBalances(pool: pg.Pool, owner: Owner) {
  return balancesOf(pool, await userOf(pool, owner), owner.house ?? null)
}

async function ownPostings(pool: pg.Pool, query: z.output<typeof schema.accountQuery>) {
  const { house } = query
  if (house !== undefined) return housePostings(pool, house, query)
  return customerPostings(pool, await userOf(pool, query), query)
}
