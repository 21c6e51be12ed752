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

/** Few, because the reader rests after each page. */
const rowsPerFetch = 500

/** Those who can be shown their leaves: users with an account, except the house's own. */
const customers = `select uid::integer as uid, core_user as user_id from accounts join core_users on core_users.user_id = core_user
  where not is_house`

/**
 * Units of the futures accounts, by user and asset: each isolated position counts for its margin and its profit at the mark, and the rest of
 * the account, with the profit of all cross positions, likewise; but never for less than nothing.
 */
const futures = `select user_id, asset, greatest(0, balance - coalesce(margin, 0) + coalesce(profit, 0)) + coalesce(isolated, 0) as amount
  from (
    select user_id, asset, available + held as balance from balances where user_id > 0 and kind = 'perp'
  ) accounts left join (
    select user_id, quote as asset, sum(margin) filter (where mode = 'isolated') as margin,
      sum(gain) filter (where mode = 'cross') as profit, sum(greatest(0, margin + gain)) filter (where mode = 'isolated') as isolated
    from (
      select user_id, quote, mode, margin, quantity * mark - sign(quantity) * cost as gain
      from positions join markets on symbol = market join perp_marks using (market)
    ) valued group by user_id, quote
  ) open using (user_id, asset)`

/** Sums that wait in presales for a decision, which no account has. */
const pledges = `select user_id, symbol as asset, amount / 10::numeric ^ scale as amount
  from presale_subscriptions join presales on number = presale join assets on id = (terms ->> 'pay')::integer where outcome is null`

const amounts: Readonly<Record<TreeKind, string>> = {
  claims: `select user_id, asset, available + held as amount from balances where user_id > 0 and kind <> 'perp'
    union all ${futures} union all ${pledges}`,
  debts: `select user_id, asset, owed as amount from (
      select distinct on (user_id, market, asset) user_id, asset, owed from debt_days order by user_id, market, asset, day_ms desc
    ) latest`,
}

const selected = (kind: TreeKind): string => `select assets.symbol, '${kind}', scale, uid, (sum(amount) * 10::numeric ^ scale)::bigint
  from (${amounts[kind]}) held join customers using (user_id) join assets on assets.symbol = asset
  group by assets.symbol, scale, uid having sum(amount) > 0`

/**
 * What all customers have and owe, as the tables are now.
 *
 * client  in a transaction with one snapshot
 * rest    called after each page, of some hundred rows
 */
export async function readHoldings(client: Pick<pg.ClientBase, 'query'>, rest: () => void = () => undefined): Promise<HoldingsAt> {
  const { rows } = await client.query<{ seq: number }>('select seq from projection')
  const found = new Map<string, Holdings>()
  await client.query(
    `declare holdings no scroll cursor for with customers as materialized (${customers}) ${selected('claims')} union all ${selected('debts')}`,
  )
  for (;;) {
    const { rows: page } = await client.query<[string, TreeKind, number, number, number]>({
      text: `fetch ${rowsPerFetch} from holdings`,
      rowMode: 'array',
    })
    if (page.length === 0) break
    for (const [asset, kind, scale, uid, units] of page) {
      let one = found.get(`${asset} ${kind}`)
      if (one === undefined) found.set(`${asset} ${kind}`, (one = { asset, kind, scale, uids: [], units: [] }))
      one.uids.push(uid)
      one.units.push(units)
    }
    rest()
  }
  await client.query('close holdings')
  const holdings = [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
  return { seq: rows[0]!.seq, holdings }
}
