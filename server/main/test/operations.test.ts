import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { Terms } from '@candor/core/protocol/wire/changes.ts'
import pg from 'pg'
import type { Link } from '../../engine/link.ts'
import { desk } from '../../identity/test/world.ts'
import { Changes } from '../../operations/changes.ts'
import { currentOf } from '../../operations/kinds.ts'
import { Operations } from '../../operations/operations.ts'
import { operationsDb, uidOf } from '../../operations/tables.ts'
import { StaffLog } from '../../staff/log.ts'
import type { Role } from '../../staff/permissions.ts'
import type { Decider } from '../../staff/proposals.ts'
import { staffDb } from '../../staff/tables.ts'
import { migrate } from '../../store/migrate.ts'
import type { Store } from '../../store/open.ts'
import { provideRoles } from '../../store/roles.ts'
import { setMarket } from '../commands/market.ts'
import { reachStore, makeIdentity, makeLogger } from '../roles.ts'
import { startEngine } from '../role/engine.ts'
import { readSettings, type Settings } from '../settings.ts'

type Scene = {
  readonly store: Store
  readonly link: Link
  readonly settings: Settings
  readonly desk: Operations
  readonly rob: Decider
  readonly ria: Decider
  readonly log: StaffLog
}

/** A production engine with its first customer, and two members of risk with sessions. */
async function scene(work: (scene: Scene) => Promise<void>): Promise<void> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'candor-operations-'))
  const settings: Settings = { ...readSettings({ CANDOR_DATA: dataFolder }, dataFolder), mode: 'production', logLevel: 'silent' }
  try {
    await using store = await reachStore(settings)
    await migrate(store)
    const main = { settings, store, logger: makeLogger(settings, 'test') }
    await using engine = await startEngine(main, () => undefined)
    const { link } = engine
    await using identity = makeIdentity(main, link, { send: () => Promise.resolve() })
    await identity.createUser({ email: 'first@customer.example', password: 'correct horse battery' })
    const log = new StaffLog(staffDb(store), Date.now)
    await using operations = newDesk(store, link, log)
    const [rob, ria] = [await member(store, 'rob', 'risk'), await member(store, 'ria', 'risk')]
    await work({ store, link, settings, desk: operations, rob, ria, log })
  } finally {
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

const newDesk = (store: Store, { ask, submit }: Pick<Link, 'ask' | 'submit'>, log: StaffLog): Operations =>
  new Operations({
    db: operationsDb(store),
    clock: Date.now,
    ask: { ...ask, networks: [], uidOf: (user) => uidOf(operationsDb(store), user), userOf: async () => undefined },
    submit,
    log,
    postingsPerDay: 100_000,
    onFault: () => undefined,
  })

/** A member as if two administrators had invited them. */
async function member(store: Store, name: string, role: Role): Promise<Decider> {
  const [id, session, email] = [randomUUID(), randomUUID(), `${name}@staff.example`]
  const now = Date.now()
  await store.pool.query('alter table staff disable trigger all')
  await store.pool.query(
    "insert into staff (id, email, name, role, state, password, created_at) values ($1, $2, $3, $4, 'active', 'x', $5)",
    [...[id, email, name, role, now]],
  )
  await store.pool.query('alter table staff enable trigger all')
  await store.pool.query(
    "insert into staff_sessions (id, staff, token, device, ip, created_at, last_seen_at) values ($1, $2, sha256($3), '', '', $4, $4)",
    [session, id, Buffer.from(session), now],
  )
  return { session: { id: session, staff: id, email, name, role, loggedInAt: now }, visitor: desk }
}

async function wishOf({ link }: Pick<Scene, 'link'>, takerFeePpm: number) {
  const { terms } = await currentOf({ ...link.ask, networks: [], uidOf: async () => '', userOf: async () => undefined }, 'spot', 'BTCUSDT')
  return { kind: 'spot', subject: 'BTCUSDT', terms: { ...(terms as Terms), takerFeePpm }, reason: 'a good reason' } as const
}
const feeNow = async ({ link }: Pick<Scene, 'link'>) => (await link.ask.listing()).markets[0]!.terms.takerFeePpm
const refused = (refusal: string) => (cause: unknown) => (cause as { refusal?: string }).refusal === refusal

test('OPERATIONS-FOUR-001: nobody changes terms alone: by no command to the core, from no second session, and not by the command line', () =>
  scene(async (all) => {
    const { link, desk: operations, rob, ria, store, settings } = all
    const before = await feeNow(all)
    const [market] = (await link.ask.listing()).markets
    const bare = { type: 'market.set', market: market!.id, terms: { ...market!.terms, takerFeePpm: 1 } } as Command
    assert.equal((await link.submit(bare)).refusal, 'FORBIDDEN')
    const alone = { type: 'exchange.operate', proposer: 1, approver: 1, reason: 'alone', change: bare } as Command
    assert.equal((await link.submit(alone)).refusal, 'FORBIDDEN')
    const region = { type: 'region.operate', region: 'DE', isLeverageOpen: true, isSecondOpen: true, reason: 'alone' }
    assert.equal((await link.submit({ ...region, proposer: 1, approver: 1 } as Command)).refusal, 'FORBIDDEN')
    const { terms: second } = await link.ask.optionTerms()
    const open = { type: 'option.operate', user: 1, clientId: '', amount: 0, reason: 'alone', terms: { ...second, isOpen: true } }
    assert.equal((await link.submit({ ...open, proposer: 1, approver: 1 } as unknown as Command)).refusal, 'FORBIDDEN')

    const id = await operations.propose(await wishOf(all, 1), rob)
    await assert.rejects(operations.approve(id, 'markets', rob), refused('SECOND_PERSON_NEEDED'))
    const tab = randomUUID()
    await store.pool.query(
      "insert into staff_sessions (id, staff, token, device, ip, created_at, last_seen_at) values ($1, $2, sha256($3), '', '', $4, $4)",
      [tab, rob.session.staff, Buffer.from(tab), Date.now()],
    )
    const second_ = { ...rob, session: { ...rob.session, id: tab } }
    await assert.rejects(operations.approve(id, 'markets', second_), refused('SECOND_PERSON_NEEDED'))
    const tries = await Promise.allSettled(Array.from({ length: 20 }, () => operations.approve(id, 'markets', rob)))
    assert.ok(tries.every(({ status }) => status === 'rejected'))
    for (const role of ['compliance', 'treasury', 'support', 'auditor'] as const) {
      const other = await member(store, role, role)
      await assert.rejects(operations.approve(id, 'markets', other), refused('PROPOSAL_CLOSED'))
    }
    assert.equal(await feeNow(all), before)
    const input = { settings, operands: ['BTCUSDT'], options: { 'taker-fee-ppm': '1' } }
    await assert.rejects(setMarket.run(input), /console|No exchange runs/)
    assert.equal((await operations.approve(id, 'markets', ria)).state, 'done')
    assert.equal(await feeNow(all), 1)
  }))

test('OPERATIONS-FOUR-002: of twenty approvals at once one counts, and of two decisions at once the later sees what the first did', () =>
  scene(async (all) => {
    const { link, desk: operations, rob, ria, store, log } = all
    const id = await operations.propose(await wishOf(all, 900), rob)
    await using elsewhere = newDesk(store, link, log)
    const desks = [operations, elsewhere]
    const seq = await link.ask.seq()
    const tries = await Promise.allSettled(Array.from({ length: 20 }, (_, at) => desks[at % 2]!.approve(id, 'markets', ria)))
    assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1)
    for (const one of tries) if (one.status === 'rejected') assert.match(String(one.reason.refusal), /PROPOSAL_CLOSED|UNAVAILABLE/)
    const { rows } = await store.pool.query('select state, seq from operations where id = $1', [id])
    assert.equal(rows[0].state, 'approved')
    assert.ok(rows[0].seq > seq)
    assert.equal(await feeNow(all), 900)

    const next = await operations.propose(await wishOf(all, 800), rob)
    const both = await Promise.allSettled([
      operations.approve(next, 'markets', ria),
      elsewhere.close({ kind: 'spot', subject: 'BTCUSDT', reason: 'strange prices' }, ria),
    ])
    const { terms } = (await link.ask.listing()).markets[0]!
    assert.equal(terms.isTrading, false)
    assert.equal(terms.takerFeePpm, both[0].status === 'fulfilled' ? 800 : 900)
  }))

