import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import type { FirmRole } from '@candor/core/protocol/wire/firm/firm.ts'
import type { WireFirmRequest, WireNewFirmRequest } from '@candor/core/protocol/wire/firm/requests.ts'
import type { Person } from '../../../identity/factors/factors.ts'
import { refused } from '../../../identity/test/world.ts'
import type { Refused } from '../../../refused.ts'
import { Members } from '../../members.ts'
import { firmDb } from '../../tables.ts'
import { FirmRequests, type FirmRequestsOptions } from '../desk.ts'
import { says, type SqlFirm, type SqlMember, startSqlFirms } from './sql-firm.ts'

let world: Awaited<ReturnType<typeof startSqlFirms>>
let requests: FirmRequests
/** Numbers of the withdrawals that the core has taken, by the id of the request. */
const taken = new Map<string, string>()
/** Whether the core's answers are lost. */
let isCut = false
before(async () => {
  world = await startSqlFirms()
  requests = deskOf()
})
after(() => world[Symbol.asyncDispose]())
beforeEach(() => world.pass(0))

const day = 86_400_000
const tooFew = says('needs the people of its rule')

/** Two people for everything, of four who approve. */
async function firmOfFour() {
  const firm = await world.firm()
  const { owner } = firm
  const first = await world.join(firm, 'treasurer', [owner])
  const second = await world.join(firm, 'admin', [owner])
  const third = await world.join(firm, 'treasurer', [owner])
  await world.rule(firm, [[null, 2]], 2, [owner])
  return { firm, owner, first, second, third, to: await world.address(firm, [owner, first]) }
}

/** Gives or takes a role, with two approvals. */
async function change(of: SqlFirm, by: readonly [SqlMember, SqlMember], who: SqlMember, role: string | null): Promise<void> {
  const request = await world.ask(of, by[0], 'member', { member: who.member, role })
  await world.say(request, by[1])
  await world.approve(request)
  const how = role === null ? `state = 'ended', ended_at = 1` : `role = '${role}'`
  await world.run(`update firm_members set ${how} where id = $1`, who.member)
}

test('FIRM-VERDICT-001: each person counts once, whatever number of logins and tries', async () => {
  const { firm, owner, first, to } = await firmOfFour()
  const request = await world.askMoney(firm, first, to, 100)
  const again = { account: first.account, session: randomUUID() }
  await world.login(again)
  await assert.rejects(world.say(request, first), /duplicate key/)
  await assert.rejects(world.say(request, first, true, again.session), /duplicate key/)
  await assert.rejects(world.approve(request), tooFew)
  await world.say(request, owner)
  const results = await Promise.allSettled([1, 2, 3].map(() => world.approve(request)))
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
})

test('FIRM-VERDICT-002: somebody who left and came back is one person, and the verdict of before does not count', async () => {
  const { firm, owner, first, second, to } = await firmOfFour()
  const request = await world.askMoney(firm, owner, to, 100)
  await world.say(request, first)
  await change(firm, [owner, second], first, null)
  await assert.rejects(world.approve(request), tooFew)
  const back = await world.join(firm, 'treasurer', [owner, second], first)
  assert.notEqual(back.member, first.member)
  await assert.rejects(world.say(request, back), /duplicate key/)
  await assert.rejects(world.approve(request), tooFew)
})

test('FIRM-VERDICT-003: whoever lost the role, the certificate, the factor, or is frozen does not count, also between the approval and the withdrawal', async () => {
  const { firm, owner, first, second, third, to } = await firmOfFour()
  const made = async () => {
    const request = await world.askMoney(firm, owner, to, 100)
    await world.say(request, first)
    return request
  }
  const [open, approved] = [await made(), await made()]
  await world.approve(approved)
  const losses: readonly (readonly [string, string])[] = [
    [`update accounts set certification = 'none' where id = $1`, `update accounts set certification = 'certified' where id = $1`],
    [
      `update authenticators set secret = null, confirmed_at = null where account = $1`,
      `update authenticators set secret = 'x', confirmed_at = 0 where account = $1`,
    ],
  ]
  for (const [lose, regain] of losses) {
    await world.run(lose, first.account)
    await assert.rejects(world.approve(open), tooFew)
    await assert.rejects(world.insertWish(firm, approved, to, 100), says('needs an approved request'))
    await world.run(regain, first.account)
  }
  await world.run('update accounts set frozen_at = 1 where id = $1', first.account)
  await assert.rejects(world.approve(open), tooFew)
  await world.sql(
    `set session_replication_role = replica; update accounts set frozen_at = null where id = '${first.account}'; set session_replication_role = origin`,
  )
  await change(firm, [second, third], first, 'trader')
  await assert.rejects(world.approve(open), tooFew)
  await assert.rejects(world.insertWish(firm, approved, to, 100), says('needs an approved request'))
})

