import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { MarketId, UserId } from '@candor/core/protocol/ids.ts'
import type { ConversionExplanation, FillExplanation, FillSubject } from '@candor/core/protocol/wire/explain/explanation.ts'
import type { Store } from '../../store/open.ts'
import { startProjector } from '../../store/projector/projector.ts'
import { WrittenJournal } from '../../store/projector/test/written-journal.ts'
import { explain } from '../../main/commands/explain.ts'
import type { Settings } from '../../main/settings.ts'
import { type ScratchServer, startScratchServer } from '../../store/test/scratch.ts'
import { Explainer, type ExplainerOptions } from '../explainer.ts'
import { Explanations, type RequestLimits, requestLimits } from '../requests.ts'

let server: ScratchServer
let store: Store
let written: WrittenJournal
let sides: readonly Side[]
const tierFrom = (volumeMin: number, makerPpm: number, takerPpm: number) => ({ volumeMin, makerPpm, takerPpm })
const schedule = [tierFrom(0, 1_000, 1_000), tierFrom(300e6, 150, 400), tierFrom(3_000e6, 100, 300)]

type Side = FillSubject & {
  readonly user: UserId
  readonly seq: number
  readonly price: string
  readonly quantity: string
  readonly quote: string
  readonly fee: string
}

before(async () => {
  server = await startScratchServer()
  store = await server.store()
  written = new WrittenJournal(store.pool, 3)
  await written.open()
  await written.append([{ type: 'fees.set', tiers: schedule, perpTiers: schedule } as unknown as Command])
  await written.trade(250)
  await tradeOfFirm()
  await using projector = await startProjector({ store, snapshotEvery: 2_000 })
  await projector.reached(written.seq)
  const sideOf = (role: string): string =>
    `select 'fill' as kind, '${role}' as role, market as symbol, trade_id::text as "tradeId", ${role}_user as user, seq, price::text, quantity::text,
       quote::text, ${role}_fee::text as fee from trades where ${role}_user > 0`
  const { rows } = await store.pool.query<Side>(`${sideOf('maker')} union all ${sideOf('taker')} order by seq, "tradeId", role`)
  sides = rows
})
after(() => server[Symbol.asyncDispose]())

/** A firm with the second tier by its terms, which has no volume, takes what somebody offers. */
async function tradeOfFirm(): Promise<void> {
  const user = written.exchange.userCount + 1
  const { bids, asks } = written.exchange.book(1 as MarketId)
  const order = { clientId: '', market: 1, orderType: 'limit', timeInForce: 'GTC', isPostOnly: false, selfTrade: 'expire-taker', lots: 500 }
  const price = Math.floor((bids[0]!.price + asks[0]!.price) / 2)
  await written.append([
    { type: 'user.open', requestId: 'firm', class: 'retail', referrer: 0 },
    { type: 'firm.join', user, main: user },
    { type: 'firm.setTerms', main: user, tier: 2, withdrawMax: 0 },
    { type: 'funds.faucet', user, clientId: 'firm', asset: 1, amount: 1e12 },
    { ...order, type: 'spot.place', user, side: 'buy', price: asks[0]!.price },
    { ...order, type: 'spot.place', user, side: 'buy', price },
  ] as unknown as Command[])
}

const numbers = (...texts: readonly string[]): readonly number[] => texts.map(Number)

/** Asks for some sides as if nobody had asked before, and gives what comes of it. */
async function explained(asked: readonly Side[], options: ExplainerOptions = {}, Kind = Explainer): Promise<readonly unknown[]> {
  await store.pool.query('delete from explanations')
  await store.pool.query(
    `insert into explanations (user_id, kind, subject, seq, asked_at_ms)
     select *, 0 from unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[])`,
    [
      asked.map(({ user }) => user),
      asked.map(({ kind }) => kind),
      asked.map(({ symbol, tradeId, role }) => `${symbol} ${tradeId} ${role}`),
      asked.map(({ seq }) => seq),
    ],
  )
  const explainer = new Kind(store.pool, options)
  while (await explainer.isDue()) await explainer.turn()
  const { rows } = await store.pool.query<{ user: number; subject: string; fault: string | null; body: unknown }>(
    'select user_id as user, subject, fault, body from explanations',
  )
  const found = new Map(rows.map(({ user, subject, fault, body }) => [`${user} ${subject}`, fault ?? body]))
  return asked.map(({ user, symbol, tradeId, role }) => found.get(`${user} ${symbol} ${tradeId} ${role}`))
}

