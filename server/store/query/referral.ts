import type { Decimal } from '@candor/core/money/brand.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type pg from 'pg'

/** Counts only: an inviter learns nothing about a single invitee. `trading`: those whose trades have paid commission. */
export type ReferralFunnel = { readonly invited: number; readonly verified: number; readonly trading: number }

/** How many people a user has invited, and how far they have come. */
export async function referralFunnel(pool: pg.Pool, user: UserId): Promise<ReferralFunnel> {
  const { rows } = await pool.query<ReferralFunnel>(
    `select count(*)::int as invited, (count(*) filter (where is_certified))::int as verified,
       (count(*) filter (where value > 0))::int as trading
     from referral_invitees join core_users using (user_id) where inviter = $1`,
    [user],
  )
  return rows[0]!
}

export type ReferralDay = { readonly day: number; readonly first: Decimal; readonly second: Decimal }

/** Commission of each UTC day with any from `since` on, in USDT when it was paid, oldest first: of the user's invitees, and of theirs. */
export async function referralDays(pool: pg.Pool, user: UserId, since: number): Promise<readonly ReferralDay[]> {
  const { rows } = await pool.query<ReferralDay>(
    `select day_ms as day, coalesce(sum(value) filter (where level = 1), 0)::text as first,
       coalesce(sum(value) filter (where level = 2), 0)::text as second
     from referral_days where inviter = $1 and day_ms >= $2 group by 1 order by 1`,
    [user, since],
  )
  return rows
}

export type ReferralSum = { readonly asset: string; readonly amount: Decimal; readonly value: Decimal }

/** All commission of a user by asset, with its value in USDT when it was paid. */
export async function referralSums(pool: pg.Pool, user: UserId): Promise<readonly ReferralSum[]> {
  const { rows } = await pool.query<ReferralSum>(
    `select asset, sum(amount)::text as amount, sum(value)::text as value from referral_days where inviter = $1
     group by 1 order by sum(value) desc, 1`,
    [user],
  )
  return rows
}