test('FIRM-VERDICT-004: a request of somebody who may not ask any more is not carried out, whoever approved it', async () => {
  const { firm, owner, first, second, third, to } = await firmOfFour()
  const request = await world.askMoney(firm, first, to, 100)
  await world.say(request, owner)
  await world.say(request, third)
  await change(firm, [owner, second], first, null)
  await assert.rejects(world.approve(request), tooFew)
})

test('FIRM-VERDICT-005: a verdict needs a role of this firm, a living login of that person, and a proof of the last 15 minutes', async () => {
  const { firm, owner, first, second, to } = await firmOfFour()
  const other = await firmOfFour()
  const request = await world.askMoney(firm, owner, to, 100)
  await assert.rejects(world.say(request, other.first), says('needs a member who may approve'))
  await assert.rejects(world.say(request, first, true, second.session), says('needs a login that proved itself'))
  await assert.rejects(world.say(request, first, true, randomUUID()), says('needs a login that proved itself'))
  await world.run('update sessions set proven_at = $2 where id = $1', first.session, Date.now() - 15 * 60_000)
  await assert.rejects(world.say(request, first), says('needs a login that proved itself'))
  await world.run('update sessions set proven_at = $2, revoked_at = 1 where id = $1', first.session, Date.now())
  await assert.rejects(world.say(request, first), says('needs a login that proved itself'))
  await world.run('update sessions set revoked_at = null where id = $1', first.session)
  await world.run('update accounts set withdrawals_closed_until = $2 where id = $1', first.account, Date.now() + day)
  await assert.rejects(world.say(request, first), says('waits after a change of the login'))
  await world.say(request, first, false)
  await assert.rejects(world.approve(request), tooFew)
  await world.set(request, 'refused')
})

test('FIRM-VERDICT-006: an approval and a refusal at the same instant leave one outcome', async () => {
  const { firm, owner, first, second, to } = await firmOfFour()
  for (let round = 0; round < 5; round++) {
    const request = await world.askMoney(firm, owner, to, 100)
    await world.say(request, first)
    const results = await Promise.allSettled([
      world.approve(request),
      world.say(request, second, false).then(() => world.set(request, 'refused')),
    ])
    const state = await world.stateOf(request)
    assert.ok(state === 'approved' || state === 'refused')
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
  }
})

test('FIRM-VERDICT-007: after its time a request is approved by nobody, and an approved one is used within a day', async () => {
  const { firm, owner, first, second, to } = await firmOfFour()
  const [late, unused] = [await world.askMoney(firm, owner, to, 100), await world.askMoney(firm, owner, to, 100)]
  await assert.rejects(world.set(late, 'expired'), says('has its time'))
  await world.say(unused, first)
  await world.approve(unused)
  await world.pass(day)
  await assert.rejects(world.insertWish(firm, unused, to, 100), says('needs an approved request'))
  await world.pass(7 * day + 1_000)
  await world.run('update sessions set proven_at = $2 where id = $1', second.session, Date.now() + 7 * day)
  await assert.rejects(world.say(late, second), says('is decided'))
  await world.set(late, 'expired')
  await assert.rejects(world.approve(late), says('decided once'))
})

test('FIRM-VERDICT-008: a request never changes, ends once, and rules, verdicts and their times are not written by the gateway', async () => {
  const { firm, owner, first, to } = await firmOfFour()
  const request = await world.askMoney(firm, owner, to, 100)
  for (const column of ['payload', 'payment', 'people', 'asked_by', 'expires_at', 'usdt', 'kind', 'firm', 'account', 'rule', 'sealed'])
    await assert.rejects(world.run(`update firm_requests set ${column} = ${column} where id = $1`, request), { code: '42501' }, column)
  for (const table of ['firm_rules', 'firm_verdicts', 'firm_requests'])
    await assert.rejects(world.run(`delete from ${table}`), { code: '42501' })
  await assert.rejects(world.sql('update firm_verdicts set is_approved = true'), says('only grow'))
  await assert.rejects(world.sql(`update firm_requests set payload = '{}' where id = $1`, request), says('does not change'))
  await assert.rejects(world.ask(firm, owner, 'address', {}, { state: 'approved', decided_at: 1 }), says('begins open'))
  await assert.rejects(world.set(request, 'done', ', done_at = 1'), says('decided once'))
  await assert.rejects(world.set(request, 'refused'), says('refused by one of its approvers'))
  await world.say(request, first)
  await world.approve(request)
  await assert.rejects(world.set(request, 'done', ', withdrawal = 7'), says('when the core has taken it'))
  for (const state of ['open', 'refused', 'cancelled', 'expired']) await assert.rejects(world.set(request, state), says('decided once'))
  await assert.rejects(world.run('create or replace function firm_now() returns bigint language sql as $$ select 0::bigint $$'), {
    code: '42501',
  })
  await assert.rejects(world.run('create temp table firm_requests (id uuid)'), { code: '42501' })
})