test('EXPLAIN-FEE-001: the fee of every fill of all products is its base times its rate, rounded up, at the rate of the market, the tier or the terms', async () => {
  const faults: unknown[] = []
  // All of Futures, and a part of the others.
  const some = sides.filter(({ symbol }, n) => symbol.endsWith('PERP') || n % 6 === 0 || n > sides.length - 10)
  const found = (await explained(some, { onFault: (cause) => void faults.push(cause) })) as readonly FillExplanation[]
  assert.deepEqual(faults, [])
  const sources = new Map<string, number>()
  for (const [n, { price, quantity, quote, fee, role }] of some.entries()) {
    const one = found[n]!
    assert.deepEqual(numbers(one.price, one.quantity, one.value, one.fee.amount), numbers(price, quantity, quote, fee))
    assert.equal(one[role] === undefined, false)
    const { amount, due = amount, exact, ratePpm, source, marketPpm, tierPpm } = one.fee
    assert.ok(Number(due) >= Number(exact) && Number(due) - Number(exact) < 1e-6, `${due} ${exact}`)
    assert.equal(ratePpm, source === 'none' ? 0 : source === 'market' ? marketPpm : tierPpm)
    const isPerp = one.symbol.endsWith('PERP')
    assert.ok(isPerp || one.fee.due === undefined)
    const name = `${isPerp ? 'futures' : 'spot'} ${source}${one.fee.due === undefined ? '' : ' short'}`
    sources.set(name, (sources.get(name) ?? 0) + 1)
  }
  for (const name of ['spot market', 'spot tier', 'spot terms', 'futures market', 'futures tier', 'futures none'])
    assert.ok((sources.get(name) ?? 0) > 0, `${name} of ${JSON.stringify([...sources])}`)
})

test('EXPLAIN-PASS-001: one pass answers requests of all ages, each from the newest snapshot before it', async () => {
  const some = [sides[0]!, sides.at(-1)!, sides[Math.floor(sides.length / 2)]!]
  const passed: number[] = []
  class Counting extends Explainer {
    override async turn(): Promise<void> {
      await super.turn()
      passed.push(1)
    }
  }
  const found = (await explained(some, {}, Counting)) as readonly FillExplanation[]
  assert.deepEqual([passed.length, found.map(({ tradeId }) => tradeId)], [1, some.map(({ tradeId }) => tradeId)])
})

test('EXPLAIN-PASS-002: what can’t be executed again is refused with its reason: another version, no state before it, too far, or a contradiction', async () => {
  const first = sides[0]!
  const last = sides.at(-1)!
  const told: string[] = []
  const onFault = (cause: unknown): void => void told.push(String(cause))
  assert.deepEqual(await explained([last], { reachMax: 1 }), ['far'])
  const undone = async (change: string, undo: string, side: Side): Promise<unknown> => {
    await store.pool.query(change)
    const [found] = await explained([side], { onFault })
    await store.pool.query(undo)
    return found
  }
  const { rows } = await store.pool.query<{ seq: number }>('select min(seq) as seq from snapshots')
  const snapshot = rows[0]!.seq
  assert.ok(first.seq < snapshot && last.seq > snapshot)
  assert.equal(
    await undone(
      `create table kept as select * from journal where seq <= ${snapshot}; delete from journal where seq <= ${snapshot}`,
      'insert into journal select * from kept; drop table kept',
      first,
    ),
    'gone',
  )
  const other = 'update journal set core_version = core_version'
  assert.equal(await undone(`${other} - 1`, `${other} + 1`, first), 'version')
  assert.deepEqual(told, [])
  const row = `update journal set events_digest = sha256(events_digest) where seq = (select min(seq) from journal where seq >= ${last.seq})`
  const kept = (
    await store.pool.query<{ digest: Buffer; seq: number }>(
      `select events_digest as digest, seq from journal where seq >= $1 order by seq limit 1`,
      [last.seq],
    )
  ).rows[0]!
  await store.pool.query(row)
  assert.deepEqual(await explained([last], { onFault }), ['failed'])
  await store.pool.query('update journal set events_digest = $1 where seq = $2', [kept.digest, kept.seq])
  assert.match(told.join(), /Journal damaged/)
  const fee = (change: string): string =>
    `update trades set ${last.role}_fee = ${last.role}_fee ${change} where market = '${last.symbol}' and trade_id = ${last.tradeId}`
  assert.equal(await undone(fee('+ 1'), fee('- 1'), last), 'failed')
  assert.match(told.at(-1)!, /the fee of command \d+ is recorded as/)
  assert.equal(typeof (await explained([last], { onFault }))[0], 'object')
})

