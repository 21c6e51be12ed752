import { sql } from 'kysely'
import type { Terms } from '@candor/core/protocol/wire/changes.ts'
import { Refused } from '../refused.ts'
import { priceBefore } from '../store/query/worth.ts'
import type { OperationsDb } from './tables.ts'

/** USDT that the postings of one proposer may be worth on a UTC day, if the operator sets no other cap. */
export const postingsPerDay = 100_000

const dayMs = 86_400_000

/** Decimal text in USDT. `used`: open and approved postings of the day, at present prices. */
export type PostingCap = { readonly cap: string; readonly used: string; readonly left: string }

type Asked = { readonly staff: string; readonly at: number; readonly cap: number }

/** The cap of one member, and what is left of it today. */
export async function postingCapOf(db: OperationsDb, { staff, at, cap }: Asked): Promise<PostingCap> {
  const { rows } = await sql<{ used: string; left: string }>`
    select trim_scale(round(used, 2))::text as used, trim_scale(round(greatest(${cap} - used, 0), 2))::text as left
    from (${usedOf(staff, at)}) today`.execute(db)
  return { cap: String(cap), ...rows[0]! }
}

/**
 * Lets a member propose a posting if it and those of the day are worth the cap at most. Of two proposals at once, the second one waits
 * for the first. An asset without a price has no known worth, and can't be posted.
 *
 * throws  Refused POSTING_LIMIT
 */
export async function requireUnderCap(tx: OperationsDb, terms: Terms, { staff, at, cap }: Asked): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('posting-proposed'), hashtext(${staff}))`.execute(tx)
  const { rows } = await sql<{ fits: boolean | null }>`
    select used + (select ${terms['amount'] as string}::numeric * ${price(at)} from (select ${terms['asset'] as string}::text as asset) wish) <= ${cap} as fits
    from (${usedOf(staff, at)}) today`.execute(tx)
  if (rows[0]!.fits !== true) throw new Refused('POSTING_LIMIT')
}

/** SQL of what the member proposed on the day; what was declined, lapsed or failed does not count. */
const usedOf = (staff: string, at: number) => sql`
  select coalesce(sum(amount * ${price(at)}), 0) as used from (
    select (terms->>'amount')::numeric as amount, terms->>'asset' as asset
    from operations
    where kind = 'posting' and proposed_by = ${staff} and proposed_at >= ${at - (at % dayMs)} and state in ('open', 'approved')
  ) posted`

/** SQL of the price of the row's `asset` in USDT. */
const price = (at: number) => sql.raw<string>(priceBefore('asset', String(Math.trunc(at))))
