import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { Outcome, Submit } from '@candor/core/protocol/port.ts'
import { refused, startWorld, type World } from '../../identity/test/world.ts'
import { QuickArgon } from '../../identity/test/people.ts'
import type { Argon } from '../../identity/argon.ts'
import type { IdentityDb } from '../../identity/tables.ts'
import { requireNotOwnFirm } from '../../operations/firms.ts'
import { operationsDb } from '../../operations/tables.ts'
import { Applications } from '../applications.ts'
import { actingFor } from '../acting.ts'
import { Members } from '../members.ts'
import { FirmOffice } from '../office.ts'
import { Openings } from '../openings.ts'
import { type FirmDb, firmDb } from '../tables.ts'

let world: World
let db: FirmDb
before(async () => {
  world = await startWorld(new QuickArgon() as Argon)
  db = firmDb(world.store)
})
after(() => world[Symbol.asyncDispose]())

/** A core that takes this many commands and then is away. Users are opened once by request id. */
class Core {
  readonly commands: Command[] = []
  readonly opened = new Map<string, number>()
  left = Number.POSITIVE_INFINITY

  readonly submit: Submit = async (command) => {
    if (this.left-- <= 0) throw Object.assign(new Error('away'), { refusal: 'UNAVAILABLE' })
    this.commands.push(command)
    if (command.type === 'user.open' && !this.opened.has(command.requestId))
      this.opened.set(command.requestId, 1_000_000 + Math.floor(Math.random() * 1e9))
    const user = command.type === 'user.open' ? this.opened.get(command.requestId) : 0
    return { seq: 1, at: 0, user, order: 0, refusal: undefined, isRepeat: false, events: [] } as unknown as Outcome
  }
}

type Office = { readonly core: Core; readonly applications: Applications; readonly openings: Openings; readonly faults: unknown[] }

function office(): Office {
  const core = new Core()
  const faults: unknown[] = []
  const parts = { db, clock: world.clock, submit: core.submit, onFault: (cause: unknown) => void faults.push(cause) }
  const openings = new Openings(parts)
  const applications = new Applications({ ...parts, openings, log: { write: () => Promise.resolve() }, unserved: new Set(['CH']) })
  return { core, applications, openings, faults }
}

const rows = async (text: string, ...values: readonly unknown[]) => (await world.store.pool.query(text, [...values])).rows

/** A certified person with a second factor, in a session. */
async function person() {
  const { token, account } = await world.customer()
  await rows(`update accounts set certification = 'certified' where id = $1`, account)
  await rows(
    `insert into passkeys (id, account, credential, public_key, counter, transports, label, is_synced, created_at)
     values (gen_random_uuid(), $1::uuid, $1::text, '', 0, '{}', 'phone', false, 0)`,
    account,
  )
  const session = (await world.identity.session(token))!
  return { session, visitor: { ip: '203.0.113.7', userAgent: '' } }
}

async function member(): Promise<string> {
  const id = randomUUID()
  // Two administrators approve each member otherwise.
  await rows('alter table staff disable trigger user')
  await rows(
    `insert into staff (id, email, name, role, state, password, created_at) values ($1::uuid, $1::text || '@a.example', 'a', 'compliance', 'active', 'a', 0)`,
    id,
  )
  await rows('alter table staff enable trigger user')
  return id
}

const announce = (): void => undefined
/** The terms of a firm, which no list shows. */
const reading = { terms: () => Promise.reject(new Error('no terms')) }
const by = (staff: string) => ({ staff, visitor: { ip: '127.0.0.1', userAgent: '' } })
const yes = { isAccepted: true, why: 'The register confirms it.' }
const form = (registration: string) => ({ name: 'Acme', registration, country: 'FR' })

test('FIRM-APPLY-002: an application is decided once, with a reason, by a member who takes no part in the firm', async () => {
  const { applications } = office()
  const [applicant, one, other] = [await person(), await member(), await member()]
  const id = await applications.apply(form('A-1'), applicant)
  await rows(`insert into staff_marks (account, staff, cause, marked_at) values ($1, $2, 'declared', 0)`, applicant.session.account, one)
  await assert.rejects(applications.decide(id, yes, by(one)), refused('SECOND_PERSON_NEEDED'))
  await assert.rejects(applications.decide(randomUUID(), yes, by(other)), refused('NOT_FOUND'))
  await applications.decide(id, { isAccepted: false, why: 'The register has no such firm.' }, by(other))
  await assert.rejects(applications.decide(id, yes, by(other)), refused('PROPOSAL_CLOSED'))
  const [stored] = await rows('select state, why from firms where id = $1', id)
  assert.deepEqual(stored, { state: 'refused', why: 'The register has no such firm.' })
  const told = await rows(`select data from notices where account = $1 and kind = 'firm-answered'`, applicant.session.account)
  assert.deepEqual(told, [{ data: { firm: 'Acme', id } }])
  // Somebody who was refused may apply again.
  await applications.apply(form('A-1'), applicant)
})

