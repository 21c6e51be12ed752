import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Millis } from '@candor/core/money/brand.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { AssetId, Seq } from '@candor/core/protocol/ids.ts'
import { eventOf } from '@candor/core/protocol/test/literals.ts'
import type { NoticeKind } from '@candor/core/protocol/wire/notices.ts'
import type { Store } from '../../open.ts'
import { Known } from '../../projection/known.ts'
import { Projection } from '../../projection/projection.ts'
import { type ScratchServer, startScratchServer } from '../../test/scratch.ts'
import { startProjector } from '../projector.ts'
import { emptyProjection } from '../rebuild.ts'
import { writePart } from '../write.ts'
import { WrittenJournal } from './written-journal.ts'

let server: ScratchServer
before(async () => {
  server = await startScratchServer()
})
after(() => server[Symbol.asyncDispose]())

let accounts = 100_000_000
/** The account of a user of the core. */
async function accountOf(store: Store, user: number): Promise<string> {
  const account = randomUUID()
  await store.pool.query(
    `insert into accounts (id, uid, core_user, email, password, password_changed_at, lang, invitation_code, class, created_at)
     values ($1, $2, $3, $2 || '@example.com', 'x', 0, 'en', $2, 'retail', 0)`,
    [account, String(++accounts), user],
  )
  return account
}

async function choose(store: Store, account: string, kind: NoticeKind, isOn: boolean): Promise<void> {
  await store.pool.query("insert into notice_preferences values ($1, $2, 'inbox', $3)", [account, kind, isOn])
  await store.pool.query('update notice_state set version = version + 1')
}

type Row = { readonly user: number; readonly kind: NoticeKind; readonly data: Readonly<Record<string, string>>; readonly event_id: string }
async function notices(store: Store): Promise<readonly Row[]> {
  const { rows } = await store.pool.query<Row>(
    `select core_user as "user", kind, data, event_id from notices join accounts on accounts.id = account order by number`,
  )
  return rows
}

const marginLevel = (user: number, market: number, state: 'watch' | 'liquidating') =>
  eventOf({ type: 'margin.level', user, market, state, levelPpm: 1_200_000 })
const perpLevel = (user: number, market: number, position: number, state: 'safe' | 'watch') =>
  eventOf({ type: 'perp.level', user, market, position, state })

test('NOTICE-POSTING-001: a posting by hand makes one notice with the amount, and other entries make none', async () => {
  const store = await server.store()
  await using client = await connected(store)
  await accountOf(store, 1)
  const known = new Known()
  known.addAsset({ id: 1 as AssetId, symbol: 'USDT', scale: 6 })
  const standing = { seq: 0 as Seq, at: 0 as Millis, known, users: [], openOrders: [], openOptions: [], lastPrices: new Map() }
  const projection = new Projection({ ...standing, perp: { positions: [], marks: new Map(), quotes: new Map() } })
  projection.notify(new Map())
  const outcome = eventOf({ type: 'outcome', seq: 1, at: 5, user: 0, order: 0, refusal: undefined, isRepeat: false })
  const own = { user: 1, kind: 'spot', asset: 1 } as const
  const rest = { type: 'entry', heldDelta: 0, available: 9_000_000, held: 0 } as const
  projection.applyCommand([
    eventOf({ ...rest, account: own, reason: 'posting', delta: -1_500_000 }),
    eventOf({ ...rest, account: { system: 'fees', asset: 1 }, reason: 'posting', delta: 1_500_000 }),
    eventOf({ ...rest, account: own, reason: 'faucet', delta: 5 }),
    outcome,
  ])
  await writePart(client, projection.take())
  assert.deepEqual(
    (await notices(store)).map(({ user, kind, data }) => [user, kind, data]),
    [[1, 'funds-posted', { asset: 'USDT', amount: '-1.500000' }]],
  )
})

test('NOTICE-TRADE-001: closeness to liquidation and liquidation make one notice per hour of the clock, for the user concerned', async () => {
  const store = await server.store()
  await using client = await connected(store)
  const [one, two] = [await accountOf(store, 1), await accountOf(store, 2)]
  const standing = { seq: 0 as Seq, at: 0 as Millis, known: new Known(), users: [], openOrders: [], openOptions: [], lastPrices: new Map() }
  const projection = new Projection({ ...standing, perp: { positions: [], marks: new Map(), quotes: new Map() } })
  projection.notify(new Map())
  const outcome = (seq: number, at: number) => eventOf({ type: 'outcome', seq, at, user: 0, order: 0, refusal: undefined, isRepeat: false })
  const hour = 3_600_000
  projection.applyCommand([perpLevel(1, 0, 0, 'watch'), marginLevel(2, 0, 'watch'), outcome(1, 5 * hour)])
  projection.applyCommand([perpLevel(1, 0, 0, 'safe'), perpLevel(1, 0, 0, 'watch'), outcome(2, 5 * hour + 1)])
  await writePart(client, projection.take())
  projection.applyCommand([perpLevel(1, 0, 0, 'watch'), marginLevel(2, 0, 'liquidating'), outcome(3, 6 * hour - 1)])
  projection.applyCommand([perpLevel(1, 0, 0, 'watch'), outcome(4, 6 * hour)])
  await writePart(client, projection.take())
  assert.deepEqual(
    (await notices(store)).map(({ user, kind }) => [user, kind]),
    [
      [1, 'futures-warning'],
      [2, 'margin-warning'],
      [2, 'margin-liquidated'],
      [1, 'futures-warning'],
    ],
  )
  const { rows } = await store.pool.query('select account, channel from notice_sends join notices n on n.number = notice order by notice')
  assert.deepEqual(
    rows,
    [one, two, two, one].map((account) => ({ account, channel: 'mail' })),
  )
})

