import type { TreeKind } from '@candor/core/proof/liabilities.ts'
import type pg from 'pg'

/** What customers have or owe in one asset: `units[n]` of its smallest unit belong to the customer with the UID `uids[n]`. */
export type Holdings = {
  readonly asset: string
  readonly kind: TreeKind
  readonly scale: number
  readonly uids: number[]
  readonly units: number[]
}

/** Tables at one position of the journal. `holdings`: in the order of a statement's lines. */
export type HoldingsAt = { readonly seq: number; readonly holdings: readonly Holdings[] }

/** Few, because the database does them in one piece, and the reader rests after each. */
const [usersAtOnce, customersAtOnce] = [128, 512]

/** Those who can be shown their leaves: users with an account, except the house's own. */
const customers = `select core_user, uid::integer from accounts join core_users on core_users.user_id = core_user
  where core_user > $1 and core_user <= $2 and user_id > $1 and user_id <= $2 and not is_house`

const among = 'user_id > $1 and user_id <= $2'

/**
 * Units of the futures accounts, by user and asset: each isolated position counts for its margin and its profit at the mark, and the rest of
 * the account, with the profit of all cross positions, likewise; but never for less than nothing.
 */
const futures = `select user_id, asset, greatest(0, balance - coalesce(margin, 0) + coalesce(profit, 0)) + coalesce(isolated, 0) as amount
  from (
    select user_id, asset, available + held as balance from balances where ${among} and kind = 'perp'
  ) accounts left join (
    select user_id, quote as asset, sum(margin) filter (where mode = 'isolated') as margin,
      sum(gain) filter (where mode = 'cross') as profit, sum(greatest(0, margin + gain)) filter (where mode = 'isolated') as isolated
    from (
      select user_id, quote, mode, margin, quantity * mark - sign(quantity) * cost as gain
      from positions join markets on symbol = market join perp_marks using (market) where ${among}
    ) valued group by user_id, quote
  ) open using (user_id, asset)`

/** Sums that wait in presales for a decision, which no account has. */
const pledges = `select user_id, symbol as asset, amount / 10::numeric ^ scale as amount
  from presale_subscriptions join presales on number = presale join assets on id = (terms ->> 'pay')::integer
  where ${among} and outcome is null`

const debts = `select user_id, asset, owed as amount from (
    select distinct on (user_id, market, asset) user_id, asset, owed from debt_days where ${among}
    order by user_id, market, asset, day_ms desc
  ) latest`

/**
 * Amounts in whole units, several for one user and asset. Only that of a futures account has more digits than its asset, and there is one for
 * each: their sum is that of the rounded ones.
 */
const amounts = `with coins as materialized (select symbol, 10::numeric ^ scale as units from assets)
  select user_id, kind, asset, (amount * units)::bigint from (
    select user_id, 'claims' as kind, asset, available + held as amount from balances where ${among} and kind <> 'perp'
    union all select user_id, 'claims', asset, amount from (${futures}) of_futures
    union all select user_id, 'claims', asset, amount from (${pledges}) of_presales
    union all select user_id, 'debts', asset, amount from (${debts}) of_loans
  ) every join coins on coins.symbol = asset`

/**
 * What all customers have and owe, as the tables are now.
 *
 * client  in a transaction with one snapshot
 * rest    called after each read of a few customers
 */
export async function readHoldings(client: Pick<pg.ClientBase, 'query'>, rest: () => void = () => undefined): Promise<HoldingsAt> {
  const { rows } = await client.query<{ seq: number; last: number }>(
    'select seq, (select coalesce(max(user_id), 0) from core_users) as last from projection',
  )
  const { seq, last } = rows[0]!
  // One plan for all, by indexes, in this process alone, whatever the server's settings are: to make one takes longer than to read so few.
  await client.query(
    'set local plan_cache_mode = force_generic_plan; set local random_page_cost = 1.1; set local jit = off; set local max_parallel_workers_per_gather = 0',
  )
  const uids = new Uint32Array(last + 1)
  for await (const some of slices<[number, number]>(client, { name: 'customers', text: customers }, last, customersAtOnce)) {
    for (const [user, uid] of some) uids[user] = uid
    rest()
  }
  const { rows: assets } = await client.query<{ symbol: string; scale: number }>('select symbol, scale from assets')
  const scales = new Map(assets.map(({ symbol, scale }) => [symbol, scale]))
  const found = new Map<string, Holdings>()
  for await (const some of slices<[number, TreeKind, string, number]>(client, { name: 'amounts', text: amounts }, last, usersAtOnce)) {
    const sums = new Map<string, Map<number, number>>()
    for (const [user, kind, asset, units] of some) {
      const uid = uids[user] ?? 0
      if (uid === 0) continue
      const name = `${asset} ${kind}`
      const own = sums.get(name) ?? new Map<number, number>()
      if (own.size === 0) sums.set(name, own)
      own.set(uid, (own.get(uid) ?? 0) + units)
      if (!found.has(name)) found.set(name, { asset, kind, scale: scales.get(asset)!, uids: [], units: [] })
    }
    for (const [name, own] of sums) {
      const one = found.get(name)!
      for (const [uid, units] of own) {
        if (units <= 0) continue
        one.uids.push(uid)
        one.units.push(units)
      }
    }
    rest()
  }
  const holdings = [...found].filter(([, { uids }]) => uids.length > 0).sort(([a], [b]) => (a < b ? -1 : 1))
  return { seq, holdings: holdings.map(([, one]) => one) }
}

/** Rows of users up to `last`, so many users at a time. `query`: takes the user before the first one, and the last one. */
async function* slices<Row extends unknown[]>(
  client: Pick<pg.ClientBase, 'query'>,
  query: { readonly name: string; readonly text: string },
  last: number,
  users: number,
): AsyncGenerator<readonly Row[]> {
  for (let after = 0; after < last; after += users)
    yield (await client.query<Row>({ ...query, values: [after, after + users], rowMode: 'array' })).rows
}
