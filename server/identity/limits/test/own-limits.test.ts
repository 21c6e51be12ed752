/** Customers' own limits: what counts at once, what waits, and what a reached one does. */
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { factorWorld } from '../../factors/test/factor-world.ts'
import { LossFigures } from '../figures.ts'
import { monthsLater, periodOf } from '../periods.ts'
import { OwnLimits } from '../own-limits.ts'
import { Rests } from '../rests.ts'
import { identityDb } from '../../tables.ts'

const { world, rows, customer, proveByCode } = factorWorld()
const day = 86_400_000
const minute = 60_000
const faults: unknown[] = []

function desk() {
  const { store, core, identity, clock } = world()
  const shared = { db: identityDb(store), clock, onFault: (cause: unknown) => void faults.push(cause) }
  const rests = new Rests({ ...shared, factors: identity.factors, keys: identity.keys, submit: core.submit })
  return {
    rests,
    limits: new OwnLimits({ ...shared, store, rests, mode: 'production' }),
    figures: new LossFigures(store, shared.db, clock),
  }
}

afterEach(async () => {
  world().core.told.length = 0
  for (const table of [
    'candles_1m',
    'positions',
    'perp_marks',
    'perp_days',
    'balance_days',
    'balances',
    'ledger_entries',
    'core_users',
    'loss_figures',
  ])
    await rows(`delete from ${table}`)
  assert.deepEqual(faults.splice(0), [])
})

/** A balance in an account of Futures at the end of a day, in USDT. */
async function worth(user: number, at: number, total: string): Promise<void> {
  const key = [user, 'perp', '', 'USDT'] as const
  await rows('insert into balance_days values ($1, $2, $3, $4, $5, $6)', ...key, at - (at % day), total)
  await rows(
    'insert into balances (user_id, kind, market, asset, available, held, seq) values ($1, $2, $3, $4, $5, 0, 1) on conflict do nothing',
    ...key,
    total,
  )
}

/** An open position of one lot of BTC, and the mark that was told last. */
async function holds(user: number, quantity: string, cost: string, mark: string): Promise<void> {
  await rows(
    `insert into positions (position, user_id, market, side, mode, leverage, quantity, cost, margin, realised, fees, funding, opened_at_ms, updated_at_ms)
     values (1, $1, 'BTCUSDT-PERP', 'both', 'cross', 5, $2, $3, 0, 0, 0, 0, 0, 0)`,
    ...[user, quantity, cost],
  )
  await moves(mark)
}

const moves = (mark: string): Promise<unknown> =>
  rows(
    `insert into perp_marks (market, at_ms, mark, index_price, sources) values ('BTCUSDT-PERP', $1, $2, $2, '[]')
     on conflict (market) do update set at_ms = $1, mark = $2`,
    world().clock(),
    mark,
  )

const valueOf = async (account: string, kind = 'loss-day') => {
  const { value, next } = (await desk().limits.of(account)).limits.find((one) => one.kind === kind)!
  return [value, next]
}

test('USER-LIMIT-001: a lower limit counts at once; a higher one, or none, after a day and the customer’s second word', async () => {
  const { person, account } = await customer()
  const { limits } = desk()
  await limits.set({ kind: 'loss-day', value: '100' }, person)
  await limits.set({ kind: 'loss-day', value: '50.5' }, person)
  assert.deepEqual(await valueOf(account), ['50.5', null])
  await limits.set({ kind: 'loss-day', value: null }, person)
  assert.deepEqual(await valueOf(account), ['50.5', { value: null, at: world().clock() + day }])
  world().pass(day - minute)
  await assert.rejects(limits.confirm('loss-day', person), { refusal: 'LIMIT_WAITS', retryAfter: 60 })
  world().pass(minute)
  assert.deepEqual((await valueOf(account))[0], '50.5', 'nothing changes by itself')
  await limits.confirm('loss-day', person)
  assert.deepEqual(await valueOf(account), [null, null])
  await assert.rejects(limits.confirm('loss-day', person), { refusal: 'NOT_FOUND' })
  for (const value of ['0', '0.0']) await assert.rejects(limits.set({ kind: 'loss-week', value }, person), { refusal: 'LIMIT_INVALID' })
  await assert.rejects(limits.set({ kind: 'session-day', value: '1.5' }, person), { refusal: 'LIMIT_INVALID' })
})

