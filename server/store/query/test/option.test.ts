import type pg from 'pg'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import type { OrderId, UserId } from '@candor/core/protocol/ids.ts'
import { tapeFault, type TapeTick } from '@candor/core/proof/tape.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { WireTape, WireTapeTick } from '@candor/core/protocol/wire/option.ts'
import type { Store } from '../../open.ts'
import { startProjector } from '../../projector/projector.ts'
import { WrittenJournal } from '../../projector/test/written-journal.ts'
import { type ScratchServer, startScratchServer } from '../../test/scratch.ts'
import { records } from '../funds.ts'
import { optionById, optionFigures, optionHistory, optionTotals } from '../option.ts'
import { tapePiece, type TapePiece } from '../market/tape.ts'

let server: ScratchServer
before(async () => {
  server = await startScratchServer()
})
after(() => server[Symbol.asyncDispose]())

const at0 = Date.UTC(2026, 2, 3, 10)
const price = (usdt: number): number => usdt * 1e8

/** Two customers with 1,000 USDT in the account of Second; orders run for six seconds. */
async function begin(): Promise<{ readonly store: Store; readonly written: WrittenJournal }> {
  const store = await server.store()
  const written = new WrittenJournal(store.pool, 1, at0)
  await written.open()
  const move = { type: 'funds.transfer', clientId: '', asset: 1, from: 'spot', to: 'option', amount: 1e9 } as const
  await written.append([1, 2].map((user) => commandOf({ ...move, user })))
  return { store, written }
}

/** Index ticks and orders of the opening, for its conversions. */
const [ticksBefore, ordersBefore] = [3, 2]

/** A tick every 250 ms until `untilMs` after the beginning; prices of market 1 by time since then. */
async function run(written: WrittenJournal, untilMs: number, usdt: (sinceMs: number) => number | undefined): Promise<void> {
  const commands: (readonly Command[])[] = []
  while (written.at < at0 + untilMs) {
    written.at += 250
    const now = usdt(written.at - at0)
    const prices = now === undefined ? [] : [{ market: 1, price: price(now), sources: 4, isGood: true }]
    await written.append([commandOf({ type: 'index.tick', prices })])
  }
  await written.append(...commands)
}

const open = (user: number, direction: 'up' | 'down', stake: number, guardPpm = 0): Command =>
  commandOf({ type: 'option.open', user, clientId: `o-${user}-${stake}`, market: 1, direction, stake: stake * 1e6, seconds: 6, guardPpm })

async function projected(store: Store, written: WrittenJournal, tapeKeptMs?: number): Promise<void> {
  await using projector = await startProjector({ store, ...(tapeKeptMs === undefined ? {} : { tapeKeptMs }) })
  await projector.reached(written.seq)
}