test('EXPLAIN-PASS-002: how far a command is counts from the kept state, however many others of the pass are on the way', async () => {
  const { rows } = await store.pool.query<{ first: number }>('select min(seq) as first from snapshots')
  const near = sides.filter(({ seq, role }) => role === 'taker' && seq < rows[0]!.first)
  const [first, last] = [near[0]!, near.at(-1)!]
  const reachMax = last.seq - 1
  const between = near.filter(({ seq }) => seq < last.seq).filter((_, n) => n % 10 === 0)
  const found = await explained([first, ...between.slice(1), last], { reachMax })
  assert.deepEqual([found.filter((one) => one === 'far').length, found.at(-1)], [1, 'far'])
  assert.equal(typeof (await explained([first, last], { reachMax: last.seq })).at(-1), 'object')
})

test('EXPLAIN-COMMAND-002: the command line explains what no kept state precedes from the first command of the journal', async () => {
  const { rows } = await store.pool.query<{ first: number }>('select min(seq) as first from snapshots')
  const { seq } = sides[0]!
  assert.ok(seq < rows[0]!.first)
  const settings = { databaseUrl: store.url, dataFolder: server.folder } as unknown as Settings
  const shown = await explain.run({ settings, operands: [String(seq)], options: {} })
  assert.equal(shown.isFailure, undefined)
  assert.ok(shown.lines.some((line) => line.includes('"type":"traded"')))
})

test('EXPLAIN-ASK-001: only one’s own side of a trade is explained; what was asked for is stored, and served again to nobody else', async () => {
  await store.pool.query('delete from explanations')
  const explanations = new Explanations(store.pool)
  const { user, kind, symbol, tradeId, role } = sides.at(-1)!
  const subject = { kind, symbol, tradeId, role }
  const asked = await explanations.ask(user, subject)
  assert.deepEqual([asked.state, asked.percent], ['waiting', 0])
  const stranger = (user === 1 ? 2 : 1) as UserId
  const notFound = { refusal: 'NOT_FOUND' }
  await assert.rejects(explanations.ask(stranger, subject), notFound)
  await assert.rejects(explanations.read(stranger, Number(asked.id)), notFound)
  await assert.rejects(explanations.ask(user, { ...subject, role: role === 'maker' ? 'taker' : 'maker' }), notFound)
  await assert.rejects(explanations.ask(user, { ...subject, tradeId: '999999999' }), notFound)
  await new Explainer(store.pool).turn()
  const ready = await explanations.ask(user, subject)
  assert.deepEqual([ready.id, ready.state, ready.fill?.tradeId], [asked.id, 'ready', tradeId])
  assert.deepEqual(await explanations.read(user, Number(asked.id)), ready)
})

test('EXPLAIN-ASK-004: one that was refused is worked out anew when it is asked for a day later', async () => {
  await store.pool.query('delete from explanations')
  let now = Date.UTC(2026, 0, 20)
  const explanations = new Explanations(store.pool, () => now)
  const { user, kind, symbol, tradeId, role } = sides.at(-1)!
  const ask = () => explanations.ask(user, { kind, symbol, tradeId, role })
  const { id } = await ask()
  await new Explainer(store.pool, { reachMax: 0 }).turn()
  now += 86_399_999
  assert.deepEqual(await ask(), { id, state: 'refused', fault: 'far' })
  now += 1
  assert.deepEqual(await ask(), { id, state: 'waiting', percent: 0 })
  const { rows } = await store.pool.query<{ at: number; tries: number }>('select asked_at_ms as at, tries from explanations')
  assert.deepEqual(rows, [{ at: now, tries: 0 }], 'it waits behind those that were asked for before')
  await new Explainer(store.pool).turn()
  assert.equal((await ask()).state, 'ready')
})

