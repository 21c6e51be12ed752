import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Millis } from '@candor/core/money/brand.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { AssetId, Seq, UserId } from '@candor/core/protocol/ids.ts'
import { eventOf } from '@candor/core/protocol/test/literals.ts'
import type { Store } from '../../open.ts'
import { Known } from '../../projection/known.ts'
import { Projection } from '../../projection/projection.ts'
import { type ScratchServer, startScratchServer } from '../../test/scratch.ts'
import type { WebhookKind } from '@candor/core/protocol/wire/webhooks.ts'
import { writePart } from '../write.ts'

let server: ScratchServer
before(async () => {
  server = await startScratchServer()
})
after(() => server[Symbol.asyncDispose]())

const customer = 5
const deposit = { network: 1, credit: 9, user: customer, asset: 1, amount: 2_500_000 } as const
const withdrawal = { withdrawal: 40, user: customer, asset: 1, network: 2, amount: 10_000_000, fee: 1_000_000 } as const
const nobody = { first: 0, second: 0, reason: '' } as const
const txid = `${'ab'.repeat(32)}`

/** An account with an address on its list, and a payment to it. Returns the address's number. */
async function prepare(store: Store): Promise<number> {
  const account = randomUUID()
  await store.pool.query(
    `insert into accounts (id, uid, core_user, email, password, password_changed_at, lang, invitation_code, class, created_at)
     values ($1, '100000005', ${customer}, 'a@example.com', 'x', 0, 'en', '100000005', 'retail', 0)`,
    [account],
  )
  const { rows } = await store.pool.query<{ number: number }>(
    `insert into withdrawal_addresses (id, account, network, address, label, owner, added_at, usable_at)
     values ($1, $2, 'tron', 'TQ5abc', 'mine', 'own', 0, 86400000) returning number`,
    [randomUUID(), account],
  )
  await store.pool.query(
    `insert into payouts (withdrawal, network, chain_id, user_no, client_id, recipient, value, proofs, state, fate, txid, taken_at, settled_at)
     values ($1, 'tron', 1, ${customer}, 'c', 'TQ5abc', 9, '{}', 'settled', 'paid', $2, 0, 1)`,
    [withdrawal.withdrawal, txid],
  )
  return rows[0]!.number
}

/** Writes the events, each as a command of its own after `from`. */
async function write(store: Store, events: readonly Event[], from: number, watch: (projection: Projection) => void): Promise<void> {
  const known = new Known()
  known.addAsset({ id: 1 as AssetId, symbol: 'USDT', scale: 6 })
  const standing = { seq: from as Seq, at: 0 as Millis, known, users: [], openOrders: [], openOptions: [], lastPrices: new Map() }
  const perp = { positions: [], marks: new Map(), quotes: new Map() }
  const projection = new Projection({ ...standing, perp, networks: new Map([[2, { label: 'TRC20', word: 'TRX' }]]) })
  watch(projection)
  for (const [place, event] of events.entries()) {
    const seq = from + place + 1
    projection.applyCommand([event, eventOf({ type: 'outcome', seq, at: seq, user: 0, order: 0, refusal: undefined, isRepeat: false })])
  }
  const client = await store.pool.connect()
  try {
    await writePart(client, projection.take())
  } finally {
    client.release()
  }
}

/** Writes events and returns all notices. */
async function written(store: Store, events: readonly Event[], from = 0) {
  await write(store, events, from, (projection) => projection.notify(new Map()))
  const { rows } = await store.pool.query<{ kind: string; data: Record<string, string> }>('select kind, data from notices order by number')
  return rows.map(({ kind, data }) => [kind, data] as const)
}

test('NOTICE-FUNDS-001: a deposit makes a notice when it is credited, repays a debt, is final, and is dropped, with what is owed then', async () => {
  const store = await server.store()
  await prepare(store)
  const credited = { type: 'deposit.credited', ...deposit, isFinal: false, repaid: 0, debt: 0 } as const
  const events = [
    eventOf(credited),
    eventOf({ type: 'deposit.final', ...deposit }),
    eventOf({ type: 'deposit.orphaned', ...deposit, credit: 10, taken: 2_500_000, debt: 0 }),
    eventOf({ type: 'deposit.orphaned', ...deposit, credit: 11, taken: 1_000_000, debt: 1_500_000 }),
    eventOf({ ...credited, credit: 12, amount: 3_000_000, repaid: 1_500_000 }),
  ]
  const coin = { asset: 'USDT', network: '1' }
  const expected = [
    ['deposit-credited', { ...coin, quantity: '2.5' }],
    ['deposit-final', { ...coin, quantity: '2.5' }],
    ['deposit-dropped', { ...coin, quantity: '2.5' }],
    ['deposit-debt', { ...coin, quantity: '2.5', debt: '1.5' }],
    ['deposit-repaid', { ...coin, quantity: '3', repaid: '1.5', debt: '0' }],
  ] as const
  assert.deepEqual(await written(store, events), expected)
  assert.deepEqual(await written(store, events, events.length), expected, 'each event once, however often it is written')
})