test('OPTION-HISTORY-001: settled orders are listed with all deciding values, newest first, by page, market and result', async () => {
  const { store, written } = await begin()
  await written.append([open(1, 'up', 10), open(1, 'down', 20), open(2, 'up', 30, 1)])
  await projected(store, written)
  await run(written, 8_000, (ms) => (ms < 2_000 ? 60_100 : 60_200))
  await written.append([open(1, 'up', 40)])
  await run(written, 16_000, () => undefined)
  await written.append([open(1, 'up', 50)])
  await projected(store, written)
  const all = await optionHistory(store.pool, 1 as UserId)
  assert.deepEqual(
    all.items.map(({ stake, result, settleProfit }) => [stake, result, settleProfit]),
    [
      ['40', 'tie', '0'],
      ['20', 'lose', '-20'],
      ['10', 'win', '8'],
    ],
  )
  const won = all.items[2]!
  assert.deepEqual(won, {
    id: won.id,
    clientId: 'o-1-10',
    symbol: 'BTCUSDT',
    direction: 'up',
    stake: '10',
    profitPpm: 800_000,
    profit: '8',
    fee: '0',
    seconds: 6,
    status: 'settled',
    acceptedAt: at0,
    strikeFrom: at0 + 1_500,
    expiresAt: at0 + 7_500,
    windowMs: 600,
    gapMaxMs: 3_000,
    guardPpm: 0,
    reference: '60000',
    strike: '60100',
    strikeTick: ticksBefore + 7,
    strikeAt: at0 + 1_500,
    result: 'win',
    settlePrice: '60200',
    settleProfit: '8',
    settledAt: at0 + 7_500,
  })
  const guarded = (await optionHistory(store.pool, 2 as UserId)).items[0]!
  assert.deepEqual([guarded.result, guarded.voidReason, guarded.strike, guarded.settlePrice], ['void', 'guard', '60100', undefined])
  assert.deepEqual(await optionById(store.pool, 1 as UserId, Number(won.id) as OrderId), won)
  assert.equal(await optionById(store.pool, 2 as UserId, Number(won.id) as OrderId), undefined, 'another customer sees nothing')
  const page = await optionHistory(store.pool, 1 as UserId, { limit: 2 })
  const rest = await optionHistory(store.pool, 1 as UserId, { limit: 2, before: page.next })
  assert.deepEqual([...page.items, ...rest.items], all.items)
  assert.equal(rest.next, undefined)
  assert.deepEqual((await optionHistory(store.pool, 1 as UserId, { result: 'lose' })).items, [all.items[1]])
  assert.deepEqual((await optionHistory(store.pool, 1 as UserId, { symbol: 'ETHUSDT' })).items, [])
  assert.deepEqual((await optionHistory(store.pool, 1 as UserId, { from: at0 + 10_000 })).items, [all.items[0]])
  assert.deepEqual((await optionHistory(store.pool, 1 as UserId, { to: at0 + 10_000 })).items, [all.items[1], all.items[2]])
})

test('OPTION-FIGURES-001: a customer’s figures and those of all customers are the sums of the ledger', async () => {
  const { store, written } = await begin()
  await written.append([open(1, 'up', 10), open(1, 'down', 20), open(2, 'up', 30), open(2, 'up', 7, 1)])
  await run(written, 8_000, (ms) => (ms < 2_000 ? 60_100 : 60_200))
  await projected(store, written)
  assert.deepEqual(await optionTotals(store.pool, 1 as UserId), { wins: 1, losses: 1, ties: 0, net: '-12' })
  assert.deepEqual(await optionFigures(store.pool, at0), {
    orders: 3,
    customers: 2,
    customersThatLost: 1,
    wonPercent: '66.7',
    staked: '60',
    net: '12',
    voids: { guard: 1, gap: 0, sources: 0 },
  })
  const { rows } = await store.pool.query(
    "select trim_scale(sum(delta + held_delta)) as net from ledger_entries where user_id > 0 and kind = 'option' and reason in ('stake', 'payout')",
  )
  assert.equal(rows[0].net, '12')
  const { items } = await records(store.pool, 1 as UserId, { type: 'stake' })
  assert.deepEqual(
    items.map(({ amount, account, symbol, orderId }) => [amount, account, symbol, orderId]),
    [['-20', 'option', 'BTCUSDT', String(ordersBefore + 2)]],
  )
  assert.deepEqual((await optionFigures(store.pool, at0 + 60_000)).orders, 0)
})

/** A published piece with numbers instead of text. */
const numbers = ({ ticks }: Pick<WireTape, 'ticks'>): (TapeTick & { hash: string })[] =>
  ticks.map((tick) => ({
    ...tick,
    prices: tick.prices.map((one) => ({
      ...one,
      price: Number(one.price),
      quotes: one.quotes.map((quote) => ({ ...quote, price: Number(quote.price) })),
    })),
  }))

/** A piece of the tape with its ticks parsed. */
async function readTape(pool: pg.Pool, wanted: TapePiece): Promise<Pick<WireTape, 'before' | 'ticks' | 'head'>> {
  const { ticks, ...rest } = await tapePiece(pool, wanted)
  return { ...rest, ticks: ticks.map(({ text }) => JSON.parse(text) as WireTapeTick) }
}

