import type { AssetId, UserId } from '@candor/core/protocol/ids.ts'
import type { Ask } from '@candor/core/protocol/port.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import type pg from 'pg'
import { type Event, type Facts, flagTimes, protectionActions, reopenedActions } from './flags.ts'

/** A request of the core that nobody has looked at. */
export type Fresh = {
  readonly id: number
  readonly user_id: number
  readonly account: string
  readonly opened_at: number
  readonly asset: string
  readonly network: number
  readonly amount: string
  readonly destination: number
  readonly people: number
  readonly requested_at_ms: number
}

/** What the engine is asked for. */
export type AskedForFacts = Pick<Ask, 'chainStanding' | 'listing' | 'withdrawTerms'>

const eventsMax = 200
const addressesMax = 500
const sharedMax = 20

/** Requests without a review, oldest first. */
export async function freshRequests(pool: pg.Pool, max: number): Promise<readonly Fresh[]> {
  const { rows } = await pool.query<Fresh>(
    `select w.id, w.user_id, a.id as account, a.created_at as opened_at, w.asset, w.network, trim_scale(w.amount)::text as amount, w.destination, w.people, w.requested_at_ms
     from core_withdrawals w join accounts a on a.core_user = w.user_id left join withdrawal_reviews r on r.withdrawal = w.id
     where w.state = 'requested' and r.withdrawal is null order by w.id limit $1`,
    [max],
  )
  return rows
}

/** Everything that speaks for a second look at a request. throws  when the engine is away */
export async function factsOf(pool: pg.Pool, ask: AskedForFacts, fresh: Fresh): Promise<Facts> {
  const [{ debts, unfinal }, { assets }, terms, events, address, { shared, earlier }, before, day] = await Promise.all([
    ask.chainStanding(fresh.user_id as UserId),
    ask.listing(),
    ask.withdrawTerms(),
    eventsOf(pool, fresh),
    addressOf(pool, fresh),
    othersOf(pool, fresh),
    pastOf(pool, fresh),
    dayOf(pool, fresh),
  ])
  const assetOf = (id: AssetId) => assets.find((one) => one.id === id)!
  const asset = assets.find(({ symbol }) => symbol === fresh.asset)
  const own = terms.find((one) => one.asset === asset?.id && one.network === fresh.network)?.terms
  const text = (units: number): string => formatUnits(units, asset?.scale ?? 0)
  return {
    ...{ people: fresh.people, day, limits: own && { autoMax: text(own.autoMax), singleMax: text(own.singleMax) } },
    ...{ at: fresh.requested_at_ms, openedAt: fresh.opened_at, amount: fresh.amount, events, ...address, ...before },
    ...{ earlierAddresses: earlier, sharedWith: shared },
    debts: debts.map(({ asset, amount }) => ({ asset: assetOf(asset).symbol, amount: formatUnits(amount, assetOf(asset).scale) })),
    hasUnfinal: unfinal.some(({ amount }) => amount > 0),
  }
}

async function eventsOf(pool: pg.Pool, { account, requested_at_ms: at }: Fresh): Promise<readonly Event[]> {
  const { rows } = await pool.query<Event>(
    `select action, at from audit_log
     where account = $1 and at > $2 and (action = any($3) or (action = 'login' and detail ->> 'isNewDevice' = 'true'))
     order by at desc, id desc limit ${eventsMax}`,
    [account, at - flagTimes.newMs, [...protectionActions, ...reopenedActions]],
  )
  return rows
}

type AddressFacts = Pick<Facts, 'address' | 'addressAddedAt' | 'paidBefore'>

async function addressOf(pool: pg.Pool, { id, account, destination, requested_at_ms: at }: Fresh): Promise<AddressFacts> {
  const { rows } = await pool.query<AddressFacts>(
    `select d.address, d.added_at as "addressAddedAt", (
       select count(*)::int from core_withdrawals w join withdrawal_addresses o on o.number = w.destination
       where o.account = $2 and o.network = d.network and o.address = d.address and w.state = 'paid' and w.id < $3
         and not exists (
           select from core_withdrawals f join withdrawal_addresses g on g.number = f.destination
           where g.account = $2 and g.network = d.network and g.address = d.address and f.state = 'failed' and f.id > w.id and f.id < $3
         )
     ) as "paidBefore"
     from withdrawal_addresses d where d.number = $1 and d.account = $2`,
    [destination, account, id],
  )
  // An address that the list does not have is as new as can be.
  return rows[0] ?? { address: '', addressAddedAt: at, paidBefore: 0 }
}

async function othersOf(pool: pg.Pool, { account, destination }: Fresh) {
  const [{ rows: shared }, { rows: earlier }] = await Promise.all([
    pool.query<{ uid: string }>(
      `select distinct a.uid from withdrawal_addresses d
       join withdrawal_addresses o on o.network = d.network and o.address = d.address and o.account <> d.account
       join accounts a on a.id = o.account where d.number = $1 order by a.uid limit ${sharedMax}`,
      [destination],
    ),
    pool.query<{ address: string }>(
      `select distinct o.address from withdrawal_addresses d
       join withdrawal_addresses o on o.account = d.account and o.number < d.number and o.address <> d.address
       where d.number = $1 and d.account = $2 order by o.address limit ${addressesMax}`,
      [destination, account],
    ),
  ])
  return { shared: shared.map(({ uid }) => uid), earlier: earlier.map(({ address }) => address) }
}

async function pastOf(pool: pg.Pool, { id, user_id: user, asset, requested_at_ms: at }: Fresh): Promise<Pick<Facts, 'largest' | 'all'>> {
  const { rows } = await pool.query<Pick<Facts, 'largest' | 'all'>>(
    `select trim_scale(max(amount) filter (where ended_at_ms > $4))::text as largest, trim_scale(sum(amount))::text as all
     from core_withdrawals where user_id = $1 and asset = $2 and state = 'paid' and id < $3`,
    [user, asset, id, at - flagTimes.historyMs],
  )
  return rows[0]!
}

/** All that the customer asked for of the asset in the last day, this request included, on all networks. */
async function dayOf(pool: pg.Pool, { id, user_id: user, asset, amount, requested_at_ms: at }: Fresh): Promise<string> {
  const { rows } = await pool.query<{ sum: string | null }>(
    `select trim_scale(sum(amount))::text as sum from core_withdrawals
     where user_id = $1 and asset = $2 and id <= $3 and requested_at_ms > $4 and state in ('requested', 'approved', 'paid')`,
    [user, asset, id, at - flagTimes.dayMs],
  )
  return rows[0]?.sum ?? amount
}
