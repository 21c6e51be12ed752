import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Millis } from '@candor/core/money/brand.ts'
import type { AccountKind } from '@candor/core/protocol/account.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { EntryReason } from '@candor/core/protocol/event/index.ts'
import type { LoanCause } from '@candor/core/protocol/event/margin.ts'
import type { AssetId, Seq } from '@candor/core/protocol/ids.ts'
import { eventOf } from '@candor/core/protocol/test/literals.ts'
import type { NoticeKind } from '@candor/core/protocol/wire/notices.ts'
import type { Store } from '../../open.ts'
import { Known } from '../../projection/known.ts'
import { MoveNotices } from '../../projection/moves/notices.ts'
import { type ScratchServer, startScratchServer } from '../../test/scratch.ts'
import { startProjector } from '../projector.ts'
import { emptyProjection } from '../rebuild.ts'
import { WrittenJournal } from './written-journal.ts'

let server: ScratchServer
before(async () => {
  server = await startScratchServer()
})
after(() => server[Symbol.asyncDispose]())

async function accountOf(store: Store, user: number): Promise<string> {
  const account = randomUUID()
  await store.pool.query(
    `insert into accounts (id, uid, core_user, email, password, password_changed_at, lang, invitation_code, class, created_at)
     values ($1, $2, $3, $2 || '@example.com', 'x', 0, 'en', $2, 'retail', 0)`,
    [account, String(700_000_000 + user), user],
  )
  return account
}

const kinds: readonly NoticeKind[] = ['coins-moved', 'loan-taken', 'loan-repaid']
type Row = { readonly user: number; readonly kind: NoticeKind; readonly data: Readonly<Record<string, string>>; readonly isRead: boolean }
async function moves(store: Store): Promise<readonly Row[]> {
  const { rows } = await store.pool.query<Row>(
    `select core_user as "user", kind, data, read_at is not null as "isRead" from notices join accounts on accounts.id = account
     where kind = any($1) order by number`,
    [kinds],
  )
  return rows
}

const usdt = 1
const command = (fields: object): Command => ({ clientId: '', ...fields }) as unknown as Command
const move = (user: number, amount: number, account: object = { from: 'spot', to: 'margin-cross' }) =>
  command({ type: 'funds.transfer', user, asset: usdt, amount, ...account })
const borrow = (user: number, amount: number) => command({ type: 'margin.borrow', user, market: 0, asset: usdt, amount })
const repay = (user: number, amount: number) => command({ type: 'margin.repay', user, market: 0, asset: usdt, amount })
const minute = 60_000

test('NOTICE-MOVE-001: transfers and loans make a notice with coin, amount and accounts, for their user alone', async () => {
  const store = await server.store()
  const written = new WrittenJournal(store.pool, 5)
  await written.open()
  await accountOf(store, 1)
  await accountOf(store, 2)
  await using projector = await startProjector({ store })
  await written.append([command({ type: 'lend.supply', user: 2, asset: usdt, amount: 1e12 })])
  written.at += minute
  await written.append(
    [move(1, 5_000_000), borrow(1, 50_000_000), repay(1, 20_000_000)],
    [move(1, 7_000_000, { from: 'spot', to: 'margin-isolated', market: 1 }), move(1, 9e14)],
  )
  await projector.reached(written.seq)
  const told = (await moves(store)).filter(({ user }) => user === 1).slice(-3)
  const cross = { asset: 'USDT', to: 'margin-cross', count: '1' }
  assert.deepEqual(
    told.map(({ kind, data }) => [kind, data]),
    [
      ['loan-taken', { ...cross, cause: 'borrow', amount: '50' }],
      ['loan-repaid', { ...cross, cause: 'repay', amount: '20' }],
      ['coins-moved', { ...cross, cause: 'transfer', amount: '12', from: 'spot', count: '2' }],
    ],
  )
})