test('TAPE-PUBLISHED-001: any piece of the tape, by number or time, follows from the hash before it', async () => {
  const { store, written } = await begin()
  const quotes = [0, 1, 3].map((venue, i) => ({ venue, price: price(60_000) - 7 + i * 7 }))
  const prices = [{ market: 1, price: price(60_000), sources: 3, isGood: true, quotes }]
  await written.append([commandOf({ type: 'index.tick', prices })])
  await run(written, 20_000, (ms) => (ms % 1_000 === 0 ? undefined : 60_000 + ms / 1_000))
  await projected(store, written)
  const whole = await readTape(store.pool, { from: 1, limit: 1_000 })
  assert.equal(whole.before, '0'.repeat(64))
  assert.equal(whole.ticks.length, ticksBefore + 82)
  assert.deepEqual(whole.ticks[ticksBefore + 1]!.prices[0]!.quotes[2], { venue: 3, price: String(price(60_000) + 7), correction: 7 * 1024 })
  assert.deepEqual(whole.head, { tick: ticksBefore + 82, hash: whole.ticks.at(-1)!.hash })
  assert.equal(tapeFault(whole.before, numbers(whole)), undefined)
  for (const piece of [
    { from: 40, limit: 10 },
    { at: at0 + 5_001, until: at0 + 7_500, limit: 1_000 },
    { at: at0 + 5_000, until: at0 + 7_500, limit: 3 },
    { limit: 5 },
  ]) {
    const part = await readTape(store.pool, piece)
    assert.equal(part.before, whole.ticks[part.ticks[0]!.tick - 2]!.hash)
    assert.deepEqual(part.ticks, whole.ticks.slice(part.ticks[0]!.tick - 1).slice(0, part.ticks.length))
    assert.equal(tapeFault(part.before, numbers(part)), undefined)
  }
  const times = (await readTape(store.pool, { at: at0 + 5_001, until: at0 + 5_751, limit: 9 })).ticks.map((tick) => tick.at - at0)
  assert.deepEqual(times, [5_250, 5_500, 5_750])
  assert.deepEqual((await readTape(store.pool, { from: ticksBefore + 83, limit: 9 })).ticks, [])
  // Ticks that are written between the two reads of a piece come after the newest one that it names.
  const query = (text: string, values?: unknown[]) =>
    values === undefined ? store.pool.query('select tick, hash from index_tape where tick = 50') : store.pool.query(text, values)
  const meanwhile = await readTape({ query } as unknown as pg.Pool, { from: 40, limit: 1_000 })
  assert.deepEqual([meanwhile.ticks.at(-1)!.tick, meanwhile.head.tick], [50, 50])
  const forged = numbers(whole)
  forged[30] = { ...forged[30]!, prices: [{ ...forged[30]!.prices[0]!, price: 1 }] }
  assert.equal(tapeFault(whole.before, forged), forged[30]!.tick)
})

test('TAPE-PUBLISHED-002: after old ticks are deleted, the rest still follows from the first one that is kept', async () => {
  const { store, written } = await begin()
  await run(written, 2_000, () => 60_000)
  written.at += 2 * 3_600_000
  await written.append([
    { type: 'index.tick', prices: [] },
    { type: 'index.tick', prices: [] },
  ])
  await projected(store, written, 3_600_000)
  const { rows } = await store.pool.query('select min(tick) as first, count(*)::int as count from index_tape')
  assert.deepEqual(rows[0], { first: ticksBefore + 10, count: 2 })
  const kept = await readTape(store.pool, { from: 1, limit: 10 })
  assert.deepEqual(
    kept.ticks.map(({ tick }) => tick),
    [ticksBefore + 11],
  )
  assert.equal(tapeFault(kept.before, numbers(kept)), undefined)
})