test('NOTICE-FUNDS-002: a withdrawal makes a notice at each step: with its address, the reason of a rejection, and the transaction that paid it', async () => {
  const store = await server.store()
  const destination = await prepare(store)
  const events = [
    eventOf({ type: 'withdrawal.requested', ...withdrawal, destination, people: 1 }),
    eventOf({ type: 'withdrawal.approved', ...withdrawal, ...nobody }),
    eventOf({ type: 'withdrawal.paid', ...withdrawal }),
    eventOf({ type: 'withdrawal.requested', ...withdrawal, withdrawal: 41, destination, people: 1 }),
    eventOf({ type: 'withdrawal.rejected', ...withdrawal, withdrawal: 41, ...nobody, reason: 'unclear' }),
    eventOf({ type: 'withdrawal.requested', ...withdrawal, withdrawal: 42, destination, people: 0 }),
    eventOf({ type: 'withdrawal.failed', ...withdrawal, withdrawal: 42 }),
    eventOf({ type: 'withdrawal.requested', ...withdrawal, withdrawal: 43, destination, people: 0 }),
    eventOf({ type: 'withdrawal.cancelled', ...withdrawal, withdrawal: 43 }),
  ]
  const facts = { asset: 'USDT', network: 'TRC20', quantity: '10', fee: '1', received: '9', destination: 'TQ5abc' }
  const expected = [
    ['withdrawal-requested', { ...facts, withdrawal: '40' }],
    ['withdrawal-approved', { ...facts, withdrawal: '40' }],
    ['withdrawal-paid', { ...facts, withdrawal: '40', txid }],
    ['withdrawal-requested', { ...facts, withdrawal: '41' }],
    ['withdrawal-rejected', { ...facts, withdrawal: '41', reason: 'unclear' }],
    ['withdrawal-requested', { ...facts, withdrawal: '42' }],
    ['withdrawal-failed', { ...facts, withdrawal: '42' }],
    ['withdrawal-requested', { ...facts, withdrawal: '43' }],
  ] as const
  assert.deepEqual(await written(store, events), expected)
  assert.deepEqual(await written(store, events, events.length), expected)
  const { rows } = await store.pool.query(
    `select distinct kind, channel from notice_sends s join notices n on n.number = s.notice order by 1, 2`,
  )
  assert.deepEqual(
    rows.map(({ kind, channel }: { kind: string; channel: string }) => `${kind} ${channel}`),
    ['withdrawal-failed mail', 'withdrawal-paid mail', 'withdrawal-rejected mail', 'withdrawal-requested mail', 'withdrawal-requested sms'],
  )
})

test('API-HOOK-019: each step of a deposit and a withdrawal goes to the webhooks that chose it, once, with address and transaction', async () => {
  const store = await server.store()
  const destination = await prepare(store)
  await store.pool.query(`
    insert into deposit_addresses (network, address, account, user_no, place, signature, made_at)
    select 'ethereum', '0xabc', id, ${customer}, 1, decode(repeat('00', 64), 'hex'), 0 from accounts`)
  await store.pool.query(`
    with made as (
      insert into deposits (network, txid, ordinal, asset, contract, sender, address, account, user_no, raw, amount, credit, block_number, block_hash,
        block_at, state, seen_at) select 'ethereum', '0x12', 0, 'USDT', '0xc', '0xd', '0xabc', id, ${customer}, 2500000, 2500000, 9, 1, 'h', 0, 'credited', 0
        from accounts returning *
    ) insert into deposit_postings (network, kind, credit, deposit, user_no, asset, amount, is_final, made_at)
      select network, 'credit', credit, id, user_no, asset, amount, false, 0 from made`)
  const kinds: readonly WebhookKind[] = ['deposit.update', 'withdrawal.update']
  await store.pool.query(
    `insert into webhooks (id, account, user_id, url, kinds, secret, created_at, confirmed_at)
     select gen_random_uuid(), id, ${customer}, 'https://a.example/', $1, '\\x00', 0, 0 from accounts`,
    [Object.fromEntries(kinds.map((kind) => [kind, 0]))],
  )
  const events = [
    eventOf({ type: 'deposit.credited', ...deposit, isFinal: false, repaid: 0, debt: 0 }),
    eventOf({ type: 'deposit.orphaned', ...deposit, taken: 1_000_000, debt: 1_500_000 }),
    eventOf({ type: 'withdrawal.requested', ...withdrawal, destination, people: 0 }),
    eventOf({ type: 'withdrawal.paid', ...withdrawal }),
    eventOf({ type: 'withdrawal.rejected', ...withdrawal, withdrawal: 41, ...nobody, reason: 'unclear' }),
  ]
  const watch = (projection: Projection): void => projection.watch(new Map([[customer as UserId, new Set(kinds)]]))
  const told = async () => {
    const { rows } = await store.pool.query<{ kind: string; data: string }>('select kind, data from webhook_deliveries order by sequence')
    return rows.map(({ kind, data }) => [kind, JSON.parse(data) as object])
  }
  const coin = { asset: 'USDT', network: '1', amount: '2.5', isFinal: false, id: '1', address: '0xabc', txid: '0x12' }
  const sums = { asset: 'USDT', network: 'TRX', amount: '10', fee: '1', received: '9' }
  const expected = [
    ['deposit.update', { ...coin, state: 'credited', debt: '0' }],
    ['deposit.update', { ...coin, state: 'dropped', debt: '1.5' }],
    ['withdrawal.update', { ...sums, id: '40', state: 'requested', address: 'TQ5abc' }],
    ['withdrawal.update', { ...sums, id: '40', state: 'paid', address: 'TQ5abc', txid }],
    ['withdrawal.update', { ...sums, id: '41', state: 'rejected', reason: 'unclear' }],
  ] as const
  await write(store, events, 0, watch)
  assert.deepEqual(await told(), expected)
})
