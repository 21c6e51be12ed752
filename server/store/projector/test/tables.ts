import type pg from 'pg'

export const projected = [
  ...['orders', 'trades', 'prevented_matches', 'ledger_entries', 'balances', 'core_users', 'assets', 'markets'],
  ...['candles_1s', 'candles_1m', 'candles_1h', 'volume_hours', 'projection'],
  ...['positions', 'closed_positions', 'funding_payments', 'funding_rates', 'liquidations', 'deleverages'],
  ...['margin_changes', 'perp_marks', 'perp_days'],
  'insurance_days',
  ...['figure_hours', 'trader_days', 'fund_days'],
  'fund_inventory',
  ...['core_credits', 'core_withdrawals', 'conversions'],
  ...['referral_invitees', 'referral_days'],
  ...['presales', 'presale_subscriptions'],
  'options',
  'index_tape',
  'balance_days',
  'debt_days',
  'holding_costs',
  ...['loan_changes', 'margin_liquidations', 'lend_claims', 'lend_rates'],
  ...['mark_candles_1m', 'mark_candles_1h'],
  'receipts',
]

/** Keeps a copy of the current tables for a later comparison. */
export async function keep(pool: pg.Pool): Promise<void> {
  await pool.query('drop schema if exists kept cascade; create schema kept')
  for (const table of projected) await pool.query(`create table kept.${table} as table public.${table}`)
}

/** Rows that only one of the two has, by table; empty when the tables are equal. */
export async function differences(pool: pg.Pool): Promise<Readonly<Record<string, number>>> {
  const found: Record<string, number> = {}
  for (const table of projected) {
    const [now, kept] = [`table public.${table}`, `table kept.${table}`]
    const { rows } = await pool.query(
      `select (select count(*) from (${now} except ${kept}) a) + (select count(*) from (${kept} except ${now}) b)
         + abs((select count(*) from public.${table}) - (select count(*) from kept.${table})) as rows`,
    )
    if (rows[0].rows !== 0) found[table] = rows[0].rows
  }
  return found
}