/** A connection of its own, as the projector has one. */
async function connected(store: Store) {
  const client = await store.pool.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: async () => client.release() })
}

test('NOTICE-TRADE-001: liquidations of a whole market are in the notices once, also when the tables are filled again', async () => {
  const store = await server.store()
  const written = new WrittenJournal(store.pool, 5)
  await written.open()
  for (let user = 1; user <= written.exchange.userCount; user++) await accountOf(store, user)
  for (let round = 0; round < 3; round++) {
    await written.trade(60, 20, 20_000)
    await using projector = await startProjector({ store, rowsMax: [1, 400, 1e9][round] as number })
    await projector.reached(written.seq)
  }
  const before = await notices(store)
  const { rows: said } = await store.pool.query<{ user: number; symbol: string }>(
    `select distinct user_id as "user", market as symbol from liquidations where user_id <> 0 order by 1, 2`,
  )
  const liquidated = before.filter(({ kind }) => kind === 'futures-liquidated')
  assert.ok(said.length > 2)
  const pairs = new Set(liquidated.map(({ user, data }) => `${user} ${data['symbol']}`))
  assert.deepEqual([...pairs].sort(), said.map(({ user, symbol }) => `${user} ${symbol}`).sort())

  await store.pool.query('delete from notices where number % 2 = 0')
  const kept = await notices(store)
  await emptyProjection(store.pool)
  await using projector = await startProjector({ store })
  await projector.reached(written.seq)
  assert.deepEqual(await notices(store), kept)
})

test('NOTICE-TRADE-002: orders that ended while their owner waited for nothing make a notice, unless they are switched off', async () => {
  const store = await server.store()
  const written = new WrittenJournal(store.pool, 7)
  await written.open()
  const own = await accountOf(store, 1)
  for (let user = 2; user <= written.exchange.userCount; user++) await accountOf(store, user)
  await using projector = await startProjector({ store })
  await written.trade(80)
  await projector.reached(written.seq)
  const quiet = async () => (await notices(store)).filter(({ kind }) => kind === 'order-filled' || kind === 'order-ended')
  const told = await quiet()
  const { rows } = await store.pool.query<{ id: number; kind: NoticeKind }>(
    `select id, case when executed > 0 then 'order-filled' else 'order-ended' end as kind from orders
     where close_reason not in ('cancelled', 'oco', 'countdown', 'replaced', 'liquidation', 'position-closed')
     and user_id in (select user_id from core_users where class = 'retail')
     and coalesce((perp->>'liquidation')::boolean, false) = false
     and (updated_at_ms - placed_at_ms > 1500 or executed > 0 and close_reason <> 'filled')`,
  )
  const named = rows.map(({ id, kind }) => `${kind} order-${id}`).sort()
  assert.deepEqual(told.map(({ kind, event_id: id }) => `${kind} ${id}`).sort(), named)
  assert.ok(new Set(told.map(({ user }) => user)).size > 1 && told.some(({ user }) => user === 1))
  assert.ok(told.every(({ data }) => data['symbol'] !== undefined && data['side'] !== undefined && Number(data['quantity']) >= 0))

  for (const kind of ['order-filled', 'order-ended'] as const) await choose(store, own, kind, false)
  await written.trade(80)
  await projector.reached(written.seq)
  const later = (await quiet()).slice(told.length)
  assert.ok(later.length > 0 && later.every(({ user }) => user !== 1))
})

test('NOTICE-TRADE-004: market makers get notices of trading only where they asked for them', async () => {
  const store = await server.store()
  const written = new WrittenJournal(store.pool, 7)
  await written.open()
  for (let user = 1; user <= written.exchange.userCount; user++) await accountOf(store, user)
  await using projector = await startProjector({ store })
  await written.trade(80)
  await projector.reached(written.seq)
  const ofMakers = async () => {
    const { rows } = await store.pool.query<{ user: number; kind: NoticeKind; account: string }>(
      `select core_user as "user", kind, account from notices join accounts on accounts.id = account join core_users on user_id = core_user
       where core_users.class <> 'retail' and kind in ('order-filled', 'order-ended')`,
    )
    return rows
  }
  assert.deepEqual(await ofMakers(), [])
  const { rows } = await store.pool.query<{ id: string; user: number }>(
    `select accounts.id, user_id as "user" from accounts join core_users on user_id = core_user
     where core_users.class <> 'retail' order by (select count(*) from orders where orders.user_id = core_user) desc limit 1`,
  )
  await choose(store, rows[0]!.id, 'order-filled', true)
  await written.trade(80)
  await projector.reached(written.seq)
  assert.deepEqual([...new Set((await ofMakers()).map(({ user, kind }) => `${user} ${kind}`))], [`${rows[0]!.user} order-filled`])
})

