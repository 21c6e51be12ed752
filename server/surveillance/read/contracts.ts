import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Millis } from '@candor/core/money/brand.ts'
import { dayMs, type Span } from '../days.ts'
import type { Thresholds } from '../thresholds.ts'
import type { Reads } from './reads.ts'

/** A settled order of Second that was won or lost. Its direction is not read. */
export type Contract = {
  readonly id: number
  readonly isWon: boolean
  readonly accepted: Millis
  readonly expires: Millis
  readonly result: number
}

/** An account with its won and lost orders of the last days. */
export type Player = { readonly user: UserId; readonly wins: number; readonly losses: number }

export type Players = { readonly players: readonly Player[]; readonly contracts: number; readonly accounts: number }

/** Accounts that won more than they lost, of those with an order that was settled on this day. */
export async function suspectPlayers(
  reads: Reads,
  { from, to }: Span,
  { secondWins: { backDays, contractsMin, fairShare } }: Thresholds,
): Promise<Players> {
  const { rows } = await reads.client.query<Player & { readonly contracts: number; readonly accounts: number }>(
    `with day as materialized (
       select user_id, count(*) as settled from options where result is not null and settled_at_ms >= $1 and settled_at_ms < $2 group by 1
     ),
     sums as (
       select user_id, count(*) filter (where result = 'win') as wins, count(*) filter (where result = 'lose') as losses
       from options join day using (user_id)
       where result in ('win', 'lose') and settled_at_ms >= $3 and settled_at_ms < $2 group by 1
     )
     select s.user_id::bigint as user, s.wins::bigint, s.losses::bigint,
       (select coalesce(sum(settled), 0) from day)::bigint as contracts, (select count(*) from sums where wins + losses >= $4)::bigint as accounts
     from (select null) nothing left join sums s on wins + losses >= $4 and wins > $5::float8 * (wins + losses)
     order by (wins - $5 * (wins + losses)) / sqrt(wins + losses) desc nulls last, s.user_id limit $6`,
    [from, to, to - backDays * dayMs, contractsMin, fairShare, reads.limits.players],
  )
  const { contracts, accounts } = rows[0]!
  return {
    players: reads.taken(
      'players',
      rows.filter(({ user }) => user !== null),
    ),
    contracts,
    accounts,
  }
}

/** The won and lost orders of an account, in the order in which they were accepted. */
export async function contractsOf(reads: Reads, { user }: Player, { to }: Span, { secondWins }: Thresholds): Promise<readonly Contract[]> {
  const { rows } = await reads.client.query<Contract>(
    `select id, result = 'win' as "isWon", accepted_at_ms as accepted, expires_at_ms as expires, (payout - stake)::float8 as result
     from options where user_id = $1 and result in ('win', 'lose') and settled_at_ms >= $2 and settled_at_ms < $3
     order by accepted_at_ms, id limit $4`,
    [user, to - secondWins.backDays * dayMs, to, reads.limits.contracts],
  )
  return reads.taken('contracts', rows)
}
