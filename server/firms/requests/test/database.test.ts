import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { says, startSqlFirms } from './sql-firm.ts'

let world: Awaited<ReturnType<typeof startSqlFirms>>
before(async () => {
  world = await startSqlFirms()
})
after(() => world[Symbol.asyncDispose]())
beforeEach(() => world.pass(0))

const hour = 3_600_000
const outcomes = async (tries: readonly Promise<unknown>[]): Promise<readonly string[]> =>
  (await Promise.allSettled(tries)).map(({ status }) => (status === 'fulfilled' ? 'done' : 'refused')).toSorted()

/** A firm whose rule asks for two people above 1,000 USDT, and for addresses, with three who approve. */
async function firmOfThree() {
  const firm = await world.firm()
  const { owner } = firm
  const first = await world.join(firm, 'treasurer', [owner])
  const second = await world.join(firm, 'admin', [owner])
  await world.rule(
    firm,
    [
      ['1000', 1],
      [null, 2],
    ],
    2,
    [owner],
  )
  const to = await world.address(firm, [owner, first])
  return { firm, owner, first, second, to }
}

test('FIRM-RULE-001: a new firm asks for one person; the next rule needs an approved request with exactly its content, once', async () => {
  const firm = await world.firm()
  const { rows } = await world.run('select version, bands, address_people, most from firm_rules where firm = $1', firm.id)
  assert.deepEqual(rows, [{ version: 1, bands: [{ upTo: null, people: 1 }], address_people: 1, most: 1 }])
  const payload = {
    bands: [
      { upTo: '1000', people: 1 },
      { upTo: null, people: 2 },
    ],
    addressPeople: 2,
  }
  await assert.rejects(world.insertRule(firm, null, payload), says('no more people than the firm has'))
  const request = await world.ask(firm, firm.owner, 'rule', payload)
  await assert.rejects(world.insertRule(firm, request, payload), says('no more people than the firm has'))
  await world.join(firm, 'treasurer', [firm.owner])
  await assert.rejects(world.insertRule(firm, request, payload), says('needs an approved request'))
  await world.approve(request)
  await assert.rejects(world.insertRule(firm, request, { ...payload, addressPeople: 1 }), says('needs an approved request'))
  await world.insertRule(firm, request, payload)
  assert.equal(await world.stateOf(request), 'done')
  await assert.rejects(world.insertRule(firm, request, payload), /needs an approved request|unique/)
})

test('FIRM-RULE-002: a rule that asks for two is changed by two', async () => {
  const { firm, owner, second } = await firmOfThree()
  const payload = { bands: [{ upTo: null, people: 1 }], addressPeople: 1 }
  const request = await world.ask(firm, owner, 'rule', payload)
  await assert.rejects(world.approve(request), says('needs the people of its rule'))
  await world.say(request, second)
  await world.approve(request)
  await world.insertRule(firm, request, payload)
})

test('FIRM-RULE-003: bands rise, end with any value, and larger values never need fewer people', async () => {
  const fits = async (bands: unknown): Promise<boolean> =>
    (await world.run('select firm_bands_fit($1) as fits', JSON.stringify(bands))).rows[0].fits
  assert.equal(
    await fits([
      { upTo: '10', people: 1 },
      { upTo: '20.5', people: 1 },
      { upTo: null, people: 3 },
    ]),
    true,
  )
  const wrong = [
    [],
    {},
    [{ upTo: '10', people: 1 }],
    [{ upTo: null, people: 0 }],
    [{ upTo: null, people: 51 }],
    [{ upTo: null, people: '2' }],
    [{ upTo: null, people: 1.5 }],
    [{ upTo: null }],
    [{ people: 1 }],
    [
      { upTo: null, people: 1 },
      { upTo: null, people: 2 },
    ],
    [
      { upTo: '20', people: 1 },
      { upTo: '10', people: 2 },
      { upTo: null, people: 2 },
    ],
    [
      { upTo: '10', people: 2 },
      { upTo: null, people: 1 },
    ],
    [
      { upTo: 'NaN', people: 1 },
      { upTo: null, people: 2 },
    ],
    [
      { upTo: '-1', people: 1 },
      { upTo: null, people: 2 },
    ],
    [
      { upTo: '0', people: 1 },
      { upTo: null, people: 2 },
    ],
    [{ upTo: null, people: 1, more: 1 }],
    Array.from({ length: 6 }, (_, at) => ({ upTo: at === 5 ? null : String(at + 1), people: 1 })),
  ]
  for (const bands of wrong) assert.equal(await fits(bands), false, JSON.stringify(bands))
})

