import { type Kysely, sql } from 'kysely'

/**
 * Transfers that left deposit addresses and are not settled: the comparison of chains and books looks for them each minute. Payouts and
 * transfers between own addresses, which stay in the table for ever, are none.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index treasury_flows_gone on treasury_flows (network, sender, contract)
    where not is_done and (what is null or what not in ('payout', 'internal'))`.execute(db)
}
