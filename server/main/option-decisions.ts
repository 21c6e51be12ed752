import type { Units } from '@candor/core/money/brand.ts'
import { scaleOf } from '@candor/core/money/scale.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import type { OptionTerms } from '@candor/core/protocol/command/option.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Ask, Submit } from '@candor/core/protocol/port.ts'
import { sql } from 'kysely'
import { record } from '../identity/audit.ts'
import { type IdentityDb, identityDb } from '../identity/tables.ts'
import { Refused } from '../refused.ts'
import type { Store } from '../store/open.ts'
import { firstAssets } from './defaults.ts'

/** One side of a decision: an operator's account, or the firm's own account. */
export type Party = { readonly id: string; readonly user: UserId }

export type Ground = { readonly store: Store; readonly submit: Submit; readonly ask: Ask; readonly clock: () => number }

/** The proposal of one operator: the complete new terms, and money of the firm for the house fund (0: none). */
export type Wish = {
  readonly by: Party
  readonly reason: string
  readonly terms: OptionTerms
  readonly firm: Party
  readonly amount: Units
}

/** A proposal that can't be approved, or not in this way. */
export class ProposalFault extends Error {}

type Proposal = {
  readonly by: string
  readonly user: UserId
  readonly firm: UserId
  readonly amount: Units
  readonly reason: string
  readonly terms: OptionTerms
  /** The terms that the proposal would replace. */
  readonly base: OptionTerms | null
  readonly at: number
}

const visitor = { ip: 'local', userAgent: 'candor' }
const validMs = 86_400_000
/** PostgreSQL's error code when a lock is not free in time. */
const lockNotAvailable = '55P03'
const usdtScale = scaleOf(firstAssets, 'USDT')

/** Stores one operator's proposal, which another operator must approve. Returns its number. */
export async function propose({ store, ask, clock }: Ground, { by, reason, terms, firm, amount }: Wish): Promise<number> {
  const { terms: base } = await ask.optionTerms()
  const detail = { user: by.user, firm: firm.user, amount, reason, terms: JSON.stringify(terms), base: JSON.stringify(base) }
  return record(identityDb(store), clock, { account: by.id, action: 'option-proposed', visitor, detail })
}

/**
 * Carries out a proposal, once. The approval is logged before the command is sent, and the command names both operators and the
 * reason. `typed`: the sum as the approver read it. Returns the command's number in the journal.
 *
 * throws  ProposalFault, or Refused by the exchange; a refused proposal is used up
 */
export function approve({ store, submit, ask, clock }: Ground, number: number, by: Party, typed: Units): Promise<number> {
  return oneByOne(store, async (db, isAlone) => {
    if (!isAlone) throw new ProposalFault('Another decision is under way: try again')
    const { terms: now } = await ask.optionTerms()
    const proposal = await db.transaction().execute(async (inside) => {
      const found = await read(inside, number)
      check(found, { by, typed, now, at: clock() })
      await record(inside, clock, { account: by.id, action: 'option-approved', visitor, detail: { proposal: number } })
      return found
    })
    const { user: proposer, firm: user, amount, reason, terms } = proposal
    const people = { proposer, approver: by.user, reason }
    const { refusal, seq } = await submit({ type: 'option.operate', user, clientId: `option-${number}`, amount, ...people, terms })
    const outcome = refusal === undefined ? { seq } : { refusal }
    await record(db, clock, { account: by.id, action: 'option-operated', visitor, detail: { proposal: number, ...outcome } })
    if (refusal) throw new Refused(refusal)
    return seq
  })
}

/** Closes the product at once on behalf of one operator, after any approval in progress. Running orders are settled as usual. */
export function close({ store, submit, ask, clock }: Ground, by: Party, reason: string): Promise<number> {
  // An approval that hangs longer than the wait does not block closing.
  return oneByOne(store, async (db) => {
    const { terms } = await ask.optionTerms()
    if (terms === null) throw new ProposalFault('There are no terms yet: nothing is open')
    const { user } = by
    const people = { user, proposer: user, approver: user, reason }
    const closed = { ...terms, isOpen: false }
    const { refusal, seq } = await submit({ type: 'option.operate', clientId: '', amount: 0 as Units, ...people, terms: closed })
    if (refusal) throw new Refused(refusal)
    await record(db, clock, { account: by.id, action: 'option-operated', visitor, detail: { seq, reason } })
    return seq
  })
}

/**
 * Runs one decision at a time, from reading the terms to its command: of two at once, the later would undo the earlier. `isAlone`
 * is false when another decision is still under way after three seconds.
 */
function oneByOne<T>(store: Store, decide: (db: IdentityDb, isAlone: boolean) => Promise<T>): Promise<T> {
  return identityDb(store)
    .connection()
    .execute(async (db) => {
      const isAlone = await lock(db)
      try {
        return await decide(db, isAlone)
      } finally {
        if (isAlone) await sql`select pg_advisory_unlock(hashtext('option-decided'))`.execute(db)
      }
    })
}

async function lock(db: IdentityDb): Promise<boolean> {
  await sql`set lock_timeout = '3s'`.execute(db)
  try {
    await sql`select pg_advisory_lock(hashtext('option-decided'))`.execute(db)
    return true
  } catch (cause) {
    if ((cause as { readonly code?: string }).code !== lockNotAvailable) throw cause
    return false
  } finally {
    await sql`reset lock_timeout`.execute(db)
  }
}

async function read(db: IdentityDb, number: number): Promise<Proposal> {
  const row = await db
    .selectFrom('audit_log')
    .select(['account', 'at', 'detail'])
    .where('id', '=', number)
    .where('action', '=', 'option-proposed')
    .executeTakeFirst()
  if (row === undefined) throw new ProposalFault(`There is no proposal ${number}`)
  const used = await db
    .selectFrom('audit_log')
    .select('id')
    .where('action', '=', 'option-approved')
    .where(sql<boolean>`(detail ->> 'proposal')::bigint = ${number}`)
    .executeTakeFirst()
  if (used !== undefined) throw new ProposalFault(`Proposal ${number} has been approved before`)
  const detail = row.detail as unknown as Omit<Proposal, 'by' | 'at' | 'terms' | 'base'> & { readonly terms: string; readonly base: string }
  return { ...detail, by: row.account ?? '', at: row.at, terms: JSON.parse(detail.terms), base: JSON.parse(detail.base) }
}

function check(
  { by, at, amount, base }: Proposal,
  given: { readonly by: Party; readonly typed: Units; readonly now: OptionTerms | null; readonly at: number },
): void {
  if (by === given.by.id) throw new ProposalFault('The proposer cannot approve it: a second person must')
  if (given.at - at > validMs) throw new ProposalFault('The proposal is more than a day old: propose it again')
  if (JSON.stringify(base) !== JSON.stringify(given.now)) throw new ProposalFault('The terms have changed since: propose it again')
  if (amount !== given.typed) throw new ProposalFault(`The sum is not ${formatUnits(given.typed, usdtScale)} USDT: read the proposal again`)
}