test('FIRM-WITHDRAWAL-001: without an approved request, no withdrawal of a firm is written, under whatever name', async () => {
  const { firm, owner, first, to } = await firmOfThree()
  const none = 'a withdrawal of a firm needs an approved request'
  await assert.rejects(world.insertWish(firm, randomUUID(), to, 100), says(none))
  const open = await world.askMoney(firm, owner, to, 5_000)
  await assert.rejects(world.insertWish(firm, open, to, 5_000), says(none))
  await assert.rejects(world.approve(open), says('needs the people of its rule'))
  await world.say(open, first)
  await world.approve(open)
  const stranger = await world.person()
  // Named as somebody else's, or as the money of a sub-account.
  for (const more of [{ account: stranger.account }, { user_no: stranger.user }, { account: firm.sub.account, user_no: firm.sub.user }])
    await assert.rejects(world.insertWish(firm, open, to, 5_000, more), says(none), JSON.stringify(more))
  const other = await firmOfThree()
  await assert.rejects(world.insertWish(other.firm, open, to, 5_000), says(none))
  await world.insertWish(firm, open, to, 5_000)
  await assert.rejects(world.insertWish(firm, open, to, 5_000), /duplicate key/)
})

test('FIRM-WITHDRAWAL-002: what is written is what was approved: address, network, chain, coin, contract, recipient and value', async () => {
  const { firm, owner, to } = await firmOfThree()
  const request = await world.askMoney(firm, owner, to, 100)
  await world.approve(request)
  const different = {
    ...{ network: 'tron', chain_id: 1, asset: 'USDC', contract: null, recipient: `0x${'9'.repeat(40)}`, value: '99000001' },
  }
  for (const [name, value] of Object.entries(different))
    await assert.rejects(world.insertWish(firm, request, to, 100, { [name]: value }), says('is what was approved'), name)
  await world.sql('update withdrawal_addresses set removed_at = usable_at + 1 where id = $1', to.id)
  await assert.rejects(world.insertWish(firm, request, to, 100), says('is what was approved'))
  await world.sql('update withdrawal_addresses set removed_at = null where id = $1', to.id)
  await world.insertWish(firm, request, to, 100)
})

test('FIRM-WITHDRAWAL-003: a request pays what it says, to the unit', async () => {
  const { firm, owner, to } = await firmOfThree()
  const payment = world.paymentOf(to, 100)
  for (const wrong of [
    { ...payment, value: '99000001' },
    { ...payment, decimals: 18 },
    { ...payment, asset: 'ETH' },
    { ...payment, network: 'tron' },
  ])
    await assert.rejects(world.askMoney(firm, owner, to, 100, { payment: wrong }), says('pays what it says'))
  const payload = { network: 'ethereum', asset: 'USDT', address: to.id, fee: '1' }
  for (const amount of ['NaN', 'Infinity', '-100', '1e2', '100 ', ''])
    await assert.rejects(world.ask(firm, owner, 'withdrawal', { ...payload, amount }, { payment }), says('pays what it says'), amount)
})

test('FIRM-WITHDRAWAL-004: parts of a withdrawal need as many people as the whole, also asked for at the same instant', async () => {
  const { firm, owner, to } = await firmOfThree()
  const ids = Array.from({ length: 20 }, () => randomUUID())
  await Promise.all(ids.map((id) => world.askMoney(firm, owner, to, 100, { id })))
  assert.deepEqual(await outcomes(ids.map((id) => world.approve(id))), [...Array(10).fill('done'), ...Array(10).fill('refused')])
  const { rows } = await world.run(`select sum(usdt)::text as sum from firm_requests where firm = $1 and state = 'approved'`, firm.id)
  assert.equal(rows[0].sum, '1000')
})