test('FIRM-APPLY-002: nobody decides about the terms of a firm in which they take part, or did, and an invitation keeps nobody from it', async () => {
  const { applications } = office()
  const [applicant, one, other] = [await person(), await member(), await member()]
  const id = await applications.apply(form('A-2'), applicant)
  await applications.decide(id, yes, by(other))
  const [{ uid }] = (await rows('select uid from accounts where firm = $1', id)) as [{ uid: string }]
  const marked = `insert into staff_marks (account, staff, cause, marked_at) values ($1, $2, 'declared', 0)`
  await rows(marked, applicant.session.account, one)
  const operations = operationsDb(world.store)
  await assert.rejects(requireNotOwnFirm(operations, uid, one), refused('SECOND_PERSON_NEEDED'))
  await requireNotOwnFirm(operations, uid, other)

  // An invitation keeps nobody from deciding, whether it waits or was declined. Whoever joined and left had a part in the firm.
  const customer = await person()
  await rows(marked, customer.session.account, other)
  const members = new Members({ db, clock: world.clock, endKeys: () => Promise.resolve({ announce }), forgetActing: announce })
  const invite = () => members.invite(id, { uid: customer.session.uid, label: 'Eve', role: 'viewer', accounts: null }, applicant)
  const isOwn = async () =>
    (await new FirmOffice(db, reading).list(other)).firms.find(({ name, isOwn }) => name === 'Acme' && isOwn) !== undefined
  await invite()
  await requireNotOwnFirm(operations, uid, other)
  assert.equal(await isOwn(), false)
  await members.decline(id, customer)
  await requireNotOwnFirm(operations, uid, other)
  await invite()
  await members.accept(id, customer)
  assert.equal(await isOwn(), true)
  const [joined] = await rows(`select id from firm_members where firm = $1 and state = 'active' and role = 'viewer'`, id)
  await members.end(id, joined!.id, customer)
  await assert.rejects(requireNotOwnFirm(operations, uid, other), refused('SECOND_PERSON_NEEDED'))
})

test('FIRM-APPLY-003: during a pause nobody applies for a firm, or joins one in a role that trades', async () => {
  const { applications } = office()
  const [owner, tired] = [await person(), await person()]
  const id = await applications.apply(form('A-6'), owner)
  await applications.decide(id, yes, by(await member()))
  const members = new Members({ db, clock: world.clock, endKeys: () => Promise.resolve({ announce }), forgetActing: announce })
  const invite = (role: 'trader' | 'viewer') => members.invite(id, { uid: tired.session.uid, label: 'Tim', role, accounts: null }, owner)
  await invite('trader')
  const until = world.clock() + 1_000
  await rows(`insert into own_rests (account, cause, at, until) values ($1, 'self-exclusion', 0, $2)`, tired.session.account, until)
  await assert.rejects(applications.apply(form('A-7'), tired), refused('RESTING'))
  await assert.rejects(members.accept(id, tired), refused('RESTING'))
  await members.decline(id, tired)
  await invite('viewer')
  await members.accept(id, tired)
  world.pass(1_000)
  await applications.apply(form('A-7'), tired)
})

test('FIRM-APPLY-002: a registration of a country is one firm’s, however it is written', async () => {
  const { applications } = office()
  const staff = await member()
  const [first, second] = [await applications.apply(form('b-2'), await person()), await applications.apply(form('B-2'), await person())]
  await applications.decide(first, yes, by(staff))
  await assert.rejects(applications.decide(second, yes, by(staff)), refused('FIRM_EXISTS'))
  const applicant = await person()
  const third = await applications.apply(form('B-3'), applicant)
  await rows('delete from passkeys where account = $1', applicant.session.account)
  await assert.rejects(applications.decide(third, yes, by(staff)), refused('FIRM_NEEDS_TRUST'))
  await assert.rejects(applications.apply({ ...form('B-4'), country: 'CH' }, await person()), refused('COUNTRY_NOT_SERVED'))
})