test('USER-LIMIT-002: a higher limit waits anew when it is changed, and the present value again, or a lower one, ends its wait', async () => {
  const { person, account } = await customer()
  const { limits } = desk()
  await limits.set({ kind: 'loss-day', value: '10' }, person)
  await limits.set({ kind: 'loss-day', value: '20' }, person)
  world().pass(day - minute)
  await limits.set({ kind: 'loss-day', value: '1000000' }, person)
  world().pass(minute)
  await assert.rejects(limits.confirm('loss-day', person), { refusal: 'LIMIT_WAITS' })
  await limits.set({ kind: 'loss-day', value: '10' }, person)
  assert.deepEqual(await valueOf(account), ['10', null])
  world().pass(day)
  await assert.rejects(limits.confirm('loss-day', person), { refusal: 'NOT_FOUND' })
  // Of two tabs at once, one that lowers and one that raises, the lower value stays the one that counts.
  await Promise.all([limits.set({ kind: 'loss-day', value: '5' }, person), limits.set({ kind: 'loss-day', value: '500' }, person)])
  assert.deepEqual((await valueOf(account))[0], '5')
})

test('USER-LIMIT-003: a loss that reaches a limit begins a pause until the period’s end, once, and the core is told', async () => {
  const { person, account } = await customer()
  const { user } = person.session
  const { limits, rests } = desk()
  const now = world().clock()
  await worth(user, now - day, '1000')
  await worth(user, now, '901')
  await limits.set({ kind: 'loss-day', value: '100' }, person)
  await limits.set({ kind: 'loss-month', value: '5000' }, person)
  await limits.check()
  assert.deepEqual((await limits.of(account)).results[0], { kind: 'loss-day', result: '-99' })
  assert.equal(await rests.of(account), null)
  await rows('update balance_days set total = 700 where user_id = $1 and day_ms = $2', user, now - (now % day))
  // Money that was transferred out is no loss.
  await rows(
    `insert into ledger_entries (seq, line, at_ms, user_id, kind, market, asset, reason, delta, held_delta, available, held)
     values (1, 0, $2, $1, 'perp', '', 'USDT', 'transfer', -200, 0, 700, 0)`,
    user,
    now,
  )
  await limits.check()
  assert.deepEqual((await limits.of(account)).results[0], { kind: 'loss-day', result: '-100' })
  const until = now - (now % day) + day
  assert.deepEqual(await rests.of(account), { until, cause: 'loss' })
  assert.deepEqual(world().core.told, [{ type: 'user.rest', user, until }])
  await limits.check()
  await rests.finish()
  assert.equal(world().core.told.length, 1)
  const notices = await rows("select data from notices where account = $1 and kind = 'rest-begun'", account)
  assert.deepEqual(notices, [{ data: { cause: 'loss', until: String(until) } }])
})

test('USER-LIMIT-012: the loss of a position that is still open counts on the day on which it arises', async () => {
  const { person, account } = await customer()
  const { user } = person.session
  const { limits, rests } = desk()
  const now = world().clock()
  await worth(user, now - day, '1000')
  await limits.set({ kind: 'loss-day', value: '500' }, person)
  for (const [quantity, cost] of [
    ['1', '60000'],
    ['-1', '59800'],
  ] as const) {
    await rows('delete from positions')
    await holds(user, quantity, cost, '59900')
    assert.deepEqual((await limits.of(account)).results[0], { kind: 'loss-day', result: '-100' })
  }
  await limits.check()
  assert.equal(await rests.of(account), null)
  await moves('60300')
  await limits.check()
  assert.deepEqual(await rests.of(account), { until: now - (now % day) + day, cause: 'loss' })
})

test('USER-LIMIT-012: what a position lost by midnight counts neither again nor back on the next day', async () => {
  const { person, account } = await customer()
  const { user } = person.session
  const { limits, rests } = desk()
  const today = world().clock() - (world().clock() % day)
  await worth(user, today - 2 * day, '1000')
  await holds(user, '1', '60000', '59100')
  await limits.set({ kind: 'loss-day', value: '500' }, person)
  // Midnight, before the tables have the end of the day.
  world().pass(today + day - world().clock())
  await limits.check()
  assert.equal(await rests.of(account), null)
  await rows('insert into perp_days values ($1, $2, -900)', user, today)
  await moves('59050')
  assert.deepEqual((await limits.of(account)).results[0], { kind: 'loss-day', result: '-50' })
  await moves('58600')
  await limits.check()
  assert.deepEqual(await rests.of(account), { until: today + 2 * day, cause: 'loss' })
})

