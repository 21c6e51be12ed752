import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Pool } from 'pg'
import { startScratchServer } from '../../../store/test/scratch.ts'
import { DepositWorld } from '../../test/world.ts'

/** What the sums are, and what the rows add up to. */
async function compare(pool: Pool): Promise<void> {
  const { rows: kept } = await pool.query('select what, network, key, sum::text from chain_sums where sum <> 0 order by 1, 2, 3')
  const { rows: counted } = await pool.query(`
    select what, network, key, sum(value)::text from (
      select case kind when 'credit' then 'credited' else 'orphaned' end as what, network, asset as key, amount as value
        from deposit_postings where kind in ('credit', 'orphan') and refusal is null
      union all select 'due', network, asset, amount from deposits where credit is not null
      union all select 'swept', network, contract, raw from deposits where swept_block is not null
      union all select 'gone', network, contract, value from treasury_flows where is_done and what is distinct from 'inflow'
      union all select 'paid', network, coalesce(contract, ''), value from payouts where fate = 'paid') r
    group by what, network, key order by 1, 2, 3`)
  assert.deepEqual(kept, counted)
}

const changes = [
  `insert into deposits (network, txid, ordinal, asset, contract, sender, address, account, user_no, raw, block_number, block_hash, block_at, state, seen_at)
   select 'ethereum', 't' || n, 0, 'USDT', 'c', 's', 'a1', id, 1, n * 1000, n, 'h', 0, 'confirming', 0 from accounts, generate_series(1, 9) n`,
  `update deposits set state = 'credited', credit = id, amount = raw where id < 8`,
  `insert into deposit_postings (network, kind, credit, deposit, user_no, asset, amount, is_final, made_at)
   select network, 'credit', credit, id, user_no, asset, amount, false, 0 from deposits where credit is not null`,
  `update deposit_postings set done_at = 5 where id < 4`,
  `update deposit_postings set done_at = 6, refusal = 'CREDIT_TOO_OLD' where id = 4`,
  `update deposits set state = 'held', credit = null, amount = null where id = 4`,
  `insert into deposit_postings (network, kind, credit, deposit, user_no, asset, amount, is_final, made_at)
   select network, 'orphan', credit, id, user_no, asset, amount, false, 0 from deposits where id = 2`,
  `update deposits set state = 'orphaned', credit = null, amount = null where id = 2`,
  `update deposits set swept_block = 20 where id in (1, 3)`,
  `insert into treasury_flows (network, txid, ordinal, contract, sender, recipient, value, block, block_hash, block_at)
   select 'ethereum', 'f' || n, 0, 'c', 'a1', 'x', n * 1000, 19, 'h', 0 from generate_series(1, 5) n`,
  `update treasury_flows set what = 'sweep', is_done = true where txid in ('f1', 'f3')`,
  `update treasury_flows set what = 'inflow', is_done = true where txid = 'f2'`,
  `delete from treasury_flows where txid in ('f3', 'f4')`,
  `insert into payouts (withdrawal, network, chain_id, user_no, client_id, contract, recipient, value, proofs, state, taken_at)
   select n, 'ethereum', 1, 1, 'w' || n, nullif('c', case when n = 3 then 'c' end), 'r', n * 10, '{}', 'taken', 0 from generate_series(1, 4) n`,
  `update payouts set state = 'settled', fate = case withdrawal when 2 then 'reverted' else 'paid' end, txid = 'p' || withdrawal where withdrawal < 4`,
  `update payouts set state = 'done', done_at = 7 where withdrawal < 3`,
]

test('TREASURY-SUMS-001: the sums that are compared with the core are those of the rows after each change of them', async () => {
  await using server = await startScratchServer()
  await using world = new DepositWorld(await server.store(), { readers: [], tokens: [] })
  await world.customer(1, 'a1')
  for (const change of changes) {
    await world.store.pool.query(change)
    await compare(world.store.pool)
  }
  const { rows } = await world.store.pool.query<{ count: number }>('select count(*)::int as count from chain_sums where sum <> 0')
  assert.equal(rows[0]!.count, 7)
})
