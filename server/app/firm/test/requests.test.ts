import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Units } from '@candor/core/money/brand.ts'
import type { NetworkNumber, UserId } from '@candor/core/protocol/ids.ts'
import type { WireFirm } from '@candor/core/protocol/wire/firm/firm.ts'
import type { WireFirmRequest } from '@candor/core/protocol/wire/firm/requests.ts'
import { readKey } from '../../../chains/keys.ts'
import type { Policy } from '../../../chains/signer/policy.ts'
import { Memory } from '../../../chains/signer/memory.ts'
import { checkCustomer } from '../../../chains/signer/proofs.ts'
import { ed25519Public } from '../../../chains/signer/statement.ts'
import type { SignRequest } from '../../../chains/signer/wire.ts'
import { ChainsFolder } from '../../../chains/test/chains-folder.ts'
import { logIn, startExchange, type TestExchange, type TestUser } from '../../../main/test/exchange.ts'
import { acceptFirm, prove, trust } from './office.ts'

let exchange: TestExchange
let folder: ChainsFolder
let owner: TestUser
/** The cookie of another login of the owner. */
let second: string
let treasurer: TestUser
let admin: TestUser
let trader: TestUser
let stranger: TestUser
let firm: WireFirm
/** Id of an address that has waited. */
let wallet: string

const usdt = (whole: number): Units => (whole * 1_000_000) as Units
const day = 86_400_000
const target = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'
const rule = {
  bands: [
    { upTo: '1000', people: 1 },
    { upTo: null, people: 2 },
  ],
  addressPeople: 2,
}