test('OPERATIONS-FOUR-003: the database refuses decisions of one member, of others than the roles, late ones, and changes of decided ones', () =>
  scene(async (all) => {
    const { store, desk: operations, rob, ria } = all
    const id = await operations.propose(await wishOf(all, 900), rob)
    const support = await member(store, 'sue', 'support')
    const client = new pg.Client((await provideRoles(store, { mayForgetTape: false })).gateway)
    await client.connect()
    try {
      const query = (text: string, ...values: unknown[]) => client.query(text, values)
      const approve = (who: Decider, number: string, at = Date.now()) =>
        query(
          `update operations set state = 'approved', decided_by = $2, approver = ${number}, decided_at = $3 where id = $1`,
          ...[id, who.session.staff, at],
        )
      const numberOf = (who: Decider) => `(select number from staff where id = '${who.session.staff}')`
      await assert.rejects(approve(rob, numberOf(rob)), /violates check/)
      await assert.rejects(approve(support, numberOf(support)), /whose role may/)
      await assert.rejects(approve(ria, numberOf(rob)), /whose role may/)
      await assert.rejects(approve(ria, numberOf(ria), Date.now() + 2 * 86_400_000), /violates check/)
      await assert.rejects(query("update operations set terms = '{}' where id = $1", id), /does not change/)
      await assert.rejects(query('update operations set is_closing = true where id = $1', id), /does not change/)
      await assert.rejects(query('update operations set done_at = 1, seq = 1 where id = $1', id), /ends once|violates check/)
      const forged = (state: string, who: Decider, number: string) =>
        query(
          `insert into operations (area, kind, subject, terms, reason, is_closing, proposed_by, proposer, proposed_at, expires_at, state)
            values ('markets', 'spot', 'ETHUSDT', '{}', 'why', false, $1, ${number}, 1, 2, $2)`,
          ...[who.session.staff, state],
        )
      await assert.rejects(forged('approved', rob, numberOf(rob)), /begins open|violates check/)
      await assert.rejects(forged('open', support, numberOf(support)), /whose role may/)
      await assert.rejects(forged('open', rob, numberOf(ria)), /whose role may/)
      await assert.rejects(query('update staff set number = default where id = $1', rob.session.staff), /keeps the number/)
      await assert.rejects(query('delete from operations'), { code: '42501' })
      await assert.rejects(query('alter table operations disable trigger all'), { code: '42501' })
      assert.equal((await operations.approve(id, 'markets', ria)).state, 'done')
      for (const change of [
        "state = 'open', decided_by = null, approver = null, decided_at = null",
        'seq = 1',
        'done_at = 1',
        "state = 'declined'",
      ])
        await assert.rejects(query(`update operations set ${change} where id = $1`, id), /ends once|violates check|does not change/, change)
    } finally {
      await client.end()
    }
  }))

