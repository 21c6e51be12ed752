import type { Command } from '@candor/core/protocol/command/index.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Store } from '../../store/open.ts'
import { startProjector } from '../../store/projector/projector.ts'
import { WrittenJournal } from '../../store/projector/test/written-journal.ts'
import { type ScratchServer, startScratchServer } from '../../store/test/scratch.ts'
import { audit } from '../audit.ts'

let server: ScratchServer
let store: Store
let number: number
const networks = [{ name: 'tron', number: 2, tokens: [{ asset: 'USDT', decimals: 6 }] }]
const at = Date.UTC(2026, 0, 15, 12)
before(async () => {
  server = await startScratchServer()
  store = await server.store()
  const written = new WrittenJournal(store.pool, 1, at)
  await written.open()
  const send = async (command: object): Promise<number> => {
    await written.append([command as Command])
    return written.seq
  }
  const credit = { type: 'chain.credit', network: 2, asset: 1, isFinal: false }
  await send({ ...credit, user: 4, credit: 1001, amount: 25_000_000 })
  await send({ ...credit, user: 5, credit: 1002, amount: 3_000_000 })
  await send({ ...credit, user: 5, credit: 1003, amount: 7_000_000 })
  await send({ type: 'chain.final', network: 2, credit: 1001 })
  await send({ type: 'chain.orphan', network: 2, credit: 1002 })
  number = await send({
    ...{ type: 'withdraw.request', clientId: '', user: 4, asset: 1, network: 2, amount: 10_000_000, fee: 1_000_000, destination: 7 },
  })
  await send({ type: 'withdraw.decide', withdrawal: number, isApproved: true, first: 3, second: 4, reason: '' })
  await send({ type: 'withdraw.finish', withdrawal: number, isPaid: true })
  written.at += 3_600_000
  await send({ type: 'clock.tick' })
  await using projector = await startProjector({ store })
  await projector.reached(written.seq)
  await chains()
})
after(() => server[Symbol.asyncDispose]())

/** What the process of chains noted of the same. */
async function chains(): Promise<void> {
  await store.pool.query(
    `insert into accounts (id, uid, core_user, email, password, password_changed_at, lang, invitation_code, class, created_at)
     select gen_random_uuid(), 100000000 + n, n, n || '@example.com', 'x', 0, 'en', 100000000 + n, 'retail', 0 from generate_series(4, 5) n`,
  )
  await store.pool.query(
    `insert into deposit_addresses (network, address, account, user_no, place, signature, made_at)
     select 'tron', 'T' || core_user, id, core_user, core_user, decode(repeat('00', 64), 'hex'), 0 from accounts`,
  )
  // The credits that the journal of this test begins with have no deposits.
  const rows = await store.pool.query<{ network: number; credit: number; user: number; units: number; state: string }>(
    `select network, credit, user_id as user, (amount * 1000000)::bigint as units, state from core_credits where network = 2 order by credit`,
  )
  for (const { credit, user, units, state } of rows.rows) {
    const { rows: made } = await store.pool.query<{ id: number }>(
      `insert into deposits (network, txid, ordinal, asset, contract, sender, address, account, user_no, raw, amount, credit, block_number, block_hash,
         block_at, state, seen_at) select 'tron', $1::bigint::text, 0, 'USDT', 'c', 's', address, account, user_no, $3::bigint, $3::bigint, $1::bigint, 1, 'h', 0, 'final', 0
         from deposit_addresses order by (user_no = $2::bigint) desc limit 1 returning id`,
      [credit, user, units],
    )
    const kinds = ['credit', ...(state === 'final' ? ['final'] : []), ...(state === 'orphaned' ? ['orphan'] : [])]
    for (const kind of kinds)
      await store.pool.query(
        `insert into deposit_postings (network, kind, credit, deposit, user_no, asset, amount, is_final, made_at, done_at)
         values ('tron', $1, $2, $3, $4, 'USDT', $5, false, 0, 1)`,
        [kind, credit, made[0]!.id, user, units],
      )
  }
  await store.pool.query(
    `insert into payouts (withdrawal, network, chain_id, user_no, client_id, recipient, value, proofs, state, fate, txid, taken_at, settled_at, done_at)
     select id, 'tron', 1, user_id, 'c', 'T', (amount - fee) * 1000000, '{}', 'done', case state when 'paid' then 'paid' else 'reverted' end, id, 0, 1, 1
     from core_withdrawals where state in ('paid', 'failed')`,
  )
}

const problems = async (hasNetworks = true): Promise<readonly string[]> =>
  (await audit({ pool: store.pool, ...(hasNetworks ? { networks } : {}) })).problems

/** The problems while this change stands. */
async function damaged(change: string, back: string, hasNetworks = true): Promise<readonly string[]> {
  await store.pool.query(change)
  const found = await problems(hasNetworks)
  await store.pool.query(back)
  return found
}

test('JOURNAL-AUDIT-006: a credit or payment that was changed in the tables is found in the sum of its network', async () => {
  assert.deepEqual(await problems(false), [])
  const more = await damaged(
    'update core_credits set amount = amount + 2 where credit = 1001',
    'update core_credits set amount = amount - 2 where credit = 1001',
    false,
  )
  assert.match(more[0]!, /^The tables say [0-9.]+ USDT in all on network 2, the core [0-9.]+$/)
  assert.match(more[1]!, /^The table core_credits differs from the journal at 2 1001: amount is 27/)
  const unpaid = await damaged(
    `update core_withdrawals set state = 'failed' where id = ${number}`,
    `update core_withdrawals set state = 'paid' where id = ${number}`,
    false,
  )
  assert.equal(unpaid.length, 2)
  const unfinal = await damaged(
    "update core_credits set state = 'final' where credit = 1003",
    "update core_credits set state = 'unfinal' where credit = 1003",
    false,
  )
  assert.match(unfinal[0]!, /USDT not final on network 2, the core/)
})

test('JOURNAL-AUDIT-007: a credit without its posting and a payment without its payout are named, and the other way round', async () => {
  assert.deepEqual(await problems(), [])
  const posting = 'update deposit_postings set'
  assert.deepEqual(
    await damaged(`${posting} amount = amount + 1 where credit = 1001`, `${posting} amount = amount - 1 where credit = 1001`),
    ['No posting of a deposit gives the credit 2 1001'],
  )
  assert.deepEqual(await damaged(`${posting} user_no = 4 where credit = 1003`, `${posting} user_no = 5 where credit = 1003`), [
    'No posting of a deposit gives the credit 2 1003',
  ])
  assert.deepEqual(
    await damaged(
      `${posting} kind = 'final' where credit = 1002 and kind = 'orphan'`,
      `${posting} kind = 'orphan' where credit = 1002 and kind = 'final'`,
    ),
    ['The core did not book the posting final 1002'],
  )
  assert.deepEqual(
    await damaged(
      `update payouts set value = value + 1 where withdrawal = ${number}`,
      `update payouts set value = value - 1 where withdrawal = ${number}`,
    ),
    [`No payment is behind the end of withdrawal ${number}`],
  )
  assert.deepEqual(
    await damaged(
      `update payouts set withdrawal = withdrawal + 1 where withdrawal = ${number}`,
      `update payouts set withdrawal = withdrawal - 1 where withdrawal = ${number + 1}`,
    ),
    [`No payment is behind the end of withdrawal ${number}`, `The core did not book the payment of withdrawal ${number + 1}`],
  )
})
