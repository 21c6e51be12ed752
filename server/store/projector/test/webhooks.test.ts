import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Seq, UserId } from '@candor/core/protocol/ids.ts'
import type { Millis } from '@candor/core/money/brand.ts'
import { eventOf } from '@candor/core/protocol/test/literals.ts'
import { webhookKinds, type WebhookKind } from '@candor/core/protocol/wire/webhooks.ts'
import type { Store } from '../../open.ts'
import { type ScratchServer, startScratchServer } from '../../test/scratch.ts'
import { Known } from '../../projection/known.ts'
import { Projection } from '../../projection/projection.ts'
import { type ProjectorOptions, startProjector } from '../projector.ts'
import { emptyProjection } from '../rebuild.ts'
import { WrittenJournal } from './written-journal.ts'

let server: ScratchServer
before(async () => {
  server = await startScratchServer()
})
after(() => server[Symbol.asyncDispose]())

async function projectTo(seq: number, options: ProjectorOptions): Promise<number> {
  await using projector = await startProjector(options)
  let news = 0
  projector.onNews(() => news++)
  await projector.reached(seq)
  return news
}

/** Coins that come and go have a test of their own. */
const tradingKinds = webhookKinds.filter((kind) => !kind.endsWith('.update'))

let accounts = 100_000_000
/** A webhook of a user for events after the journal's position `head`. */
async function hook(store: Store, user: number, kinds: readonly WebhookKind[], head: number): Promise<number> {
  const account = randomUUID()
  await store.pool.query(
    `insert into accounts (id, uid, core_user, email, password, password_changed_at, lang, invitation_code, class, created_at)
     values ($1, $2, null, $2 || '@example.com', 'x', 0, 'en', $2, 'retail', 0)`,
    [account, String(++accounts)],
  )
  const { rows } = await store.pool.query<{ number: number }>(
    `with changed as (update webhook_state set version = version + 1)
     insert into webhooks (id, account, user_id, url, kinds, secret, created_at, confirmed_at) values ($1, $1, $2, 'https://a.example/', $3, '\\x00', 0, 0)
     returning number`,
    [account, user, Object.fromEntries(kinds.map((kind) => [kind, head]))],
  )
  return rows[0]!.number
}

type Row = { webhook: number; sequence: number; event_id: string; kind: string; created_at: number; data: string }
async function deliveries(store: Store): Promise<readonly Row[]> {
  const { rows } = await store.pool.query<Row>(
    'select webhook, sequence, event_id, kind, created_at, data from webhook_deliveries order by webhook, sequence',
  )
  return rows
}

test('API-HOOK-001: fills, liquidations, deleveraging, funding, closed positions and settled orders of Second are each delivered once to the user concerned', async () => {
  const store = await server.store()
  const written = new WrittenJournal(store.pool, 5)
  await written.open()
  const users = written.exchange.userCount
  const everybody = await Promise.all(Array.from({ length: users }, (_, index) => hook(store, index + 1, tradingKinds, 0)))
  for (let round = 0; round < 4; round++) {
    await written.trade(60, 20, 20_000)
    assert.ok((await projectTo(written.seq, { store, rowsMax: [1, 50, 400, 1e9][round] as number })) > 0)
  }
  // The query tables must say the same. Orders of the insurance fund belong to no user.
  const { rows: said } = await store.pool.query<{ kind: string; count: number }>(
    `select kind, count(*) from (
       select case when m.definition ? 'perp' then 'perp.fill' when o.margin is null then 'spot.fill' else 'margin.fill' end as kind
         from trades t join markets m on m.symbol = t.market, unnest(array[maker_order, taker_order]) side (id) join orders o using (id)
         where o.user_id <> 0
       union all select 'perp.liquidation' from liquidations
       union all select 'perp.deleverage' from deleverages
       union all select 'margin.liquidation' from margin_liquidations
       union all select 'perp.funding' from funding_payments
       union all select 'perp.close' from closed_positions
       union all select 'option.settlement' from options where result is not null
     ) happened group by kind`,
  )
  const told = await deliveries(store)
  const counts = Object.fromEntries(said.map(({ kind, count }) => [kind, count]))
  assert.deepEqual(Object.fromEntries(Object.keys(counts).map((kind) => [kind, told.filter((row) => row.kind === kind).length])), counts)
  for (const kind of tradingKinds.filter((one) => one !== 'margin.liquidation'))
    assert.ok((counts[kind] ?? 0) > 3, `${kind}: ${counts[kind]}`)
  assert.equal(
    told.length,
    Object.values(counts).reduce((sum, count) => sum + count, 0),
  )

  for (const number of everybody) {
    const own = told.filter(({ webhook }) => webhook === number)
    assert.deepEqual(
      own.map(({ sequence }) => sequence),
      own.map((_, index) => index + 1),
      'numbers count without gaps',
    )
    assert.ok(own.every(({ created_at: at }, index) => index === 0 || at >= own[index - 1]!.created_at))
  }
  const { rows: wrong } = await store.pool.query(
    `select d.data from webhook_deliveries d join webhooks w on w.number = d.webhook
     left join trades t on t.market = d.data::jsonb->>'symbol' and t.trade_id = (d.data::jsonb->>'tradeId')::bigint
     left join orders o on o.id = (d.data::jsonb->>'orderId')::bigint
     where d.kind like '%.fill' and (o.user_id, o.client_id, o.side, t.at_ms) is distinct from
       (w.user_id, d.data::jsonb->>'clientOrderId', d.data::jsonb->>'side', d.created_at)
       or d.kind like '%.fill' and (d.data::jsonb->>'price')::numeric <> t.price
       or d.kind like '%.fill' and (d.data::jsonb->>'quantity')::numeric <> t.quantity
       or d.kind like '%.fill' and (d.data::jsonb->>'fee')::numeric <> case when (d.data::jsonb->>'isMaker')::boolean then maker_fee else taker_fee end`,
  )
  assert.deepEqual(wrong, [])
})