test('EXPLAIN-ASK-002: at most 5 of a customer wait at a time, 100 are asked for on a day, and 500 wait in all', async () => {
  await store.pool.query('delete from explanations')
  assert.deepEqual(requestLimits, { waiting: 5, daily: 100, all: 500 })
  const { user } = sides[0]!
  const mine = sides.filter((side) => side.user === user).map(({ kind, symbol, tradeId, role }) => ({ kind, symbol, tradeId, role }))
  assert.ok(mine.length > 3)
  let now = Date.UTC(2026, 0, 20)
  const explanations = new Explanations(store.pool, () => now, { waiting: 2, daily: 3, all: 3 })
  const limit = { refusal: 'EXPLANATIONS_LIMIT' }
  const done = () => store.pool.query(`update explanations set state = 'refused', fault = 'far' where state = 'waiting'`)
  await explanations.ask(user, mine[0]!)
  await explanations.ask(user, mine[1]!)
  await assert.rejects(explanations.ask(user, mine[2]!), limit)
  assert.equal((await explanations.ask(user, mine[0]!)).state, 'waiting', 'what was asked for before costs nothing')
  await done()
  await explanations.ask(user, mine[2]!)
  await done()
  await assert.rejects(explanations.ask(user, mine[3]!), limit)
  now += 86_400_001
  await explanations.ask(user, mine[3]!)
  const others = sides.filter((side) => side.user !== user)
  const strangers = [...new Map(others.map((side) => [side.user, side])).values()].slice(0, 3)
  for (const [n, { user: other, kind, symbol, tradeId, role }] of strangers.entries()) {
    const asking = explanations.ask(other, { kind, symbol, tradeId, role })
    if (n < 2) await asking
    else await assert.rejects(asking, { refusal: 'EXPLANATIONS_FULL' })
  }
})

test('EXPLAIN-ASK-005: the accounts of a firm share one customer’s limits', async () => {
  await store.pool.query('delete from explanations')
  const [one, two, other] = [...new Map(sides.map((side) => [side.user, side])).values()] as [Side, Side, Side]
  await store.pool.query(
    `with person as (
       insert into accounts (id, uid, email, password, password_changed_at, lang, invitation_code, class, created_at)
       values (gen_random_uuid(), '100000001', 'a@a.example', 'a', 0, 'en', 'a', 'retail', 0) returning id
     )
     insert into firms (id, name, registration, country, applied_by, applied_at) select gen_random_uuid(), 'Firm', 'HRB 1234', 'DE', id, 0 from person`,
  )
  for (const [n, { user }] of [one, two].entries())
    await store.pool.query(
      `insert into accounts (id, uid, core_user, password, password_changed_at, lang, invitation_code, class, created_at, firm)
       select gen_random_uuid(), $1::text, $2::bigint, '', 0, 'en', $1::text, 'retail', 0, id from firms`,
      [`10000000${n + 2}`, user],
    )
  await store.pool.query(
    `insert into firm_accounts (account, firm, kind, label, made_by, made_at)
     select id, firm, case uid when '100000002' then 'main' else 'sub' end, 'a', (select applied_by from firms), 0 from accounts where firm is not null`,
  )
  const ask = (limits: Partial<RequestLimits>, { user, kind, symbol, tradeId, role }: Side) =>
    new Explanations(store.pool, Date.now, { ...requestLimits, ...limits }).ask(user, { kind, symbol, tradeId, role })
  await ask({ waiting: 1 }, one)
  const limit = { refusal: 'EXPLANATIONS_LIMIT' }
  await assert.rejects(ask({ waiting: 1 }, two), limit)
  await assert.rejects(ask({ daily: 1 }, two), limit)
  await ask({ waiting: 1, daily: 1 }, other)
  await ask({ waiting: 2, daily: 2 }, two)
})

