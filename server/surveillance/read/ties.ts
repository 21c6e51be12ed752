import type { Millis } from '@candor/core/money/brand.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { dayMs, type Span } from '../days.ts'
import type { Thresholds } from '../thresholds.ts'
import type { Reads } from './reads.ts'

/** `firm`: accounts of one firm. `member`: the account of a firm, and that of a person who takes part in it. */
type Kind = 'device' | 'network' | 'document' | 'referral' | 'firm' | 'member'

/** What two accounts share; `one` is the lower number. `count`: logins, days, documents. */
export type Tie = {
  readonly kind: Kind
  readonly one: UserId
  readonly other: UserId
  readonly count: number
  /** When it was seen last. */
  readonly at: Millis
}

/**
 * Accounts of one device or document of which each pair is tied; of more, each is tied to the first. Far more than a person needs to hide
 * two that trade with each other among others, and few enough for all their pairs.
 */
const eachMax = 100

/** All ties of accounts as they were at the end of a span. */
export async function tiesOf(reads: Reads, span: Span, { linked }: Thresholds): Promise<readonly Tie[]> {
  const since = span.to - linked.backDays * dayMs
  const strong = [
    ...(await devices(reads, since, span.to)),
    ...(await documents(reads, span.to)),
    ...(await networks(reads, since, span.to, linked)),
  ]
  return [...strong, ...(await referrals(reads, strong)), ...(await firms(reads, since, span.to))]
}

/** Accounts that logged in with the key of one browser. The key is a random secret of that browser. */
async function devices(reads: Reads, since: number, to: number): Promise<readonly Tie[]> {
  const { rows } = await reads.client.query<Group>(
    `select array_agg(user_id order by user_id) as users, sum(logins)::int as count, max(at) as at
     from (
       select device_key, core_user as user_id, count(*) as logins, least(max(last_seen_at), $2::bigint - 1) as at
       from sessions join accounts on accounts.id = account
       where last_seen_at >= $1 and sessions.created_at < $2 and core_user is not null group by 1, 2
     ) seen group by device_key having count(*) > 1 order by 3 desc limit $3`,
    [since, to, reads.limits.devices],
  )
  return reads.taken('devices', rows).flatMap((group) => pairsOf('device', group))
}

/** Accounts whose owners sent the same document, certified or not. */
async function documents(reads: Reads, to: number): Promise<readonly Tie[]> {
  const { rows } = await reads.client.query<Group>(
    `select array_agg(user_id order by user_id) as users, sum(sent)::int as count, max(at) as at
     from (
       select tag, core_user as user_id, count(*) as sent, max(sent_at) as at
       from papers join accounts on accounts.id = account
       where tag is not null and sent_at < $1 and core_user is not null group by 1, 2
     ) seen group by tag having count(*) > 1 order by 3 desc limit $2`,
    [to, reads.limits.documents],
  )
  return reads.taken('documents', rows).flatMap((group) => pairsOf('document', group))
}

/**
 * Accounts that used one network, an address of IPv4 or 64 bits of IPv6, on several days. Of each session and key the first and the last
 * day are known, so days are missing rather than too many.
 */
async function networks(reads: Reads, since: number, to: number, linked: Thresholds['linked']): Promise<readonly Tie[]> {
  const { rows } = await reads.client.query<{ one: UserId; other: UserId; count: number; at: Millis }>(
    `with seen as materialized (
       select distinct core_user as user_id, at / $5::bigint as day,
         case when ip ~ '^[0-9a-fA-F:]+:[0-9a-fA-F:]*$' then host(network(set_masklen(ip::inet, 64))) else ip end as network
       from (
         select account, ip, at from activity_origins, lateral (values (first_at), (last_at)) times (at) where last_at >= $1
         union all
         select account, ip, at from sessions, lateral (values (created_at), (last_seen_at)) times (at) where last_seen_at >= $1
       ) used join accounts on accounts.id = account
       where at >= $1 and at < $2 and core_user is not null
     ),
     small as (select network from seen group by network having count(distinct user_id) between 2 and $3)
     select a.user_id::bigint as one, b.user_id::bigint as other, count(distinct a.day)::int as count, (max(a.day) * $5)::bigint as at
     from seen a join small using (network) join seen b on b.network = a.network and b.day = a.day and b.user_id > a.user_id
     group by 1, 2 having count(distinct a.day) >= $4 order by 3 desc, 1, 2 limit $6`,
    [since, to, linked.networkAccountsMax, linked.networkDaysMin, dayMs, reads.limits.networks],
  )
  return reads.taken('networks', rows).map((row) => ({ kind: 'network', ...row }))
}

/** Accounts of firms, with each other and with those of their members, also of ones that ended since then. Newest firms first. */
async function firms(reads: Reads, since: number, to: number): Promise<readonly Tie[]> {
  const { rows } = await reads.client.query<Tie>(
    `with part as (
       select f.firm, core_user as user_id, true as is_firm, made_at as at from firm_accounts f join accounts on id = account
       where made_at < $2 and core_user is not null
       union all
       select m.firm, core_user, false, joined_at from firm_members m join accounts a on a.id = account
       where joined_at < $2 and (ended_at is null or ended_at >= $1) and core_user is not null
     )
     select case when a.is_firm and b.is_firm then 'firm' else 'member' end as kind, a.user_id::bigint as one, b.user_id::bigint as other,
       1 as count, max(greatest(a.at, b.at))::bigint as at
     from part a join part b on b.firm = a.firm and b.user_id > a.user_id and (a.is_firm or b.is_firm)
     group by 1, 2, 3 order by 5 desc, 2, 3 limit $3`,
    [since, to, reads.limits.firms],
  )
  return reads.taken('firms', rows)
}

/** Which of the tied accounts invited the other. */
async function referrals({ client }: Reads, ties: readonly Tie[]): Promise<readonly Tie[]> {
  const { rows } = await client.query<{ one: UserId; other: UserId; at: Millis }>(
    `select distinct one::bigint, other::bigint, a.created_at as at
     from unnest($1::bigint[], $2::bigint[]) as tie (one, other)
     join accounts a on (a.core_user = one and a.referrer_user = other) or (a.core_user = other and a.referrer_user = one)`,
    [ties.map(({ one }) => one), ties.map(({ other }) => other)],
  )
  return rows.map((row) => ({ kind: 'referral', count: 1, ...row }))
}

/** Accounts that share one thing, in rising order. */
type Group = { readonly users: readonly string[]; readonly count: number; readonly at: Millis }

/** The ties of a group. */
export function pairsOf(kind: Kind, { users: texts, count, at }: Group): readonly Tie[] {
  // Arrays of 64-bit integers come as texts.
  const users = texts.map(Number) as UserId[]
  const firsts = users.length > eachMax ? users.slice(0, 1) : users
  return firsts.flatMap((one, place) => users.slice(place + 1).map((other): Tie => ({ kind, one, other, count, at })))
}