test('FIRM-WITHDRAWAL-004: a transaction that does not see what was approved meanwhile approves nothing', async () => {
  const { firm, owner, first: treasurer, to } = await firmOfThree()
  const [first, second] = [await world.askMoney(firm, owner, to, 800), await world.askMoney(firm, owner, to, 700)]
  const late = await world.gateway.connect()
  try {
    await late.query('begin isolation level repeatable read')
    await late.query('select from firm_requests limit 1')
    await world.say(second, treasurer)
    await world.approve(second)
    await assert.rejects(late.query(`update firm_requests set state = 'approved' where id = $1`, [first]), says('sees what was committed'))
  } finally {
    await late.query('rollback')
    late.release()
  }
  await assert.rejects(world.approve(first), says('needs the people of its rule'))
})

test('FIRM-WITHDRAWAL-005: parts that were asked for on different days and approved on one count together', async () => {
  const { firm, owner, to } = await firmOfThree()
  const early = await world.askMoney(firm, owner, to, 900)
  await world.pass(25 * hour)
  await world.sql('update sessions set proven_at = $2 where id = $1', owner.session, Date.now() + 25 * hour)
  const late = await world.askMoney(firm, owner, to, 900)
  await world.approve(early)
  await assert.rejects(world.approve(late), says('needs the people of its rule'))
  await world.pass(50 * hour)
  await assert.rejects(world.approve(late), says('needs the people of its rule'))
  const { rows } = await world.run('select people from firm_requests where id = $1', late)
  assert.equal(rows[0].people, 2)
})

test('FIRM-WITHDRAWAL-006: other coins than USDT need the people of the last band, however little it is', async () => {
  const { firm, owner, to } = await firmOfThree()
  const payload = { network: 'ethereum', asset: 'ETH', address: to.id, amount: '0.001', fee: '0' }
  const payment = { ...world.paymentOf(to, 2), asset: 'ETH', contract: null, decimals: 18, value: '1000000000000000' }
  const request = await world.ask(firm, owner, 'withdrawal', payload, { payment })
  await assert.rejects(world.approve(request), says('needs the people of its rule'))
})

test('FIRM-WITHDRAWAL-007: a rule that was raised meanwhile counts, before the approval and after it', async () => {
  const { firm, owner, first, second, to } = await firmOfThree()
  const [early, approved] = [await world.askMoney(firm, owner, to, 100), await world.askMoney(firm, owner, to, 100)]
  await world.approve(approved)
  await world.rule(firm, [[null, 3]], 3, [owner, first])
  await assert.rejects(world.approve(early), says('needs the people of its rule'))
  await assert.rejects(world.insertWish(firm, approved, to, 100), says('needs an approved request'))
  await world.say(early, first)
  await world.say(early, second)
  await world.approve(early)
  // Lowered again, what was asked for under the stricter rule keeps it.
  const strict = await world.askMoney(firm, owner, to, 100)
  await world.rule(firm, [[null, 1]], 1, [owner, first, second])
  await assert.rejects(world.approve(strict), says('needs the people of its rule'))
})

test('FIRM-ADDRESS-001: an address of a firm is added as it was approved, once, never to a sub-account, and waits a day by the database’s clock', async () => {
  const { firm, owner, first } = await firmOfThree()
  const payload = { network: 'ethereum', address: `0x${'7'.repeat(40)}`, label: 'vault', owner: 'own' }
  const needs = says('an address of a firm needs an approved request')
  await assert.rejects(world.insertAddress(randomUUID(), firm.main.account, payload), needs)
  const request = await world.ask(firm, owner, 'address', payload)
  await assert.rejects(world.insertAddress(request, firm.main.account, payload), needs)
  await world.say(request, first)
  await world.approve(request)
  await assert.rejects(world.insertAddress(request, firm.sub.account, payload), needs)
  for (const more of [
    { address: `0x${'8'.repeat(40)}` },
    { network: 'tron' },
    { label: 'other' },
    { owner: 'exchange', exchange: 'X', beneficiary: Buffer.of(1) },
  ])
    await assert.rejects(world.insertAddress(request, firm.main.account, { ...payload, ...more }), needs, JSON.stringify(more))
  const { rows } = await world.insertAddress(request, firm.main.account, payload)
  assert.ok(Math.abs(rows[0].added_at - Date.now()) < 60_000 && rows[0].usable_at === rows[0].added_at + 24 * hour)
  assert.equal(await world.stateOf(request), 'done')
  await world.run('delete from withdrawal_addresses where id = $1', request)
  await assert.rejects(world.insertAddress(request, firm.main.account, payload), needs)
})