test('NOTICE-TRADE-003: an order whose rest the exchange cancelled tells its part and its whole, one that its owner cancelled tells nothing', async () => {
  const store = await server.store()
  const written = new WrittenJournal(store.pool, 7)
  await written.open()
  await accountOf(store, 1)
  await using projector = await startProjector({ store })
  const place = { type: 'spot.place', market: 1, orderType: 'limit', timeInForce: 'GTC', isPostOnly: false, selfTrade: 'expire-taker' }
  const order = (user: number, clientId: string, side: string, lots: number, timeInForce = 'GTC'): Command =>
    ({ ...place, user, clientId, side, lots, price: 600_000, timeInForce }) as unknown as Command
  await written.append(
    [order(2, 'ask', 'sell', 500)],
    [order(1, 'cut', 'buy', 800, 'IOC')],
    [order(1, 'mine', 'sell', 400), order(2, 'takes', 'buy', 100)],
    [{ type: 'spot.cancel', user: 1, clientId: 'ends', market: 1, order: 0, orderClientId: 'mine' } as unknown as Command],
  )
  await projector.reached(written.seq)
  const { rows } = await store.pool.query(
    "select client_id, executed::float from orders where user_id = 1 and status <> 'open' order by id",
  )
  assert.deepEqual(rows, [
    { client_id: 'cut', executed: 0.005 },
    { client_id: 'mine', executed: 0.001 },
  ])
  const told = (await notices(store)).filter(({ kind }) => kind === 'order-filled')
  assert.deepEqual(
    told.map(({ data }) => data),
    [{ symbol: 'BTCUSDT', product: 'spot', side: 'buy', quantity: '0.00500', asset: 'BTC', whole: '0.00800', rest: 'ioc' }],
  )
})

test('NOTICE-TRADE-005: a TWAP or scaled order that ends makes one notice with what its parts executed; one that its owner ended makes none', async () => {
  const store = await server.store()
  const written = new WrittenJournal(store.pool, 7)
  await written.open()
  const own = await accountOf(store, 1)
  await using projector = await startProjector({ store })
  const place = { type: 'spot.place', market: 1, orderType: 'limit', isPostOnly: false, selfTrade: 'expire-taker' }
  const order = (user: number, side: string, lots: number, price = 600_000, timeInForce = 'GTC'): Command =>
    ({ ...place, user, clientId: '', side, lots, price, timeInForce }) as unknown as Command
  const inParts = (plan: object): Command =>
    ({
      type: 'algo.place',
      user: 1,
      clientId: '',
      market: 1,
      side: 'buy',
      isReduceOnly: false,
      lots: 200,
      parts: 2,
      plan,
    }) as unknown as Command
  const slow = { kind: 'twap', durationMs: 300_000, worst: 0 }
  const spread = { kind: 'scaled', from: 590_000, to: 580_000, shape: 'flat' }
  const cancels = { type: 'spot.cancelAll', user: 1, clientId: '', market: 1 } as unknown as Command
  const later = async (ms: number, ...commands: readonly Command[]): Promise<void> => {
    written.at += ms
    await written.append(commands)
    await projector.reached(written.seq)
  }
  const inbox = async () => (await notices(store)).filter(({ kind }) => kind === 'algo-ended').map(({ data }) => data)
  await later(1, order(2, 'sell', 1000), order(1, 'buy', 100, 600_000, 'IOC'))
  await later(1, inParts(slow), inParts(spread), order(3, 'sell', 100, 590_000), cancels)
  await later(1, inParts(spread), cancels, inParts(slow))
  const { rows } = await store.pool.query<{ id: number; kind: string }>('select id, kind from algo_orders order by id')
  assert.deepEqual(
    rows.map(({ kind }) => kind),
    ['twap', 'scaled', 'scaled', 'twap'],
  )
  await later(1, { type: 'algo.cancel', user: 1, clientId: '', algo: rows[3]!.id } as unknown as Command)
  await later(3000, { type: 'clock.tick' } as Command)
  const about = { symbol: 'BTCUSDT', product: 'spot', side: 'buy', asset: 'BTC', whole: '0.00200' }
  const some = { ...about, order: 'scaled', quantity: '0.00100', end: 'done', algo: String(rows[1]!.id) }
  assert.deepEqual(await inbox(), [some], 'not the one whose orders were cancelled, and not the one that was ended')
  await later(150_000, { type: 'clock.tick' } as Command)
  const whole = { ...about, order: 'twap', quantity: '0.00200', end: 'filled', algo: String(rows[0]!.id) }
  assert.deepEqual(await inbox(), [some, whole])

  await choose(store, own, 'algo-ended', false)
  await later(1, inParts(slow))
  await later(150_000, { type: 'clock.tick' } as Command)
  assert.equal((await inbox()).length, 2)
})