test('FIRM-ACCOUNT-003: an opening that stops after any command is finished later, as one account', async () => {
  const staff = await member()
  for (const stop of [0, 1, 2, 3]) {
    const { core, applications, openings, faults } = office()
    const applicant = await person()
    const id = await applications.apply(form(`C-${stop}`), applicant)
    core.left = stop
    await applications.decide(id, yes, by(staff))
    assert.equal(faults.length, 1, `after ${stop} commands`)
    const [before] = await rows('select is_open, a.uid from firm_accounts f join accounts a on a.id = f.account where f.firm = $1', id)
    assert.equal(before.is_open, false)
    assert.equal(await actingFor(db, applicant.session, before.uid), undefined)
    core.left = Number.POSITIVE_INFINITY
    await Promise.all([openings.finish(), openings.finish()])
    const stored = await rows(
      'select a.core_user, a.certification, f.is_open from firm_accounts f join accounts a on a.id = f.account where f.firm = $1',
      id,
    )
    const user = [...core.opened.values()]
    assert.deepEqual(stored, [{ core_user: user[0], certification: 'certified', is_open: true }])
    assert.equal(user.length, 1)
    const types = core.commands.filter((one) => 'user' in one && one.user === user[0]).map(({ type }) => type)
    assert.ok(types.indexOf('user.locate') < types.indexOf('user.certify'))
    assert.ok(types.indexOf('user.certify') < types.lastIndexOf('firm.join'))
    assert.equal((await rows(`select 1 from firm_log where firm = $1 and action = 'account-opened'`, id)).length, 1)
    assert.equal((await actingFor(db, applicant.session, before.uid))!.session.user, user[0])
  }
})

test('FIRM-ACT-005: a frozen account of a firm is used by nobody, and a frozen member acts for none', async () => {
  const { applications } = office()
  const applicant = await person()
  const id = await applications.apply(form('D-1'), applicant)
  await applications.decide(id, yes, by(await member()))
  const [{ account, uid }] = (await rows('select a.id as account, a.uid from accounts a where a.firm = $1', id)) as [
    { account: string; uid: string },
  ]
  const freeze = (whose: string, at: number | null) => rows('update accounts set frozen_at = $2 where id = $1', whose, at)
  const acts = async () => (await actingFor(db, applicant.session, uid)) !== undefined
  assert.equal(await acts(), true)
  await freeze(account, 1)
  assert.equal(await acts(), false)
  await freeze(account, null)
  await freeze(applicant.session.account, 1)
  assert.equal(await acts(), false)
  await freeze(applicant.session.account, null)
  assert.equal(await acts(), true)
  await world.identity.sessions.revoke(applicant.session.account, applicant.session.id)
  assert.equal(await acts(), false)
})

test('FIRM-KEY-002: keys of a member end with the member, and rest while the member is frozen', async () => {
  const { keys } = world.identity
  const { applications } = office()
  const applicant = await person()
  const id = await applications.apply(form('E-1'), applicant)
  await applications.decide(id, yes, by(await member()))
  const [row] = await rows(
    'select f.account, m.id as member from firm_accounts f join firm_members m on m.firm = f.firm where f.firm = $1',
    id,
  )
  const holder = { account: row.account, visitor: applicant.visitor, member: { id: row.member, account: applicant.session.account } }
  const terms = { label: 'bot', scopes: ['read', 'trade'], ips: [] } as const
  const { key } = await keys.grant(terms, holder)
  await assert.rejects(keys.grant(terms, { account: row.account, visitor: applicant.visitor }), /made by a member/)
  await assert.rejects(keys.grant({ ...terms, scopes: ['withdraw'] }, holder), /no key withdraws/)
  const works = async (): Promise<boolean> => (await keys.find(key.key)) !== undefined
  assert.equal(await works(), true)
  await rows('update accounts set frozen_at = 1 where id = $1', applicant.session.account)
  assert.equal(await works(), false)
  await rows('update accounts set frozen_at = null where id = $1', applicant.session.account)
  assert.equal(await works(), true)
  const told: string[] = []
  keys.onChanged((one) => told.push(one))
  const { announce } = await db.transaction().execute((tx) => keys.endOfMember(tx as unknown as IdentityDb, row.member))
  announce()
  assert.deepEqual([await works(), told], [false, [key.key]])
})
