import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Submit } from '@candor/core/protocol/port.ts'
import { sql } from 'kysely'
import { record } from '../identity/audit.ts'
import { identityDb } from '../identity/tables.ts'
import { Refused } from '../refused.ts'
import type { Store } from '../store/open.ts'
import { type Party, ProposalFault } from './option-decisions.ts'

export type RegionGround = { readonly store: Store; readonly submit: Submit; readonly clock: () => number }

/** The product to open, and the region. `*`: all regions without a row of their own. */
export type RegionWish = {
  readonly region: string
  readonly isLeverageOpen: boolean
  readonly isSecondOpen: boolean
  readonly reason: string
}

const visitor = { ip: 'local', userAgent: 'candor' }
const validMs = 86_400_000

/** Stores one operator's proposal, which another operator must approve. Returns its number. */
export async function proposeRegion({ store, clock }: RegionGround, by: Party, wish: RegionWish): Promise<number> {
  return record(identityDb(store), clock, { account: by.id, action: 'region-proposed', visitor, detail: { user: by.user, ...wish } })
}

/**
 * Carries out a proposal, once. The approval is logged before the command is sent. Returns the command's number in the journal.
 *
 * throws  ProposalFault, or Refused by the exchange; a refused proposal is used up
 */
export async function approveRegion({ store, submit, clock }: RegionGround, number: number, by: Party): Promise<number> {
  const { proposer, wish } = await identityDb(store)
    .transaction()
    .execute(async (db) => {
      await sql`select pg_advisory_xact_lock(hashtext('region-decided'))`.execute(db)
      const row = await db
        .selectFrom('audit_log')
        .select(['account', 'at', 'detail'])
        .where('id', '=', number)
        .where('action', '=', 'region-proposed')
        .executeTakeFirst()
      if (row === undefined) throw new ProposalFault(`There is no proposal ${number}`)
      const used = await db
        .selectFrom('audit_log')
        .select('id')
        .where('action', '=', 'region-approved')
        .where(sql<boolean>`(detail ->> 'proposal')::bigint = ${number}`)
        .executeTakeFirst()
      if (used !== undefined) throw new ProposalFault(`Proposal ${number} has been approved before`)
      if (row.account === by.id) throw new ProposalFault('The proposer cannot approve it: a second person must')
      if (clock() - row.at > validMs) throw new ProposalFault('The proposal is more than a day old: propose it again')
      await record(db, clock, { account: by.id, action: 'region-approved', visitor, detail: { proposal: number } })
      const { user, ...rest } = row.detail as unknown as RegionWish & { readonly user: UserId }
      return { proposer: user, wish: rest }
    })
  return operate({ submit, clock, store }, by, { ...wish, proposer, approver: by.user })
}

/** Closes the product in the region at once, on behalf of one operator. */
export async function closeRegion(ground: RegionGround, by: Party, wish: RegionWish): Promise<number> {
  return operate(ground, by, { ...wish, proposer: by.user, approver: by.user })
}

async function operate(
  { store, submit, clock }: RegionGround,
  by: Party,
  command: RegionWish & { readonly proposer: UserId; readonly approver: UserId },
): Promise<number> {
  const { refusal, seq } = await submit({ type: 'region.operate', ...command })
  const outcome = refusal === undefined ? { seq } : { refusal }
  await record(identityDb(store), clock, {
    account: by.id,
    action: 'region-operated',
    visitor,
    detail: { region: command.region, ...outcome },
  })
  if (refusal) throw new Refused(refusal)
  return seq
}
