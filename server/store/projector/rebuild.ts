import type pg from 'pg'
import { coreVersion } from '../../journal/row.ts'
import { inTransaction } from '../transaction.ts'
import { StoreFault } from '../fault.ts'

const perpTables = [
  ...(['positions', 'closed_positions', 'funding_payments', 'funding_rates'] as const),
  ...(['liquidations', 'deleverages', 'margin_changes', 'perp_marks', 'perp_days'] as const),
]

/** Tables that a replay fills again. */
export const projectedTables = [
  'orders',
  'trades',
  'prevented_matches',
  'ledger_entries',
  'balances',
  'core_users',
  'markets',
  'assets',
  'volume_hours',
  'figure_hours',
  'trader_days',
  'fund_days',
  ...perpTables,
  'insurance_days',
  'fund_inventory',
  'core_credits',
  'core_withdrawals',
  'algo_orders',
  'conversions',
  'referral_invitees',
  'referral_days',
  'presales',
  'presale_subscriptions',
  'options',
  'index_tape',
  'balance_days',
  'debt_days',
  'holding_costs',
  'loan_changes',
  'margin_liquidations',
  'lend_claims',
  'lend_rates',
  'receipts',
] as const
/** Also filled again; their reference candles, which are not in the journal, stay. */
export const candleTables = ['candles_1s', 'candles_1m', 'candles_1h', 'mark_candles_1m', 'mark_candles_1h'] as const

/**
 * Empties the tables, so that the next projector fills them again from the first command on; a running projector stops. Throws
 * a StoreFault when the journal no longer begins at the first command.
 */
export async function emptyProjection(pool: pg.Pool): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query('select seq - n as before, core_version as version from journal order by seq limit 1')
    const before = rows[0]?.before ?? 0
    if (before !== 0) throw new StoreFault(`The journal begins after ${before}: earlier events cannot be projected again`)
    if (rows[0] !== undefined && rows[0].version !== coreVersion)
      throw new StoreFault('An earlier build decided the first commands: only its own code can project them again')
    // Events that already went to webhooks or into notices must not go there again.
    await client.query('update webhook_state set done_seq = greatest(done_seq, (select seq from projection))')
    await client.query('update notice_state set done_seq = greatest(done_seq, (select seq from projection))')
    await client.query('update projection set seq = 0, at_ms = 0')
    await client.query(`truncate ${projectedTables.join(', ')}`)
    for (const table of candleTables) await client.query(`delete from ${table} where not is_reference`)
  })
}