before(async () => {
  folder = new ChainsFolder()
  exchange = await startExchange({ seed: 'firm-requests', hasFeeds: false, settings: { chainsFolder: folder.path } })
  const { assets } = await exchange.link.ask.listing()
  const asset = assets.find(({ symbol }) => symbol === 'USDT')!.id
  // Each waits for a person of the staff, so that none is approved meanwhile.
  const terms = { isOpen: true, min: usdt(10), fee: usdt(1), autoMax: usdt(0), singleMax: usdt(10_000) }
  for (const network of [1, 2] as NetworkNumber[]) await exchange.link.submit({ type: 'withdraw.setTerms', asset, network, terms })
  const others = Promise.all([person(), person(), person(), person()])
  owner = await person(async ({ email, password }) => void (second = await logIn(exchange.url, email, password)))
  ;[treasurer, admin, trader, stranger] = await others
  firm = await founded(owner, 'Acme Capital', 'HRB 1')
  const { rows } = await sql('select core_user from accounts where id = $1', [main().id])
  await exchange.link.submit({
    type: 'funds.faucet',
    user: Number(rows[0].core_user) as UserId,
    clientId: 'funds',
    asset,
    amount: usdt(40_000),
  })
})
after(async () => {
  await exchange[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const sql = (text: string, values: readonly unknown[] = []) => exchange.store.pool.query(text, [...values])
const main = () => firm.accounts.find(({ kind }) => kind === 'main')!

/** `login`: what else happens before there is a second factor. */
async function person(login: (user: TestUser) => Promise<unknown> = async () => undefined): Promise<TestUser> {
  const user = await exchange.user({ isCertified: true, class: 'bench' })
  await login(user)
  await trust(exchange, user.uid)
  await prove(exchange, user.uid)
  return user
}

async function founded(by: TestUser, name: string, registration: string): Promise<WireFirm> {
  const made = await by.call('POST', '/firms', { name, registration, country: 'DE' })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  await acceptFirm(exchange, made.body.id)
  return (await by.call('GET', `/firms/${made.body.id}`)).body
}

const ask = (by: TestUser, wish: object, id = firm.id) => by.call('POST', `/firms/${id}/requests`, { clientId: randomUUID(), ...wish })
const say = (by: TestUser, request: string, verdict: 'approve' | 'refuse' | 'cancel' = 'approve') =>
  by.call('POST', `/firms/${firm.id}/requests/${request}/${verdict}`, {})
const money = (amount: string) => ({
  kind: 'withdrawal',
  withdrawal: { network: 'tron', asset: 'USDT', address: wallet, amount, fee: '1' },
})
const now = async (request: string): Promise<WireFirmRequest> =>
  (await owner.call('GET', `/firms/${firm.id}/requests?limit=100`)).body.items.find(({ id }: WireFirmRequest) => id === request)
const paid = async (): Promise<number> =>
  Number(
    (
      await sql(
        'select count(*) from withdrawal_wishes w join accounts a on a.id = w.account where a.id = $1 and w.withdrawal is not null',
        [main().id],
      )
    ).rows[0].count,
  )
/** By now the day's withdrawals have been approved long ago, and none counts any more. */
const nextDay = () =>
  sql(
    `set session_replication_role = replica; update firm_requests set decided_at = decided_at - ${day}; set session_replication_role = origin`,
  )

/** What the request is, once it has come to this state. */
async function at(request: string, state: string): Promise<WireFirmRequest> {
  // The row is asked for, because a list of all requests each time would keep the exchange busy.
  for (;;) {
    const { rows } = await sql('select state from firm_requests where id = $1', [request])
    if (rows[0]?.state === state) return now(request)
    await sleep(50)
  }
}

test('FIRM-REQUEST-001: a firm of one decides alone; with more people, a rule, an address and roles need as many as the rule says', async () => {
  for (const [user, role] of [
    [treasurer, 'treasurer'],
    [admin, 'admin'],
  ] as const) {
    const invited = await ask(owner, { kind: 'member', member: { uid: user.uid, label: role, role, accounts: null } })
    assert.deepEqual([invited.status, invited.body.state], [201, 'done'], JSON.stringify(invited.body))
    assert.equal((await user.call('POST', `/firms/${firm.id}/accept`)).status < 300, true)
  }
  const joined = await owner.call('POST', `/firms/${firm.id}/members`, { uid: trader.uid, label: 'trader', role: 'trader', accounts: null })
  assert.ok(joined.status < 300, JSON.stringify(joined.body))
  await trader.call('POST', `/firms/${firm.id}/accept`)
  assert.equal((await ask(owner, { kind: 'rule', rule: { ...rule, addressPeople: 4 } })).body.code, 'FIRM_RULE')
  assert.equal(
    (await ask(owner, { kind: 'rule', rule: { bands: [...rule.bands].reverse(), addressPeople: 1 } })).body.code,
    'FIELD_INVALID',
  )
  assert.equal((await ask(owner, { kind: 'rule', rule })).body.state, 'done')
  assert.deepEqual((await trader.call('GET', `/firms/${firm.id}/rule`)).body, rule)

  const address = { network: 'tron', address: target, label: 'wallet', owner: 'exchange', exchange: 'Example', beneficiary: 'Acme Ltd' }
  const asked = (await ask(treasurer, { kind: 'address', address })).body
  assert.deepEqual([asked.state, asked.people, asked.verdicts.length, asked.canApprove, asked.address], ['open', 2, 1, false, address])
  const { rows } = await sql('select payload, sealed from firm_requests where id = $1', [asked.id])
  assert.ok(!JSON.stringify(rows).includes('Acme Ltd') && rows[0].sealed !== null)
  assert.equal((await admin.call('GET', `/firms/${firm.id}`)).body.openRequests, 1)
  const approved = (await say(admin, asked.id)).body
  assert.equal(approved.state, 'done', JSON.stringify(approved))
  wallet = asked.id
  assert.equal((await ask(treasurer, money('100'))).body.code, 'ADDRESS_WAITS')
  await sql(`update withdrawal_addresses set added_at = added_at - ${day}, usable_at = usable_at - ${day} where id = $1`, [wallet])
  const listed = await sql('select number, address, beneficiary from withdrawal_addresses where account = $1', [main().id])
  assert.deepEqual([listed.rows.length, listed.rows[0].address], [1, target])
})

test('FIRM-REQUEST-002: a withdrawal within the first band is carried out with the asker’s approval; above it waits for another; the signer takes the login’s word', async () => {
  const small = (await ask(treasurer, money('100'))).body
  assert.equal(small.state, 'done', JSON.stringify(small))
  const { rows } = await sql('select * from withdrawal_wishes where client_id = $1', [small.id])
  assert.equal(String(rows[0].withdrawal), small.withdrawalId)
  const payment = {
    ...{ withdrawal: rows[0].withdrawal, user: rows[0].user_no, clientId: small.id, network: rows[0].network, chainId: rows[0].chain_id },
    ...{ contract: rows[0].contract, to: target, value: 99_000_000n },
  }
  const policy = { login: ed25519Public(readKey(folder.path, 'login')), passkeys: { rpId: '127.0.0.1', origins: [] } } as unknown as Policy
  const signed = await checkCustomer({ payment, customer: rows[0].customer } as unknown as SignRequest, policy, new Memory(), Date.now())
  assert.deepEqual(signed, { isAttested: true })

  const large = (await ask(treasurer, money('5000'))).body
  assert.deepEqual([large.state, large.people], ['open', 2])
  assert.deepEqual(large.shown, { destination: target, label: 'wallet', networkLabel: 'TRC20' })
  const notices = async (user: TestUser) =>
    (await user.call('GET', '/notices')).body.notices.map(({ kind, values }: any) => `${kind} ${values.number ?? ''}`)
  assert.ok((await notices(admin))[0].startsWith('firm-waiting'))
  const done = (await say(owner, large.id)).body
  assert.deepEqual([done.state, done.verdicts.length], ['done', 2])
  assert.ok((await notices(treasurer)).some((one: string) => one.startsWith('firm-decided')))
  const log = await sql('select action from firm_log where firm = $1 order by id desc limit 3', [firm.id])
  assert.deepEqual(
    log.rows.map(({ action }) => action),
    ['request-done', 'request-approved', 'request-asked'],
  )
  assert.equal(await paid(), 2)
})

test('FIRM-REQUEST-003: two who approve at the same instant cause one withdrawal; many taps of one person are one approval', async () => {
  await nextDay()
  const before = await paid()
  const twice = (await ask(treasurer, money('2000'))).body.id
  const answers = await Promise.all([say(owner, twice), say(admin, twice)])
  assert.ok(
    answers.every(({ status, body }) => status === 200 || body.code === 'FIRM_DECIDED'),
    JSON.stringify(answers),
  )
  assert.equal((await at(twice, 'done')).state, 'done')
  assert.equal(await paid(), before + 1)

  assert.equal((await ask(owner, { kind: 'rule', rule: { bands: [{ upTo: null, people: 3 }], addressPeople: 3 } })).body.state, 'open')
  const [{ id: raising }] = (await owner.call('GET', `/firms/${firm.id}/requests?state=open`)).body.items
  assert.equal((await say(admin, raising)).body.state, 'done')
  await nextDay()
  const tapped = (await ask(treasurer, money('20'))).body.id
  const tap = (cookie: string) =>
    fetch(`${exchange.url}/app/v1/firms/${firm.id}/requests/${tapped}/approve`, {
      ...{ method: 'POST', headers: { cookie, 'content-type': 'application/json' }, body: '{}' },
    })
  for (const { status } of await Promise.all([owner.cookie, second, owner.cookie, second, owner.cookie].map(tap))) assert.equal(status, 200)
  const seen = await now(tapped)
  assert.deepEqual([seen.state, seen.people, seen.verdicts.length], ['open', 3, 2])
  assert.equal((await say(treasurer, tapped, 'cancel')).body.state, 'cancelled')
  assert.equal((await say(admin, tapped)).body.code, 'FIRM_DECIDED')
  // Back to two.
  const back = (await ask(owner, { kind: 'rule', rule })).body.id
  await say(admin, back)
  await say(treasurer, back)
  assert.equal((await now(back)).state, 'done')
})

test('FIRM-REQUEST-004: an approval and a refusal at the same instant have one outcome, and a refused request stays refused', async () => {
  await nextDay()
  const before = await paid()
  const { id } = (await ask(treasurer, money('3000'))).body
  await Promise.all([say(owner, id), say(admin, id, 'refuse')])
  const { state, verdicts } = await now(id)
  assert.ok(state === 'done' || state === 'refused', state)
  assert.equal(await paid(), before + (state === 'done' ? 1 : 0))
  assert.equal(verdicts.length, 2)
  const refused = (await ask(treasurer, money('3000'))).body.id
  assert.equal((await say(admin, refused, 'refuse')).body.state, 'refused')
  assert.equal((await say(owner, refused)).body.code, 'FIRM_DECIDED')
  assert.equal((await say(treasurer, refused, 'cancel')).body.code, 'FIRM_DECIDED')
})

test('FIRM-REQUEST-005: parts asked for at the same instant pass the first band no further than one', async () => {
  await nextDay()
  const before = await paid()
  const asked = await Promise.all(Array.from({ length: 8 }, (_, n) => ask(n % 2 === 0 ? treasurer : owner, money('150'))))
  const states = asked.map(({ body }) => body.state ?? body.code)
  const approved = asked.filter(({ body }) => body.state === 'done' || body.state === 'approved')
  assert.equal(approved.length, 6, JSON.stringify(states))
  await Promise.all(approved.map(({ body }) => at(body.id, 'done')))
  assert.equal(await paid(), before + 6)
  const open = asked.filter(({ body }) => body.state === 'open')
  assert.equal(open.length, 2, JSON.stringify(states))
  await Promise.all(open.map(({ body }) => say(admin, body.id, 'cancel')))
})

test('FIRM-REQUEST-006: a repeat under the same client id gets the first request; another wish under it is refused', async () => {
  await nextDay()
  const clientId = randomUUID()
  const answers = await Promise.all([1, 2, 3].map(() => ask(treasurer, { clientId, ...money('30') })))
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1, JSON.stringify(answers))
  assert.equal((await ask(treasurer, { clientId, ...money('31') })).body.code, 'CLIENT_ID_REUSED')
})

test('FIRM-REQUEST-007: strangers see and do nothing, roles ask for and approve only what is theirs, and an approval needs a proof and a factor', async () => {
  await nextDay()
  const { id } = (await ask(treasurer, money('2000'))).body
  await founded(stranger, 'Other Capital', 'HRB 2')
  for (const answer of [
    ...[await stranger.call('GET', `/firms/${firm.id}/requests`), await stranger.call('GET', `/firms/${firm.id}/rule`)],
    ...[await ask(stranger, money('20')), await say(stranger, id), await say(stranger, id, 'refuse'), await say(stranger, id, 'cancel')],
  ])
    assert.equal(answer.body.code, 'NOT_FOUND')
  const own = (await stranger.call('GET', '/firms')).body.firms[0].id
  assert.equal((await stranger.call('POST', `/firms/${own}/requests/${id}/approve`, {})).body.code, 'NOT_FOUND')
  for (const answer of [
    await ask(trader, money('20')),
    await say(trader, id),
    await ask(admin, money('20')),
    await ask(treasurer, { kind: 'rule', rule }),
  ])
    assert.equal(answer.body.code, 'FIRM_RIGHT_MISSING')
  assert.equal((await say(trader, id, 'cancel')).body.code, 'FIRM_RIGHT_MISSING')
  await sql('update sessions set proven_at = null where account = (select id from accounts where uid = $1)', [owner.uid])
  assert.equal((await say(owner, id)).body.code, 'PROOF_NEEDED')
  assert.equal((await ask(owner, money('20'))).body.code, 'PROOF_NEEDED')
  await prove(exchange, owner.uid)
  await sql('update accounts set withdrawals_closed_until = $2 where uid = $1', [owner.uid, Date.now() + 3_600_000])
  assert.equal((await say(owner, id)).body.code, 'WITHDRAWALS_PAUSED')
  await sql(`update accounts set withdrawals_closed_until = 0, certification = 'none' where uid = $1`, [owner.uid])
  assert.equal((await say(owner, id)).body.code, 'FIRM_NEEDS_TRUST')
  await sql(`update accounts set certification = 'certified' where uid = $1`, [owner.uid])
  assert.equal((await now(id)).state, 'open')
  const decided = async () =>
    (await treasurer.call('GET', '/notices')).body.notices.filter(({ kind }: any) => kind === 'firm-decided').length
  const before = await decided()
  assert.equal((await say(treasurer, id, 'cancel')).body.state, 'cancelled')
  assert.equal(await decided(), before)
  const other = (await ask(treasurer, money('2000'))).body.id
  assert.equal((await say(admin, other, 'cancel')).body.state, 'cancelled')
  assert.equal(await decided(), before + 1)
})

test('FIRM-REQUEST-012: who does not approve sees no roles that are asked for, and nothing about an account that they do not use', async () => {
  const [payment, role, change] = [
    (await ask(treasurer, money('2000'))).body.id,
    (await ask(owner, { kind: 'member', member: { uid: stranger.uid, label: 'next', role: 'admin', accounts: null } })).body.id,
    (await ask(owner, { kind: 'rule', rule: { ...rule, addressPeople: 3 } })).body.id,
  ]
  const seen = async (by: TestUser): Promise<readonly boolean[]> => {
    const { items } = (await by.call('GET', `/firms/${firm.id}/requests?limit=100`)).body
    return [payment, role, change].map((one) => items.some(({ id }: WireFirmRequest) => id === one))
  }
  const member = (await owner.call('GET', `/firms/${firm.id}`)).body.members.find(({ uid }: { uid: string }) => uid === trader.uid).id
  const uses = (accounts: readonly string[] | null) => owner.call('PATCH', `/firms/${firm.id}/members/${member}`, { accounts })
  for (const by of [owner, admin, treasurer]) assert.deepEqual(await seen(by), [true, true, true])
  assert.deepEqual(await seen(trader), [true, false, true])
  await uses([])
  assert.deepEqual(await seen(trader), [false, false, true])
  await uses([main().id])
  assert.deepEqual(await seen(trader), [true, false, true])
  await uses(null)
  for (const id of [payment, role, change]) assert.equal((await say(owner, id, 'cancel')).body.state, 'cancelled')
})

/** Sends as a member for the main account. Returns the code of a refusal. */
async function acting(by: TestUser, method: string, path: string, body: object): Promise<string | undefined> {
  const headers = { cookie: by.cookie, 'x-candor-account': main().uid, 'content-type': 'application/json' }
  const answer = await fetch(`${exchange.url}/app/v1${path}`, { method, headers, body: JSON.stringify(body) })
  return answer.ok ? undefined : ((await answer.json()) as { readonly code: string }).code
}

test('FIRM-REQUEST-015: a member who trades under the id of a request doesn’t keep it from being carried out', async () => {
  await nextDay()
  const { id } = (await ask(treasurer, money('2000'))).body
  const transfer = { clientId: id, asset: 'USDT', from: 'spot', to: 'perp', amount: '1' }
  assert.equal(await acting(trader, 'POST', '/transfer', transfer), undefined)
  const { state, reason } = (await say(owner, id)).body
  assert.deepEqual([state, reason], ['done', undefined])
})

test('FIRM-REQUEST-008: nothing of a firm’s money goes by the routes of persons: withdrawals, addresses and keys', async () => {
  const wish = { clientId: randomUUID(), asset: 'USDT', network: 'tron', address: wallet, amount: '100', fee: '1' }
  assert.equal(await acting(owner, 'POST', '/withdrawals/prepare', wish), 'FIRM_NOT_HERE')
  assert.equal(await acting(owner, 'POST', '/withdrawals', { ...wish, paymentPassword: '248163' }), 'FIRM_NOT_HERE')
  const address = { network: 'tron', address: target, label: 'x', owner: 'own' }
  assert.equal(await acting(owner, 'POST', '/withdrawal-addresses', address), 'FIRM_NOT_HERE')
  // As the owner's own withdrawal, to the firm's address.
  assert.equal((await owner.call('POST', '/withdrawals', { ...wish, paymentPassword: '248163' })).body.code, 'ADDRESS_UNKNOWN')
})

test('FIRM-REQUEST-009: while the main account is frozen, an approved withdrawal fails, and its coins stay', async () => {
  await nextDay()
  const before = await paid()
  const { id } = (await ask(treasurer, money('2000'))).body
  await sql('update accounts set frozen_at = 1 where id = $1', [main().id])
  const { state, reason } = (await say(owner, id)).body
  await sql(
    `set session_replication_role = replica; update accounts set frozen_at = null where id = '${main().id}'; set session_replication_role = origin`,
  )
  assert.deepEqual([state, reason], ['failed', 'USER_FROZEN'])
  assert.equal(await paid(), before)
})

test('FIRM-REQUEST-010: what the core refuses fails with its reason, and is not tried again', async () => {
  await nextDay()
  const { id } = (await ask(treasurer, money('9000'))).body
  await sql('update withdrawal_addresses set removed_at = $2 where id = $1', [wallet, Date.now()])
  const { state, reason } = (await say(owner, id)).body
  await sql('update withdrawal_addresses set removed_at = null where id = $1', [wallet])
  assert.deepEqual([state, reason], ['failed', 'ADDRESS_UNKNOWN'])
  assert.equal((await say(owner, id)).body.state, 'failed')
})

test('FIRM-REQUEST-011: what a process left undone is finished, and a request whose time is over ends without anybody', async () => {
  await nextDay()
  const before = await paid()
  const [left, written] = [(await ask(treasurer, money('2000'))).body.id, (await ask(treasurer, money('2100'))).body.id]
  const lapsing = (await ask(treasurer, money('2200'))).body.id
  // As if the gateway had ended right after the approval; and, of the other one, right before the core was asked.
  const approve = async (id: string) => {
    await sql(
      `insert into firm_verdicts (request, member, account, is_approved, session, at)
       select $1, m.id, m.account, true, s.id, 0 from firm_members m join sessions s on s.account = m.account and s.proven_at is not null
       where m.firm = $2 and m.role = 'owner' limit 1`,
      [id, firm.id],
    )
    await sql(`update firm_requests set state = 'approved' where id = $1`, [id])
  }
  await approve(written)
  await sql(
    `insert into withdrawal_wishes (user_no, client_id, account, destination, network, chain_id, asset, contract, recipient, value, customer, made_at)
     select a.core_user, r.id::text, a.id, (r.payment->>'destination')::bigint, r.payment->>'network', (r.payment->>'chainId')::bigint,
       r.payment->>'asset', r.payment->>'contract', r.payment->>'recipient', (r.payment->>'value')::numeric, '{}', $2
     from firm_requests r join accounts a on a.id = r.account where r.id = $1`,
    [written, Date.now()],
  )
  await approve(left)
  await sql(
    `set session_replication_role = replica; update firm_requests set expires_at = 1 where id = '${lapsing}'; set session_replication_role = origin`,
  )
  assert.equal((await say(owner, lapsing)).body.code, 'FIRM_DECIDED')
  assert.ok((await at(left, 'done')).withdrawalId !== undefined)
  assert.ok((await at(written, 'done')).withdrawalId !== undefined)
  assert.equal((await at(lapsing, 'expired')).reason, undefined)
  assert.equal(await paid(), before + 2)
})
