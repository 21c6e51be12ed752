import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import type { AccountRef } from '@candor/core/protocol/account.ts'
import type { Asset, Market } from '@candor/core/protocol/market.ts'
import type { Balance } from '@candor/core/protocol/port.ts'
import type pg from 'pg'
import { readTradeTable, type TradeTable } from './audit-trades.ts'

/** The query tables at one moment, as far as the audit compares them, and their internal contradictions. */
export type Tables = {
  /** The watermark: the tables contain the journal up to here. */
  readonly seq: number
  readonly balances: ReadonlyMap<string, { readonly available: string; readonly held: string }>
  /** Trades after the given position. */
  readonly trades: TradeTable
  readonly problems: readonly string[]
}

const shownMax = 10

/**
 * Reads the tables. Must be called in a transaction with one snapshot, so that nothing is locked and nothing changes in between.
 * `after`: position after which trades are read.
 */
export async function readTables(client: pg.ClientBase, after: number): Promise<Tables> {
  const watermark = await client.query<{ seq: number }>('select seq from projection')
  const balances = await client.query<{ account: string; available: string; held: string }>(
    `select concat_ws('/', user_id, kind, market, asset) as account, available, held from public.balances`,
  )
  const trades = await readTradeTable(client, after)
  const problems: string[] = []
  for (const { say, wrong } of checks) {
    const { rows } = await client.query<{ place: string }>(`${wrong} limit ${shownMax}`)
    problems.push(...rows.map(({ place }) => `${say} ${place}`))
  }
  return {
    seq: (watermark.rows[0] as { seq: number }).seq,
    balances: new Map(balances.rows.map((row) => [row.account, row])),
    trades,
    problems,
  }
}

const makers = "select user_id from public.core_users where class <> 'retail'"

/**
 * Rules that must hold between the tables. Makers' holds are not in the ledger entries, so their available and held balances
 * can't be followed one by one, only their sum.
 */
const checks = [
  {
    say: 'A ledger entry does not follow from the one before it:',
    wrong: `select seq || '-' || line as place from (
        select *, coalesce(lag(available) over account, 0) as old_available, coalesce(lag(held) over account, 0) as old_held
        from public.ledger_entries window account as (partition by user_id, kind, market, asset order by seq, line)
      ) entry
      where available + held <> old_available + old_held + delta + held_delta
        or (available <> old_available + delta and user_id not in (${makers}))`,
  },
  {
    say: 'The ledger entries do not add up to the balance of',
    wrong: `select concat_ws('/', user_id, kind, market, asset) as place
      from public.balances full join (
        select user_id, kind, market, asset, sum(delta) as available_sum, sum(held_delta) as held_sum
        from public.ledger_entries group by user_id, kind, market, asset
      ) entries using (user_id, kind, market, asset)
      where coalesce(available + held, 0) <> coalesce(available_sum + held_sum, 0)
        or (coalesce(available, 0) <> coalesce(available_sum, 0) and user_id not in (${makers}))`,
  },
  {
    say: 'Price × quantity is not the sum of trade',
    wrong: `select market || ' ' || trade_id as place from public.trades where price * quantity <> quote`,
  },
  {
    say: 'Orders and trades differ in what was executed in',
    wrong: `select market as place
      from (select market, sum(executed) as executed, sum(executed_quote) as quote from public.orders group by market) of_orders
      full join (select market, 2 * sum(quantity) as traded, 2 * sum(quote) as traded_quote from public.trades group by market) of_trades
      using (market)
      where coalesce(executed, 0) <> coalesce(traded, 0) or coalesce(quote, 0) <> coalesce(traded_quote, 0)`,
  },
] as const

/** One sentence for each account in which the table and the ledger differ. */
export function compareBalances(
  tables: Tables,
  accounts: readonly Balance[],
  assets: readonly Asset[],
  markets: readonly Market[],
): readonly string[] {
  const problems: string[] = []
  const assetOf = new Map<number, Asset>(assets.map((asset) => [asset.id, asset]))
  const symbolOf = new Map<number, string>(markets.map(({ id, symbol }) => [id, symbol]))
  const seen = new Set<string>()
  for (const { account, available, held } of accounts) {
    const { symbol, scale } = assetOf.get(account.asset) as Asset
    const name = nameOf(account, symbol, symbolOf)
    const row = tables.balances.get(name)
    seen.add(name)
    if (parseUnits(row?.available ?? '0', scale) === available && parseUnits(row?.held ?? '0', scale) === held) continue
    const said = row === undefined ? 'nothing' : `${row.available} and ${row.held} held`
    problems.push(`The table says ${said} of ${name}, the ledger ${formatUnits(available, scale)} and ${formatUnits(held, scale)} held`)
  }
  for (const [name, row] of tables.balances) {
    // The core drops empty accounts.
    const isEmpty = Number(row.available) === 0 && Number(row.held) === 0
    if (!isEmpty && !seen.has(name)) problems.push(`The table says ${row.available} and ${row.held} held of ${name}, the ledger nothing`)
  }
  return problems
}

/** An account in the form of the tables: user, kind, market, asset. The exchange's own accounts have user 0 and their name as kind. */
function nameOf(account: AccountRef, asset: string, symbolOf: ReadonlyMap<number, string>): string {
  if ('system' in account) return `0/${account.system}//${asset}`
  return `${account.user}/${account.kind}/${account.market === undefined ? '' : symbolOf.get(account.market)}/${asset}`
}