test('FIRM-APPROVER-001: nobody gets, changes or loses a role that approves without an approved request', async () => {
  const { firm, owner, first, second } = await firmOfThree()
  const needs = says('needs an approved request')
  const stranger = await world.person()
  const insert = (role: string, state: string, account = stranger.account, label = 'X') =>
    world.run(
      `insert into firm_members (id, firm, account, label, role, state, invited_at, joined_at) values (gen_random_uuid(), $1, $2, $5, $3, $4, 0, 1) returning id`,
      ...[firm.id, account, role, state, label],
    )
  await assert.rejects(insert('treasurer', 'invited'), needs)
  await assert.rejects(insert('admin', 'active'), says('begin invited'))
  await assert.rejects(insert('owner', 'active'), says('begin invited'))
  const { rows } = await insert('trader', 'active')
  const trader = rows[0].id as string
  for (const role of ['treasurer', 'admin', 'owner'])
    await assert.rejects(world.run('update firm_members set role = $2 where id = $1', trader, role), /needs an approved request|stays/)
  await world.run(`update firm_members set role = 'viewer' where id = $1`, trader)
  for (const change of [`role = 'viewer'`, `role = 'admin'`, `state = 'ended', ended_at = 1`])
    await assert.rejects(world.run(`update firm_members set ${change} where id = $1`, first.member), needs, change)
  await assert.rejects(world.run(`update firm_members set role = 'admin' where id = $1`, owner.member), says('the owner of a firm stays'))
  // With a request, and for that change alone.
  const request = await world.ask(firm, owner, 'member', { member: first.member, role: null })
  await world.say(request, second)
  await world.approve(request)
  await assert.rejects(world.run(`update firm_members set role = 'admin' where id = $1`, first.member), needs)
  await assert.rejects(world.run(`update firm_members set state = 'ended', ended_at = 1 where id = $1`, second.member), needs)
  await world.run(`update firm_members set state = 'ended', ended_at = 1 where id = $1`, first.member)
  assert.equal(await world.stateOf(request), 'done')
})

test('FIRM-APPROVER-002: whoever stops approving leaves as many approvers as the rule asks for', async () => {
  const firm = await world.firm()
  const other = await world.join(firm, 'treasurer', [firm.owner])
  await world.rule(firm, [[null, 2]], 2, [firm.owner])
  const request = await world.ask(firm, firm.owner, 'member', { member: other.member, role: null })
  await world.say(request, other)
  await world.approve(request)
  await assert.rejects(
    world.run(`update firm_members set state = 'ended', ended_at = 1 where id = $1`, other.member),
    says('keeps as many approvers'),
  )
})

test('FIRM-APPROVER-003: an invitation to a role that approves is for one person and one role, and is used once', async () => {
  const { firm, owner, first } = await firmOfThree()
  const [invited, other] = [await world.person(), await world.person()]
  const request = await world.ask(firm, owner, 'member', { uid: invited.uid, label: 'N', role: 'treasurer', accounts: null })
  await world.say(request, first)
  await world.approve(request)
  const insert = (account: string, role: string, label = 'N') =>
    world.run(
      `insert into firm_members (id, firm, account, label, role, state, invited_at) values (gen_random_uuid(), $1, $2, $3, $4, 'invited', 0)`,
      ...[firm.id, account, label, role],
    )
  const needs = says('needs an approved request')
  await assert.rejects(insert(other.account, 'treasurer'), needs)
  await assert.rejects(insert(invited.account, 'admin'), needs)
  await assert.rejects(insert(invited.account, 'treasurer', 'M'), needs)
  await insert(invited.account, 'treasurer')
  await world.run(`update firm_members set state = 'ended', ended_at = 1 where firm = $1 and account = $2`, firm.id, invited.account)
  await assert.rejects(insert(invited.account, 'treasurer'), needs)
})