test('USER-LIMIT-013: a coin without a price hides no loss, and counts nothing until it has one', async () => {
  const { person, account } = await customer()
  const { user } = person.session
  const { limits, rests } = desk()
  const now = world().clock()
  await worth(user, now - day, '1000')
  await worth(user, now, '600')
  const key = [user, 'margin-cross', '', 'NEW'] as const
  await rows('insert into balance_days values ($1, $2, $3, $4, $5, 40)', ...key, now - (now % day))
  await rows(`insert into balances (user_id, kind, market, asset, available, held, seq) values ($1, $2, $3, $4, 40, 0, 1)`, ...key)
  await rows(
    `insert into ledger_entries (seq, line, at_ms, user_id, kind, market, asset, reason, delta, held_delta, available, held)
     values (1, 0, $5, $1, $2, $3, $4, 'transfer', 40, 0, 40, 0)`,
    ...key,
    now,
  )
  await limits.set({ kind: 'loss-day', value: '500' }, person)
  assert.deepEqual((await limits.of(account)).results[0], { kind: 'loss-day', result: '-400' })
  for (const [minutes, close] of [
    [1, '10'],
    [2, '7'],
  ] as const)
    await rows(
      `insert into candles_1m (market, open_time, open, high, low, close, volume, quote_volume, trades, is_reference)
       values ('NEWUSDT', $1, $2, $2, $2, $2, 1, 1, 1, false)`,
      now + minutes * minute,
      close,
    )
  // It came in at its first price, and has lost 40 times 3 since.
  assert.deepEqual((await limits.of(account)).results[0], { kind: 'loss-day', result: '-520' })
  await limits.check()
  assert.equal((await rests.of(account))?.cause, 'loss')
})

test('USER-LIMIT-014: neither an account that sets limits all the time nor one that can’t be compared comes before others', async () => {
  const [busy, broken] = [await customer(), await customer()]
  const { limits } = desk()
  const checkedAt = async ({ account }: { readonly account: string }) =>
    (await rows('select min(checked_at) as at from own_limits where account = $1', account))[0]!['at']
  for (const one of [busy, broken]) await limits.set({ kind: 'loss-day', value: '100' }, one.person)
  await worth(broken.person.session.user, world().clock(), '1')
  world().pass(minute)
  await limits.check()
  const first = world().clock()
  await limits.set({ kind: 'loss-day', value: '99' }, busy.person)
  assert.equal(await checkedAt(busy), first)
  world().pass(minute)
  // Stands for whatever the database can’t compute.
  await rows('alter table balance_days rename column total to missing')
  try {
    await limits.check()
  } finally {
    await rows('alter table balance_days rename column missing to total')
  }
  assert.ok(faults.splice(0).length >= 2)
  for (const one of [busy, broken]) assert.equal(await checkedAt(one), world().clock())
})

test('USER-LIMIT-004: a pause is begun after a proof, and nobody ends or shortens it, not even in the database', async () => {
  const one = await customer()
  const { person, account } = one
  const { rests } = desk()
  await assert.rejects(rests.begin({ cause: 'self-exclusion', months: 6 }, person), { refusal: 'PROOF_NEEDED' })
  await proveByCode(one)
  const until = monthsLater(world().clock(), 6)
  await rests.begin({ cause: 'self-exclusion', months: 6 }, person)
  await rests.begin({ cause: 'cool-off', hours: 24 }, person)
  assert.deepEqual(await rests.of(account), { until, cause: 'self-exclusion' })
  await rests.begin({ cause: 'self-exclusion', months: 12 }, person)
  assert.deepEqual(
    world().core.told.map((told) => 'until' in told && told.until),
    [until, monthsLater(world().clock(), 12)],
  )
  await assert.rejects(rows('update own_rests set until = until - 1 where account = $1', account), /does not change/)
  assert.deepEqual(
    (await rows("select has_table_privilege(rolname, 'own_rests', 'delete') as may from pg_roles where rolname like '%_gateway'")).filter(
      ({ may }) => may,
    ),
    [],
  )
})

