import type { Millis } from '@candor/core/money/brand.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Span } from '../days.ts'
import type { Thresholds } from '../thresholds.ts'
import type { Range } from './ranges.ts'
import type { Reads } from './reads.ts'

/** Trades of two accounts with each other in a market on a day; `one` is the lower number. Amounts are rounded. */
export type Pair = {
  readonly market: string
  readonly one: UserId
  readonly other: UserId
  readonly trades: number
  /** Sum of their trades in the quote asset. */
  readonly quote: number
  /** Quantities that `one` bought from `other` and sold to it. */
  readonly bought: number
  readonly sold: number
  /** All trades of each in this market. */
  readonly oneQuote: number
  readonly otherQuote: number
  readonly from: Millis
  readonly to: Millis
}

/** A trade of a pair. `isBought`: by `one`. */
export type PairTrade = {
  readonly at: Millis
  readonly isBought: boolean
  readonly price: number
  readonly quantity: number
  readonly quote: number
  readonly orders: readonly [number, number]
}

export type Wanted = { readonly range: Range; readonly own: readonly UserId[]; readonly linked: readonly (readonly [UserId, UserId])[] }

/**
 * Pairs that a detector looks at: linked ones, accounts that traded with themselves, and pairs that trade to and fro and mostly with each
 * other. All trades of the day are added up in the database, so that only few rows leave it.
 */
export async function suspectPairs(
  reads: Reads,
  market: string,
  { range, own, linked }: Wanted,
  { roundTrips: { tripsMin, shareMin } }: Thresholds,
): Promise<{ readonly pairs: readonly Pair[]; readonly trades: number; readonly accounts: number }> {
  const { rows } = await reads.client.query<Pair & { readonly all: number; readonly accounts: number }>(
    `with pairs as materialized (
       select least(maker_user, taker_user) as one, greatest(maker_user, taker_user) as other, count(*) as trades, sum(quote) as quote,
         coalesce(sum(quantity) filter (where case taker_side when 'buy' then taker_user else maker_user end = least(maker_user, taker_user)), 0) as bought,
         coalesce(sum(quantity) filter (where case taker_side when 'buy' then taker_user else maker_user end <> least(maker_user, taker_user)), 0) as sold,
         min(at_ms) as "from", max(at_ms) as "to"
       from trades where market = $1 and trade_id >= $2 and trade_id < $3 group by 1, 2
     ),
     volumes as materialized (
       select who, sum(quote) as quote
       from (select one as who, quote from pairs union all select other, quote from pairs where other <> one) sides group by who
     ),
     linked as (select * from unnest($5::bigint[], $6::bigint[]) as l (one, other))
     select $1 as market, p.one::bigint, p.other::bigint, p.trades::bigint, p.quote::float8, p.bought::float8, p.sold::float8,
       a.quote::float8 as "oneQuote", b.quote::float8 as "otherQuote", p."from", p."to",
       (select coalesce(sum(trades), 0) from pairs)::bigint as all, (select count(*) from volumes)::bigint as accounts
     from (select null) nothing left join (
       pairs p join volumes a on a.who = p.one join volumes b on b.who = p.other left join linked l on l.one = p.one and l.other = p.other
     ) on p.one > 0 and not (p.one = any($4) and p.other = any($4)) and (
       p.one = p.other or l.one is not null or (
         p.trades >= 2 * $7 and p.bought > 0 and p.sold > 0 and not p.one = any($4) and not p.other = any($4)
         and p.quote >= $8 * greatest(a.quote, b.quote)
       )
     )
     order by p.quote desc nulls last, p.one, p.other limit $9`,
    [
      ...[
        market,
        range.from,
        range.to,
        own,
        linked.map(([one]) => one),
        linked.map(([, other]) => other),
        tripsMin,
        shareMin,
        reads.limits.pairs,
      ],
    ],
  )
  const { all, accounts } = rows[0]!
  return {
    pairs: reads.taken(
      'pairs',
      rows.filter(({ one }) => one !== null),
    ),
    trades: all,
    accounts,
  }
}

/** The trades of a pair on a day, oldest first. */
export async function tradesOfPair(
  reads: Reads,
  { market, one, other }: Pick<Pair, 'market' | 'one' | 'other'>,
  { from, to }: Span,
): Promise<readonly PairTrade[]> {
  const { rows } = await reads.client.query<Omit<PairTrade, 'orders'> & { readonly maker: number; readonly taker: number }>(
    `select at_ms as at, (maker_user = $2) = (taker_side = 'sell') as "isBought", price::float8, quantity::float8, quote::float8,
       maker_order as maker, taker_order as taker
     from trades
     where market = $1 and ((maker_user = $2 and taker_user = $3) or (maker_user = $3 and taker_user = $2)) and at_ms >= $4 and at_ms < $5
     order by trade_id limit $6`,
    [market, one, other, from, to, reads.limits.trades],
  )
  return reads.taken('trades', rows).map(({ maker, taker, ...row }) => ({ ...row, orders: [maker, taker] }))
}
