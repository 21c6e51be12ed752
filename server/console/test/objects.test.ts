import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { may, roles } from '../../staff/permissions.ts'
import { picture } from '../../papers/test/pictures.ts'
import { practicePaper } from '../../main/first/paper.ts'
import { details, issue, terms as saleTerms, token } from '../presales/test/preparing.ts'
import { codeIn, consoleWorld, type Member, type Registered } from './console-world.ts'
import { heldDeposit, whole, WithdrawalScene } from './withdrawal-scene.ts'

const world = consoleWorld()

/** Routes with the id of an object, by the beginning of their path, the longest first; and what the object is. */
const kinds = [
  ['/auth/sessions/:id', 'session'],
  ['/auth/passkeys/:id', 'passkey'],
  ['/staff/proposals/:id', 'proposal'],
  ['/papers/:id', 'papers'],
  ['/revocations/:id', 'revocation'],
  ['/freezes/lifts/:id', 'lift'],
  ['/freezes/:id', 'freeze'],
  ['/terms/markets/:id', 'markets'],
  ['/terms/fees/:id', 'fees'],
  ['/terms/countries/:id', 'countries'],
  ['/terms/house/:id', 'house'],
  ['/terms/postings/:id', 'posting'],
  ['/terms/networks/:id', 'networks'],
  ['/terms/presales/:id', 'presales'],
  ['/terms/firms/:id', 'firms'],
  ['/firms/:id', 'firm'],
  ['/presales/details/:hash', 'details'],
  ['/presales/papers/:hash', 'paper'],
  ['/operations/:id', 'markets'],
  ['/recoveries/:id', 'recovery'],
  ['/announcements/:id', 'announcement'],
  ['/customers/:uid', 'customer'],
  ['/overview/files/:table', 'table'],
  ['/risk/files/:table', 'table'],
  ['/ledger/files/:table', 'table'],
  ['/health/files/:table', 'table'],
  ['/journal/files/:table', 'table'],
  ['/surveillance/findings/:id', 'finding'],
  ['/surveillance/files/:table', 'table'],
  ['/treasury/files/:table', 'table'],
  ['/deposits/files/:table', 'table'],
  ['/deposits/decisions/:id', 'answer'],
  ['/deposits/:id', 'deposit'],
  ['/treasury/findings/:id', 'difference'],
  ['/treasury/movements/:id', 'movement'],
  ['/support/tickets/:code', 'ticket'],
  ['/support/images/:id', 'picture'],
  ['/support/answers/:id', 'canned'],
  ['/withdrawals/endings/:id', 'ending'],
  ['/withdrawals/files/:table', 'table'],
  ['/withdrawals/:id', 'withdrawal'],
] as const
type Kind = (typeof kinds)[number][1]
type Objects = Readonly<Record<Kind, string>>

/** Tables in which nobody without the right may change anything. Sessions and passkeys move with each login, and the log notes refusals. */
const tables = [
  ...['accounts', 'papers', 'paper_revocations', 'freezes', 'freeze_lifts', 'staff', 'staff_proposals'],
  ...['operations', 'regains', 'announcements', 'customer_notes', 'staff_customers', 'staff_marks'],
  ...['surveillance_settlements', 'withdrawal_claims', 'withdrawal_verdicts', 'withdrawal_decisions'],
  ...['deposits', 'deposit_decisions', 'chain_decisions', 'payout_approvals', 'treasury_movements'],
  ...['presale_details', 'presale_papers'],
  ...['firms', 'firm_accounts', 'firm_members', 'firm_log'],
  ...['support_tickets', 'support_messages', 'support_images', 'support_answers', 'support_presence'],
]

async function fingerprint(): Promise<string> {
  const parts = tables.map((table) => `select '${table}' as name, md5(string_agg(r::text, '|' order by r::text)) as hash from ${table} r`)
  return JSON.stringify(await world().rows(parts.join(' union all ')))
}