test('OPERATIONS-SEND-003: a gateway that ends between approval and command finishes at the next start, once', () =>
  scene(async (all) => {
    const { store, link, log, rob, ria } = all
    const dead = newDesk(store, { ask: link.ask, submit: () => Promise.reject(new Error('the process has ended')) }, log)
    const id = await dead.propose(await wishOf(all, 900), rob)
    assert.deepEqual(await dead.approve(id, 'markets', ria), { state: 'waits' })
    await dead[Symbol.asyncDispose]()
    assert.equal(await feeNow(all), 1_000)
    assert.deepEqual((await new Changes(operationsDb(store), link.ask).page()).changes, [])

    await using next = newDesk(store, link, log)
    await next.finish()
    assert.equal(await feeNow(all), 900)
    const seq = await link.ask.seq()
    await next.finish()
    assert.equal(await link.ask.seq(), seq)
    const [change] = (await new Changes(operationsDb(store), link.ask).page()).changes
    assert.deepEqual([change!.kind, change!.subject, change!.assets, change!.seq], ['spot', 'BTCUSDT', ['BTC', 'USDT'], seq])
    assert.deepEqual(change!.differences, [{ name: 'takerFeePpm', before: 1_000, after: 900 }])
    assert.doesNotMatch(JSON.stringify(change), /rob|ria|good reason/)
  }))