test('FIRM-VERDICT-009: only members who may ask do: traders, strangers, and members of another firm do not', async () => {
  const { firm, owner, first, second, to } = await firmOfFour()
  const other = await firmOfFour()
  const may = says('by a member who may ask')
  await assert.rejects(world.ask(firm, other.owner, 'rule', {}), may)
  await assert.rejects(world.askMoney(firm, second, to, 100), may)
  await assert.rejects(world.ask(firm, first, 'rule', {}), may)
  await change(firm, [owner, second], first, 'trader')
  await assert.rejects(world.askMoney(firm, first, to, 100), may)
})

/** The gateway's desk before these tables. What it wrote for a withdrawal is in them already when it asks the core. */
function deskOf(): FirmRequests {
  const db = firmDb(world.store)
  const announce = (): void => undefined
  const members = new Members({ db, clock: Date.now, endKeys: () => Promise.resolve({ announce }), forgetActing: announce })
  const requestForFirm = ({ clientId }: { readonly clientId: string }) => {
    if (!taken.has(clientId)) taken.set(clientId, String(taken.size + 1))
    return isCut ? Promise.reject(new Error('the answer was lost')) : Promise.resolve({ id: taken.get(clientId)! })
  }
  const parts = { book: {}, withdrawals: { requestForFirm }, readWithdrawal: (clientId: string) => ({ clientId }) }
  const factors = { require: () => Promise.resolve() }
  return new FirmRequests({ ...parts, db, members, factors, onFault: () => undefined } as unknown as FirmRequestsOptions)
}

const personOf = ({ account, session }: SqlMember): Person =>
  ({ session: { id: session, account }, visitor: { ip: '::1', userAgent: '' } }) as unknown as Person
const ask = ({ id }: SqlFirm, by: SqlMember, wish: object): Promise<WireFirmRequest> =>
  requests.ask(id, { clientId: randomUUID(), ...wish } as unknown as WireNewFirmRequest, personOf(by))
const role = ({ member }: SqlMember, to: FirmRole | null) => ({ kind: 'member', member: { member, role: to } })
const rule = (upTo: string) => ({
  ...{ bands: [{ upTo, people: 1 } as const, { upTo: null, people: 2 } as const], addressPeople: 2 },
})

/** A firm in which one person decides up to 1,000 USDT, and two decide all else. */
async function firmOfThree() {
  const firm = await world.firm()
  const { owner } = firm
  const [treasurer, admin] = [await world.join(firm, 'treasurer', [owner]), await world.join(firm, 'admin', [owner])]
  const bands = [['1000', 1] as const, [null, 2] as const]
  await world.rule(firm, bands, 2, [owner])
  return { firm, owner, treasurer, admin }
}

test('FIRM-VERDICT-009: a treasurer who was not given the main account asks for none of its withdrawals and addresses', async () => {
  const { firm, owner, treasurer } = await firmOfThree()
  const to = await world.address(firm, [owner, treasurer])
  const asked = await world.askMoney(firm, treasurer, to, 100)
  await world.run('update firm_members set accounts = array[$2::uuid] where id = $1', treasurer.member, firm.sub.account)
  await assert.rejects(world.approve(asked), tooFew)
  await assert.rejects(world.askMoney(firm, treasurer, to, 100), says('by a member who may ask'))
  const withdrawal = { network: 'ethereum', asset: 'USDT', address: to.id, amount: '100', fee: '1' }
  await assert.rejects(ask(firm, treasurer, { kind: 'withdrawal', withdrawal }), refused('FIRM_ACCOUNT_UNKNOWN'))
  await world.run('update firm_members set accounts = array[$2::uuid] where id = $1', treasurer.member, firm.main.account)
  await world.approve(asked)
})