async function idOf(member: Member, path: string, body: object): Promise<string> {
  const answer = await member.browser.send('POST', path, { reason: 'a good reason', ...body })
  assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`)
  return String(answer.body.id)
}

/** One object of each kind, all waiting for somebody. */
async function makeObjects(): Promise<Objects> {
  const [ann] = await world().administrators()
  const [clara, rita, carla] = [await world().hire('compliance'), await world().hire('risk'), await world().hire('support')]
  const { id: papers } = await world().papers.waiting()
  const certified = (await world().papers.waiting()).id
  for (const step of ['claim', 'certify']) assert.equal(codeIn(await clara.browser.send('POST', `/papers/${certified}/${step}`)), '204')
  const { account } = await world().papers.world.customer()
  const [{ uid }] = (await world().rows('select uid from accounts where id = $1', account)) as [{ uid: string }]
  assert.equal(codeIn(await carla.browser.send('POST', '/freezes', { uid, reason: 'a call from the owner' })), '204')
  const [{ id: freeze }] = (await clara.browser.send('GET', '/freezes')).body.freezes
  const market = (await rita.browser.send('GET', '/terms/markets')).body.markets.find((one: { kind: string }) => one.kind === 'spot')
  const { terms: fees } = (await rita.browser.send('GET', '/terms/fees')).body
  const { terms: house } = (await rita.browser.send('GET', '/terms/house')).body
  const [session] = await world().rows('select id from staff_sessions where staff = $1 and revoked_at is null', ann.id)
  const [passkey] = await world().rows('select id from staff_passkeys where account = $1', ann.id)
  const recovery = randomUUID()
  await world().rows(
    `insert into regains (id, account, state, has_papers, token, ip, device, created_at, told_at, due_at)
     values ($1, $2, 'waiting', false, sha256('a'), '-', '-', 0, $3, $3)`,
    // Its time is far away, so that nothing but a request changes it.
    ...[recovery, account, 9_000_000_000_000],
  )
  const [announcement] = await world().rows(
    `insert into announcements (texts, shown_from, shown_until, published_by, published_at) values ('{}', 1, 2, $1, 0) returning id`,
    ann.id,
  )
  const finding = await makeFinding(uid)
  const [withdrawal, refused] = await makeWithdrawals()
  await world().rows(
    `insert into payouts (withdrawal, network, chain_id, user_no, client_id, recipient, value, proofs, state, trouble, taken_at)
     values ($1, 'tron', 1, 1, 'a', 'T', 1, '{}', 'taken', 'DESTINATION_DENIED', 0)`,
    refused,
  )
  await world().rows(
    `insert into treasury_flows (network, txid, ordinal, contract, sender, recipient, value, block, block_hash, block_at, what)
     values ('tron', 'aa', 0, 'T', 'TBANK', 'TSINK', 1, 7, 'h', 0, 'inflow')`,
  )
  const [difference] = await world().rows(
    `insert into treasury_findings (network, kind, holder, contract, txid, amount, stops, found_at, seen_at)
     values ('tron', 'unknown-inflow', 'TSINK', 'T', 'aa', 1, false, 0, 0) returning id`,
  )
  const support = await makeTicket(account, carla)
  const sale = await makePresale(rita)
  const firm = await makeFirms(clara)
  const deposit = String(await heldDeposit(world(), account))
  const terms = { ...market.terms, takerFeePpm: market.terms.takerFeePpm + 1 }
  const tiers = fees.tiers.map((tier: { takerPpm: number }, at: number) => (at === 0 ? { ...tier, takerPpm: tier.takerPpm + 1 } : tier))
  const country = { isLeverageOpen: true, isSecondOpen: false }
  const withdrawals = { isOpen: true, min: '20', fee: '5', autoMax: '100', singleMax: '1000' }
  const posting = { from: 'fees', to: 'insurance', asset: 'USDT', amount: '1' }
  return {
    ...{
      session: session!['id'],
      passkey: passkey!['id'],
      papers,
      ...support,
      ...sale,
      ...firm,
      freeze: String(freeze),
      recovery,
      customer: uid,
      table: 'positions',
      finding,
      withdrawal,
      deposit,
    },
    announcement: String(announcement!['id']),
    proposal: await idOf(ann, '/staff/proposals', { kind: 'role', staff: rita.id, role: 'auditor' }),
    revocation: await idOf(clara, `/papers/${certified}/revocation`, {}),
    lift: await idOf(clara, `/freezes/${freeze}/lift`, {}),
    markets: await idOf(rita, '/terms/markets', { kind: 'spot', subject: market.subject, terms }),
    fees: await idOf(rita, '/terms/fees', { kind: 'fees', subject: '', terms: { ...fees, tiers } }),
    countries: await idOf(clara, '/terms/countries', { kind: 'country', subject: 'DE', terms: country }),
    posting: await idOf(ann, '/terms/postings', { kind: 'posting', subject: '', terms: posting }),
    difference: String(difference!['id']),
    movement: await idOf(ann, `/treasury/findings/${difference!['id']}/explain`, {}),
    ending: await idOf(rita, `/withdrawals/${refused}/end`, {}),
    answer: await idOf(clara, `/deposits/${deposit}/propose`, { isReleased: true }),
    networks: await idOf(rita, '/terms/networks', { kind: 'withdrawal', subject: 'USDT:ERC20', terms: withdrawals }),
    house: await idOf(rita, '/terms/house', { kind: 'second', subject: '', terms: { ...house, stakeMin: `${house.stakeMin}.5` } }),
  }
}

/** Two requests that wait for two members. Returns their numbers. */
async function makeWithdrawals(): Promise<readonly [string, string]> {
  const scene = new WithdrawalScene(world())
  await scene.leaveRoom()
  await scene.setTerms()
  const customer = await scene.customer()
  return [String(await scene.reviewed(customer, 1_200 * whole)), String(await scene.reviewed(customer, 1_200 * whole))]
}

/** A firm that waits for a decision, and one whose terms by contract wait for the second member. */
async function makeFirms(member: Member): Promise<{ firm: string; firms: string }> {
  const [firm, accepted] = [await makeFirm('HRB 1'), await makeFirm('HRB 2')]
  const answer = await member.browser.send('POST', `/firms/${accepted}/accept`, { reason: 'The register confirms it.' })
  assert.equal(codeIn(answer), '204')
  const { subject } = (await member.browser.send('GET', `/firms/${accepted}`)).body
  return { firm, firms: await idOf(member, '/terms/firms', { kind: 'firm', subject, terms: { tier: 1, withdrawMax: '500000' } }) }
}

/** An application of a certified person with a second factor. Returns its number. */
async function makeFirm(registration: string): Promise<string> {
  const { account } = await world().papers.world.customer()
  await world().rows("update accounts set certification = 'certified' where id = $1", account)
  await world().rows(
    `insert into passkeys (id, account, credential, public_key, counter, transports, label, is_synced, created_at)
     values (gen_random_uuid(), $1::uuid, $1::text, '', 0, '{}', 'phone', false, 0)`,
    account,
  )
  const [made] = await world().rows(
    `with firm as (
       insert into firms (id, name, registration, country, applied_by, applied_at)
       values (gen_random_uuid(), 'Acme', $2, 'DE', $1, 0) returning id, number)
     insert into firm_members (id, firm, account, label, role, state, invited_at, joined_at)
     select gen_random_uuid(), id, $1, 'Acme', 'owner', 'active', 0, 0 from firm returning (select number from firm)`,
    ...[account, registration],
  )
  return String(made!['number'])
}

/** A presale that waits for the second member, with its texts and its whitepaper. */
async function makePresale(member: Member): Promise<{ presales: string; details: string; paper: string }> {
  await issue(world().core)
  const { hash: paper } = (await member.browser.send('POST', '/presales/papers', { pdf: practicePaper().toString('base64') })).body
  const { number, hash } = (await member.browser.send('POST', '/presales/details', { details: details('Objects') })).body
  const terms = saleTerms(hash, world().clock(), paper)
  return {
    ...{ details: hash, paper },
    presales: await idOf(member, '/terms/presales', { kind: 'presale', subject: `${number}:${token}`, terms }),
  }
}

/** A ticket with a picture, and a text for answers. */
async function makeTicket(account: string, member: Member): Promise<{ ticket: string; picture: string; canned: string }> {
  const { tickets, pictures } = world().tickets
  const { id: image } = await pictures.add(account, await picture(300, 200))
  const wish = { clientId: randomUUID(), topic: 'other', subject: 'Hello', text: 'Hello', images: [image] } as const
  const { ticket } = await tickets.open({ account, user: 1, lang: 'en' }, wish)
  const answer = { lang: 'en', title: 'Hello', text: 'Good morning' }
  return { ticket: ticket.id, picture: image, canned: String((await member.browser.send('POST', '/support/answers', answer)).body.id) }
}

/** An open finding about a customer. Returns its id. */
async function makeFinding(uid: string): Promise<string> {
  await world().rows(
    `insert into surveillance_reports (day, made_at, took_ms, seq, examined, counts, thresholds) values ('2020-01-01', 0, 0, 0, '{}', '{}', '{}')`,
  )
  const [row] = await world().rows(
    `insert into surveillance_findings (id, day, kind, accounts, roles, weight, text, measures, orders, from_at, to_at)
     values (gen_random_uuid(), '2020-01-01', 'linked', array[$1], '{customer}', 1, '', '[]', '{}', 0, 0) returning id`,
    uid,
  )
  return row!['id']
}

function pathOf({ path }: Registered, objects: Objects): string {
  const found = kinds.find(([start]) => path === start || path.startsWith(`${start}/`))
  assert.ok(found !== undefined, `${path} has an object of no kind of this test: add its kind and one object of it`)
  return path
    .replace(/:(id|uid|table|code|hash)/, objects[found[1]])
    .replace(':side', 'front')
    .replace(':which', 'now')
}

/** A body that every route takes which has one. */
const bodyOf = ({ method, path }: Registered): object | undefined => {
  if (method !== 'POST' || /\/(claim|release|certify)$/.test(path)) return undefined
  if (path.endsWith('/notes')) return { text: 'a note' }
  if (path.endsWith('/reject') && path.startsWith('/papers')) return { faults: [{ field: 'front', reason: 'glare' }] }
  return path.endsWith('/approve') ? {} : { reason: 'a good reason' }
}

test('CONSOLE-GATE-008: at every route and object, a role without the right reads nothing and changes nothing', async () => {
  const objects = await makeObjects()
  const routes = world().routes.filter(({ path }) => path.includes(':'))
  assert.deepEqual(
    kinds.map(([start]) => start).filter((start) => !routes.some(({ path }) => path.startsWith(start))),
    [],
  )
  let tried = 0
  for (const role of roles) {
    const member = await world().hire(role)
    const untouched = await fingerprint()
    for (const route of routes.filter(({ action }) => action !== 'open' && !may(role, action))) {
      world().pass(60_000)
      await world().logIn(member)
      const answer = await member.browser.send(route.method as 'GET', pathOf(route, objects), bodyOf(route))
      assert.equal(codeIn(answer), '403 FORBIDDEN', `${role} at ${route.method} ${route.path}`)
      assert.deepEqual(Object.keys(answer.body).toSorted(), ['code', 'message', 'requestId'])
      tried += 1
    }
    assert.equal(await fingerprint(), untouched, `${role} changed nothing`)
  }
  assert.ok(tried > 60, `${tried} pairs of a route and a role`)
})

test('CONSOLE-GATE-008: nobody reads or ends a session or passkey of another member by its id', async () => {
  const [ann] = await world().administrators()
  const [session] = await world().rows('select id from staff_sessions where staff = $1 and revoked_at is null', ann.id)
  const [passkey] = await world().rows('select id from staff_passkeys where account = $1', ann.id)
  for (const role of roles) {
    const member = await world().member(role)
    if (member.id === ann.id) continue
    world().pass(30_000)
    await world().logIn(member)
    for (const path of [`/auth/sessions/${session!['id']}`, `/auth/passkeys/${passkey!['id']}`])
      assert.equal(codeIn(await member.browser.send('DELETE', path)), '404 NOT_FOUND', `${role} at ${path}`)
  }
  assert.equal((await world().rows('select id from staff_passkeys where id = $1', passkey!['id'])).length, 1)
  assert.equal((await world().rows('select id from staff_sessions where id = $1 and revoked_at is null', session!['id'])).length, 1)
})