test('NOTICE-MOVE-001: a move within a firm is told on both sides, a loan of an order like any other, and interest and coins of a fund are not', () => {
  const known = new Known()
  known.addAsset({ id: 1 as AssetId, symbol: 'USDT', scale: 6 })
  const notices = new MoveNotices(known)
  const entry = (user: number, kind: AccountKind, reason: EntryReason, delta: number) =>
    eventOf({ type: 'entry', account: { user, kind, asset: 1 }, reason, delta, heldDelta: 0, available: 9e9, held: 0 })
  const loan = (cause: LoanCause, delta: number) =>
    eventOf({ type: 'margin.loan', user: 3, market: 0, asset: 1, cause, delta, principal: 9e6, interest: 0 })
  const told = [
    ...[entry(1, 'spot', 'firm-move', -2e6), entry(2, 'spot', 'firm-move', 2e6)],
    ...[entry(1, 'spot', 'transfer', -3e6), entry(2, 'spot', 'transfer', 3e6), entry(1, 'perp', 'transfer', 3e6)],
    ...[loan('auto-borrow', 4e6), loan('auto-repay', -1e6), loan('interest', 1), loan('liquidation', -1e6)],
  ].map((event, at) => notices.of(event, (at === 4 ? 9 : 1) as Seq, 5 as Millis))
  const asset = 'USDT'
  assert.deepEqual(
    told.map((one) => one && [one.user, one.kind, one.values]),
    [
      [1, 'coins-moved', { cause: 'sent', asset, amount: '2', from: 'spot' }],
      [2, 'coins-moved', { cause: 'received', asset, amount: '2', to: 'spot' }],
      ...[undefined, undefined, undefined],
      [3, 'loan-taken', { cause: 'auto-borrow', asset, amount: '4', to: 'margin-cross' }],
      [3, 'loan-repaid', { cause: 'auto-repay', asset, amount: '1', to: 'margin-cross' }],
      ...[undefined, undefined],
    ],
  )
})

test('NOTICE-MOVE-002: those of one cause and coin in one minute of the clock are one unread notice with their sum and count', async () => {
  const store = await server.store()
  const written = new WrittenJournal(store.pool, 5)
  await written.open()
  await accountOf(store, 1)
  await using projector = await startProjector({ store })
  await projector.reached(written.seq)
  const start = (await moves(store)).length
  const last = async () => (await moves(store)).slice(start).map(({ data, isRead }) => [data['amount'], data['count'], isRead])
  written.at += minute - (written.at % minute)
  await written.append([move(1, 1_500_000)])
  await projector.reached(written.seq)
  assert.deepEqual(await last(), [['1.5', '1', false]])
  await store.pool.query('update notices set read_at = 1')
  await written.append(Array.from({ length: 999 }, () => move(1, 1_000_000)))
  await projector.reached(written.seq)
  assert.deepEqual(await last(), [['1000.5', '1000', false]])
  written.at += minute
  await written.append([move(1, 2_000_000)])
  await projector.reached(written.seq)
  const kept = await last()
  assert.deepEqual(kept, [
    ['1000.5', '1000', false],
    ['2', '1', false],
  ])
  // Tables that are filled again add nothing to them.
  await projector[Symbol.asyncDispose]()
  await emptyProjection(store.pool)
  await using again = await startProjector({ store })
  await again.reached(written.seq)
  assert.deepEqual(await last(), kept)
})

test('NOTICE-MOVE-003: who switches a kind off gets no more of it, and no mail, message or push unless they ask', async () => {
  const store = await server.store()
  const written = new WrittenJournal(store.pool, 5)
  await written.open()
  const account = await accountOf(store, 1)
  await using projector = await startProjector({ store })
  written.at += minute
  await written.append([move(1, 1_000_000)])
  await projector.reached(written.seq)
  const told = (await moves(store)).length
  const { rows } = await store.pool.query('select channel from notice_sends join notices n on n.number = notice where kind = any($1)', [
    kinds,
  ])
  assert.ok(told > 0)
  assert.deepEqual(rows, [])
  await store.pool.query("insert into notice_preferences values ($1, 'coins-moved', 'inbox', false)", [account])
  await store.pool.query('update notice_state set version = version + 1')
  written.at += minute
  await written.append([move(1, 1_000_000)])
  await projector.reached(written.seq)
  assert.equal((await moves(store)).length, told)
})