test('USER-LIMIT-005: a pause that the core did not learn of is told later', async () => {
  const one = await customer()
  await proveByCode(one)
  const { rests } = desk()
  world().core.failures.push({ isLost: false })
  await rests.begin({ cause: 'cool-off', hours: 24 }, one.person)
  assert.equal(faults.splice(0).length, 1)
  assert.deepEqual(world().core.told, [])
  await rests.finish()
  await rests.finish()
  assert.deepEqual(
    world().core.told.map(({ type }) => type),
    ['user.rest'],
  )
})

test('USER-LIMIT-006: time counts while the app gives signs of life, once for all tabs, and a used-up day begins a pause until midnight', async () => {
  const { person, account } = await customer()
  const { limits, rests } = desk()
  world().pass(day - (world().clock() % day) + minute)
  await limits.set({ kind: 'session-day', value: '3' }, person)
  await limits.active(account)
  for (let n = 0; n < 2; n++) {
    world().pass(minute)
    // Two tabs, and a script that sends many.
    for (const _ of [1, 2, 3]) await limits.active(account)
  }
  assert.equal((await limits.of(account)).minutesToday, 2)
  world().pass(10 * minute)
  assert.equal((await limits.active(account)).minutesToday, 2, 'the app was not in sight')
  world().pass(minute)
  const { minutesToday, rest } = await limits.active(account)
  const now = world().clock()
  assert.deepEqual([minutesToday, rest], [3, { until: now - (now % day) + day, cause: 'session' }])
  assert.deepEqual(
    world().core.told.map(({ type }) => type),
    ['user.rest'],
  )
  world().pass(day)
  assert.deepEqual([(await limits.active(account)).minutesToday, await rests.of(account)], [0, null])
})

test('USER-LIMIT-007: the share of losing accounts comes from the ledger, and below 30 accounts there is none', async () => {
  const { figures } = desk()
  const now = world().clock()
  assert.deepEqual(await figures.newest(), { figures: [] })
  for (let user = 1; user <= 40; user++) {
    await rows(
      'insert into core_users (user_id, class, referrer, is_frozen, tier) values ($1, $2, 0, false, 0)',
      user,
      user === 40 ? 'maker' : 'retail',
    )
    const delta = user % 3 === 0 ? '5' : '-5'
    const entry = (line: number, kind: string, reason: string, sum: string) =>
      rows(
        `insert into ledger_entries (seq, line, at_ms, user_id, kind, market, asset, reason, delta, held_delta, available, held)
         values ($1, $2, $3, $1, $4, '', 'USDT', $5, $6, 0, 0, 0)`,
        user,
        line,
        now - day,
        kind,
        reason,
        sum,
      )
    await entry(0, 'perp', 'transfer', '100')
    await entry(1, 'perp', 'realised', delta)
    if (user <= 10) await entry(2, 'option', 'stake', '-5')
  }
  await figures.compute()
  await figures.compute()
  const today = now - (now % day)
  assert.deepEqual((await figures.newest()).figures, [
    { product: 'perp', day: today, accounts: 39, lostPercent: 67 },
    { product: 'margin', day: today, accounts: 0, lostPercent: null },
    { product: 'option', day: today, accounts: 10, lostPercent: null },
  ])
})

test('USER-LIMIT-008: periods are UTC days, weeks from Monday and months', () => {
  const at = Date.UTC(2026, 10, 29, 23, 59)
  assert.deepEqual(periodOf('loss-day', at), { start: Date.UTC(2026, 10, 29), end: Date.UTC(2026, 10, 30) })
  assert.deepEqual(periodOf('loss-week', at), { start: Date.UTC(2026, 10, 23), end: Date.UTC(2026, 10, 30) })
  assert.deepEqual(periodOf('loss-week', at + minute), { start: Date.UTC(2026, 10, 30), end: Date.UTC(2026, 11, 7) })
  assert.deepEqual(periodOf('loss-month', Date.UTC(2026, 11, 31)), { start: Date.UTC(2026, 11, 1), end: Date.UTC(2027, 0, 1) })
  assert.equal(monthsLater(Date.UTC(2026, 7, 31, 12), 6), Date.UTC(2027, 1, 28, 12))
})