test('FIRM-REQUEST-013: nobody refuses their own removal, or takes it back, and others do', async () => {
  const { firm, owner, treasurer, admin } = await firmOfThree()
  const { id, canRefuse } = await ask(firm, owner, role(admin, null))
  assert.equal(canRefuse, false)
  const seen = async (by: SqlMember) => {
    const { items } = await requests.list(firm.id, { limit: 1 }, personOf(by))
    const [{ canApprove, canRefuse: mayRefuse, canCancel }] = items as [WireFirmRequest]
    return { canApprove, canRefuse: mayRefuse, canCancel }
  }
  assert.deepEqual(await seen(admin), { canApprove: true, canRefuse: false, canCancel: false })
  assert.deepEqual(await seen(treasurer), { canApprove: true, canRefuse: true, canCancel: false })
  await assert.rejects(requests.refuse(firm.id, id, personOf(admin)), refused('FIRM_RIGHT_MISSING'))
  await assert.rejects(requests.cancel(firm.id, id, personOf(admin)), refused('FIRM_RIGHT_MISSING'))
  assert.equal((await requests.refuse(firm.id, id, personOf(treasurer))).state, 'refused')

  // A wish about oneself is one's own to take back, and to approve.
  const own = await ask(firm, admin, role(admin, 'treasurer'))
  assert.equal((await requests.cancel(firm.id, own.id, personOf(admin))).state, 'cancelled')
  const wanted = await ask(firm, owner, role(treasurer, 'admin'))
  assert.equal((await requests.approve(firm.id, wanted.id, personOf(treasurer))).state, 'done')
})

test('FIRM-REQUEST-013: one member’s requests leave room to ask for their removal', async () => {
  const { firm, owner, treasurer, admin } = await firmOfThree()
  for (let n = 1; n <= 20; n++) await ask(firm, admin, { kind: 'rule', rule: rule(String(n)) })
  await assert.rejects(ask(firm, admin, { kind: 'rule', rule: rule('21') }), refused('FIRM_FULL'))
  const { id } = await ask(firm, owner, role(admin, 'viewer'))
  assert.equal((await requests.approve(firm.id, id, personOf(treasurer))).state, 'done')
})

test('FIRM-MEMBER-005: a request to give a role tells of few UIDs whether somebody has them', async () => {
  const { firm, owner } = await firmOfThree()
  const give = (uid: string) => ask(firm, owner, { kind: 'member', member: { uid, label: 'New', role: 'admin', accounts: null } })
  const tries = await Promise.allSettled(Array.from({ length: 25 }, (_, n) => give(String(900_000_000 + n))))
  const codes = tries.map((one) => (one.status === 'rejected' ? (one.reason as Refused).refusal : 'done'))
  assert.equal(codes.filter((code) => code === 'USER_UNKNOWN').length, 20, codes.join())
  await assert.rejects(give('900000020'), refused('RATE_LIMITED'))

  const { firm: other, owner: head } = await firmOfThree()
  const known = (uid: string) => ask(other, head, { kind: 'member', member: { uid, label: 'New', role: 'admin', accounts: null } })
  // Two joined by requests that are as old as the firm.
  for (let n = 2; n < 20; n++) {
    const { id } = await known((await world.person()).uid)
    await requests.cancel(other.id, id, personOf(head))
  }
  await assert.rejects(known((await world.person()).uid), refused('RATE_LIMITED'))
  await ask(other, head, { kind: 'rule', rule: rule('5') })
})

test('FIRM-REQUEST-014: a withdrawal that the core has taken is done, also when the account is frozen before that is noted', async () => {
  const { firm, owner, treasurer } = await firmOfThree()
  const to = await world.address(firm, [owner, treasurer])
  const request = await world.askMoney(firm, owner, to, 800)
  await world.approve(request)
  await world.insertWish(firm, request, to, 800)
  isCut = true
  await requests.mend()
  assert.deepEqual([await world.stateOf(request), taken.has(request)], ['approved', true])
  await world.run('update accounts set frozen_at = 1 where id = $1', firm.main.account)
  isCut = false
  // The database says that it is done once the withdrawal has its number.
  await world.sql('update withdrawal_wishes set withdrawal = $2 where client_id = $1', request, Number(taken.get(request)))
  await requests.mend()
  assert.equal(await world.stateOf(request), 'done')

  // Nothing is asked for that was not written before the freeze.
  const { firm: other, owner: head, treasurer: second } = await firmOfThree()
  const wallet = await world.address(other, [head, second])
  const late = await world.askMoney(other, head, wallet, 700)
  await world.approve(late)
  await world.run('update accounts set frozen_at = 1 where id = $1', other.main.account)
  await requests.mend()
  assert.deepEqual([await world.stateOf(late), taken.has(late)], ['failed', false])
})