test('EXPLAIN-ASK-003: to ask reads no records, of which a market maker has millions, also where the answer is a refusal', async () => {
  await store.pool.query('delete from explanations')
  const { user, kind, symbol, tradeId, role } = sides.find((side) => side.role === 'maker')!
  const subject = { kind, symbol, tradeId, role }
  const explanations = new Explanations(store.pool)
  const refusing = new Explanations(store.pool, Date.now, { ...requestLimits, waiting: 0 })
  await store.pool.query('alter table receipts rename to receipts_away')
  try {
    await assert.rejects(refusing.ask(user, subject), { refusal: 'EXPLANATIONS_LIMIT' })
    assert.equal((await explanations.ask(user, subject)).state, 'waiting')
  } finally {
    await store.pool.query('alter table receipts_away rename to receipts')
  }
})

test('EXPLAIN-PASS-003: an explanation that fails ends no other of its pass', async () => {
  await store.pool.query('delete from explanations')
  const { user, kind, symbol, tradeId, role } = sides.at(-1)!
  const explanations = new Explanations(store.pool)
  const { rows } = await store.pool.query<{ id: number }>('select id from markets where symbol = $1', [symbol])
  const asked = await explanations.ask(user, { kind, symbol, tradeId, role })
  // The core knows no market of this number.
  await store.pool.query('update markets set id = 9999 where symbol = $1', [symbol])
  const faults: unknown[] = []
  try {
    await new Explainer(store.pool, { onFault: (cause) => void faults.push(cause) }).turn()
  } finally {
    await store.pool.query('update markets set id = $2 where symbol = $1', [symbol, rows[0]!.id])
  }
  assert.equal((await explanations.read(user, Number(asked.id))).fault, 'failed')
  assert.ok(faults.length > 0)
})

test('EXPLAIN-CONVERSION-001: the sums of every decided conversion are worked out again from its prices and the spread, with the index that decided it', async () => {
  const { rows } = await store.pool.query<{ id: number; user: UserId; give: string; get: string; state: string }>(
    'select id, user_id as user, give::text, get::text, state from conversions where ended_at_ms is not null order by id',
  )
  await store.pool.query('delete from explanations')
  await store.pool.query(
    `insert into explanations (user_id, kind, subject, seq, asked_at_ms) select user_id, 'conversion', id::text, id, 0 from conversions where ended_at_ms is not null`,
  )
  const faults: unknown[] = []
  await new Explainer(store.pool, { onFault: (cause) => void faults.push(cause) }).turn()
  assert.deepEqual(faults, [])
  const { rows: told } = await store.pool.query<{ body: ConversionExplanation }>('select body from explanations order by subject::bigint')
  assert.ok(rows.length > 5 && told.length === rows.length)
  const states = new Set<string>()
  for (const [n, { give, get, state }] of rows.entries()) {
    const one = told[n]!.body
    assert.deepEqual(numbers(one.give, one.get), numbers(give, get))
    // By the prices that it tells, in plain arithmetic.
    const rate = (Number(one.fromPrice) / Number(one.toPrice)) * (1 - one.spreadPpm / 1e6)
    const follows = one.named === 'give' ? Number(give) * rate : Number(get) / rate
    assert.ok(Math.abs(follows / Number(one.exact) - 1) < 1e-9, `${follows} ${one.exact}`)
    const rounded = Number(one.named === 'give' ? get : give)
    assert.ok(Math.abs(rounded - Number(one.exact)) <= 1e-6, `${rounded} ${one.exact}`)
    assert.ok(Number(one.fromPrice) <= Number(one.fromIndex) && Number(one.toPrice) >= Number(one.toIndex))
    if (one.decision !== undefined) {
      const before = Number(one.fromIndex) / Number(one.toIndex)
      const now = Number(one.decision.fromIndex) / Number(one.decision.toIndex)
      const moved = Math.max(now / before, before / now) > 1 + one.driftPpm / 1e6
      assert.equal(moved, state === 'moved')
    }
    states.add(`${state} ${one.decision === undefined ? '' : 'decided'}`)
  }
  assert.ok(states.has('filled decided'), [...states].join())
  const explanations = new Explanations(store.pool)
  const { user, id } = rows[0]!
  assert.equal((await explanations.ask(user, { kind: 'conversion', id: String(id) })).conversion?.id, String(id))
  await assert.rejects(explanations.ask((user === 1 ? 2 : 1) as UserId, { kind: 'conversion', id: String(id) }), { refusal: 'NOT_FOUND' })
})