test('API-HOOK-001: a step of a Margin account’s liquidation is delivered with its level and sums', () => {
  const standing = { seq: 0 as Seq, at: 0 as Millis, known: new Known(), users: [], openOrders: [], openOptions: [], lastPrices: new Map() }
  const projection = new Projection({ ...standing, perp: { positions: [], marks: new Map(), quotes: new Map() } })
  projection.watch(new Map([[7 as UserId, new Set(['margin.liquidation'])]]))
  const sums = { levelPpm: 1_020_000, liquidationPpm: 1_050_000, assets: 102_000_000, debt: 100_000_000, fee: 500_000, insured: 0 }
  const step = (user: number) => eventOf({ type: 'margin.liquidated', user, market: 0, order: 12, ...sums })
  const outcome = eventOf({ type: 'outcome', seq: 1, at: 1_000, user: 0, order: 0, refusal: undefined, isRepeat: false })
  const listed = eventOf({ type: 'asset.listed', asset: { id: 1, symbol: 'USDT', scale: 6 } })
  projection.applyCommand([listed, step(7), step(8), outcome])
  const part = projection.take()
  assert.ok(part.hasNews)
  const values = part.statements.find(({ text }) => text.includes('webhook_deliveries'))!.batches[0]!
  const said = {
    orderId: 12,
    marginLevel: '1.02',
    liquidationLevel: '1.05',
    assets: '102.000000',
    debt: '100.000000',
    fee: '0.500000',
    insured: '0.000000',
  }
  assert.deepEqual(values, ['{1}', '{2}', '{7}', '{"margin.liquidation"}', '{1000}', `{"${JSON.stringify(said).replaceAll('"', '\\"')}"}`])
})

test('API-HOOK-001: tables that are filled again hand over no event again, whether deliveries are still kept or not', async () => {
  const store = await server.store()
  const written = new WrittenJournal(store.pool, 6)
  await written.open()
  for (let user = 1; user <= written.exchange.userCount; user++) await hook(store, user, ['spot.fill', 'perp.fill'], 0)
  await written.trade(40)
  await projectTo(written.seq, { store })
  const before = await deliveries(store)
  assert.ok(before.length > 20)
  await store.pool.query('delete from webhook_deliveries where sequence % 2 = 0')
  const kept = await deliveries(store)
  await emptyProjection(store.pool)
  await projectTo(written.seq, { store, rowsMax: 50 })
  assert.deepEqual(await deliveries(store), kept)

  await emptyProjection(store.pool)
  await written.trade(20)
  await projectTo(written.seq, { store })
  const after = await deliveries(store)
  assert.ok(after.length > kept.length, 'new events are reported')
  const highest = new Map(before.map(({ webhook, sequence }) => [webhook, sequence]))
  assert.ok(after.every((row) => row.sequence > (highest.get(row.webhook) ?? 0) || kept.some((one) => one.event_id === row.event_id)))
})

test('API-HOOK-003: a webhook gets the chosen kinds of events, from the time of the choice, while it is on', async () => {
  const store = await server.store()
  const written = new WrittenJournal(store.pool, 7)
  await written.open()
  await using projector = await startProjector({ store })
  await written.trade(20)
  await projector.reached(written.seq)
  assert.deepEqual(await deliveries(store), [])

  // Created between two commands, while a projector runs that knows of no webhook.
  const head = written.seq
  const users = Array.from({ length: written.exchange.userCount }, (_, index) => index + 1)
  const spot = await Promise.all(users.map((user) => hook(store, user, ['spot.fill'], head)))
  const off = await hook(store, 1, webhookKinds, head)
  await store.pool.query("update webhooks set off_at = 1, off_by = 'owner' where number = $1", [off])
  await written.trade(30)
  await projector.reached(written.seq)
  const told = await deliveries(store)
  assert.deepEqual([...new Set(told.map(({ kind }) => kind))], ['spot.fill'])
  assert.ok(told.every(({ webhook }) => spot.includes(webhook)))
  const { rows } = await store.pool.query<{ count: number }>(
    `select count(*) from trades t join markets m on m.symbol = t.market, unnest(array[maker_order, taker_order]) side (id) join orders o using (id)
     where not m.definition ? 'perp' and o.margin is null and t.seq > $1`,
    [head],
  )
  assert.equal(told.length, rows[0]?.count)
  assert.ok(told.length > 10)

  await store.pool.query('update webhooks set deleted_at = 1, secret = null')
  await store.pool.query('update webhook_state set version = version + 1')
  await written.trade(10)
  await projector.reached(written.seq)
  assert.equal((await deliveries(store)).length, told.length)
})