test('FIRM-KEY-001: no key of a firm may withdraw, neither a new one nor one that is widened', async () => {
  const firm = await world.firm()
  const insert = (scopes: string) =>
    world.run(
      `insert into api_keys (id, account, key, label, kind, public_key, scopes, ips, created_at, member)
       values (gen_random_uuid(), $1, $2, 'k', 'ed25519', 'p', $3, '{}', 0, $4) returning id`,
      ...[firm.main.account, randomUUID().replaceAll('-', '').repeat(2), scopes, firm.owner.member],
    )
  await assert.rejects(insert('{read,withdraw}'), says('no key withdraws'))
  const { rows } = await insert('{read,trade}')
  await assert.rejects(world.run(`update api_keys set scopes = '{read,withdraw}' where id = $1`, rows[0].id), says('no key withdraws'))
})

test('FIRM-STAFF-001: a firm’s money is the own money of each member of the staff who takes part in it, and of nobody who was only invited', async () => {
  const firm = await world.firm()
  const other = await world.firm()
  const [inside, invited, outside] = [randomUUID(), randomUUID(), randomUUID()]
  const [helper, guest] = [await world.join(firm, 'treasurer', [firm.owner]), await world.person()]
  await world.run(
    `insert into firm_members (id, firm, account, label, role, state, invited_at) values ($1, $2, $3, 'Guest', 'viewer', 'invited', 0)`,
    ...[randomUUID(), firm.id, guest.account],
  )
  const staff = [inside, invited, outside].map((id, n) => `('${id}', 'm${n}@test.example', 'M', 'compliance', 'active', 'x', 0)`)
  const deposit = (id: number, account: string) =>
    `(${id}, 'ethereum', 't${id}', 0, 'USDT', 'c', 's', 'a', '${account}', 0, 1, 0, 'h', 0, 'held', 'x', 0)`
  // Members, reviews and deposits begin in ways that are not what this test is about.
  await world.sql(`set session_replication_role = replica;
    insert into staff (id, email, name, role, state, password, created_at) values ${staff.join()};
    insert into staff_marks (account, staff, cause, marked_at)
      values ('${helper.account}', '${inside}', 'declared', 0), ('${guest.account}', '${invited}', 'declared', 0);
    insert into core_withdrawals (id, user_id, asset, network, amount, fee, destination, people, state, requested_at_ms)
      values (1, ${firm.main.user}, 'USDT', 1, 1, 0, 1, 1, 'requested', 0), (2, ${other.main.user}, 'USDT', 1, 1, 0, 1, 1, 'requested', 0);
    insert into withdrawal_reviews (withdrawal, account, people, flags, made_at)
      values (1, '${firm.main.account}', 1, '[]', 0), (2, '${other.main.account}', 1, '[]', 0);
    insert into deposits (id, network, txid, ordinal, asset, contract, sender, address, account, user_no, raw, block_number, block_hash,
        block_at, state, why, seen_at)
      overriding system value values ${deposit(1, firm.sub.account)}, ${deposit(2, other.sub.account)};
    set session_replication_role = origin`)
  const isOwn = async (who: string): Promise<unknown> =>
    (
      await world.run(
        `select withdrawal_is_own($1, 1) as paid, withdrawal_is_own($1, 2) as other, not deposits_may($1, 1) as came,
           account_is_own($1, $2) as main, account_is_own($1, $3) as person`,
        ...[who, firm.main.account, firm.owner.account],
      )
    ).rows[0]
  const nothing = { paid: false, other: false, came: false, main: false, person: false }
  assert.deepEqual(await isOwn(inside), { ...nothing, paid: true, came: true, main: true })
  for (const who of [invited, outside]) assert.deepEqual(await isOwn(who), nothing)
  const decide = (who: string, withdrawal: number) =>
    world.run(
      `insert into withdrawal_verdicts (withdrawal, round, staff, member, is_approved, at)
       values ($1, 0, $2, (select number from staff where id = $2), true, 0)`,
      ...[withdrawal, who],
    )
  await assert.rejects(decide(inside, 1), says('nobody decides about the own withdrawal'))
  await decide(inside, 2)
  await decide(outside, 1)
  // Whoever has left still has friends there.
  await world.sql(`set session_replication_role = replica; update firm_members set state = 'ended', ended_at = 2 where id = '${helper.member}';
    set session_replication_role = origin`)
  assert.deepEqual(await isOwn(inside), { ...nothing, paid: true, came: true, main: true })
})
