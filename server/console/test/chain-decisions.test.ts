/** What two members decide: payments that the signer refuses, and transactions of own addresses. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Treasury } from '@candor/core/protocol/wire/console/treasury.ts'
import { leftBehindMs } from '../../store/query/left-behind.ts'
import { withdrawalTroubles } from '../../store/query/console/health.ts'
import { codeIn, consoleWorld, type Member } from './console-world.ts'
import { whole, WithdrawalScene } from './withdrawal-scene.ts'

const world = consoleWorld()
let scene: WithdrawalScene | undefined
const reason = 'looked at together'
const post = ({ browser }: Member, path: string, body?: object) => browser.send('POST', path, body)

/** An approved withdrawal that is no payment yet. */
async function approved() {
  if (scene === undefined) {
    scene = new WithdrawalScene(world())
    await scene.leaveRoom()
    await scene.setTerms()
  }
  const customer = await scene.customer()
  const id = await scene.reviewed(customer, 1_500 * whole)
  await scene.do({ type: 'withdraw.decide', withdrawal: id, isApproved: true, first: 1, second: 2, reason: 'approved' })
  await scene.project()
  return { id, customer }
}

/** An approved payment that the signer refuses. */
async function refused(why = 'DESTINATION_DENIED') {
  const { id, customer } = await approved()
  await world().rows(
    `insert into payouts (withdrawal, network, chain_id, user_no, client_id, recipient, value, proofs, state, trouble, taken_at)
     values ($1, 'tron', 1, $2, 'a', 'T', 1499000000, '{}', 'taken', $3, 0)`,
    ...[id, customer.user, why],
  )
  return { id, customer }
}

test('REVIEW-END-001: two members end a payment that the signer refuses, with a reason that is in the log', async () => {
  const { id } = await refused()
  const [clara, tom] = [await world().hire('compliance'), await world().hire('treasury')]
  const before = await world().newest()
  const detail = async () => (await clara.browser.send('GET', `/withdrawals/${id}`)).body
  assert.deepEqual([(await detail()).isEndable, (await detail()).ending], [true, null])
  const made = await post(clara, `/withdrawals/${id}/end`, { reason })
  assert.equal(made.status, 200, JSON.stringify(made.body))
  const path = `/withdrawals/endings/${made.body.id}`
  assert.equal(codeIn(await post(tom, `/withdrawals/${id}/end`, { reason })), '409 PROPOSAL_OPEN')
  assert.equal(codeIn(await post(clara, `${path}/approve`)), '403 SECOND_PERSON_NEEDED')
  assert.equal((await detail()).ending.approvedBy, null)
  assert.equal(codeIn(await post(tom, `/treasury/movements/${made.body.id}/approve`)), '404 NOT_FOUND')
  assert.equal(codeIn(await post(tom, `${path}/approve`)), '204')
  assert.equal(codeIn(await post(tom, `${path}/approve`)), '409 PROPOSAL_CLOSED')
  const { ending } = await detail()
  assert.deepEqual([ending.proposedBy, ending.approvedBy, ending.reason], [clara.email, tom.email, reason])
  const log = (await world().log(before)).filter(({ action }) => action.startsWith('ending'))
  assert.deepEqual(
    log.map(({ staff, action, subject, why }) => [staff, action, subject, why]),
    [
      [clara.id, 'ending-proposed', String(id), reason],
      [tom.id, 'ending-approved', String(id), reason],
    ],
  )
})

test('REVIEW-END-003: two members end an approved withdrawal that is still no payment after ten minutes', async () => {
  const { id } = await approved()
  const [clara, tom] = [await world().hire('compliance'), await world().hire('treasury')]
  const detail = async () => (await clara.browser.send('GET', `/withdrawals/${id}`)).body
  const shown = async () => {
    const { isEndable, trouble, payoutOf } = await detail()
    const { counts } = (await clara.browser.send('GET', '/withdrawals?view=approved')).body
    return [isEndable, trouble, payoutOf.trouble, counts.troubled]
  }
  const [, , , troubled] = await shown()
  assert.deepEqual(await shown(), [false, null, null, troubled])
  assert.equal(codeIn(await post(clara, `/withdrawals/${id}/end`, { reason })), '409 WITHDRAWAL_STATE')
  const approvedAgo = (ms: number) => world().rows('update core_withdrawals set decided_at_ms = $2 where id = $1', id, world().clock() - ms)
  await approvedAgo(leftBehindMs - 1)
  assert.deepEqual(await shown(), [false, null, null, troubled])
  await approvedAgo(leftBehindMs)
  assert.deepEqual(await shown(), [true, 'LEFT_BEHIND', 'LEFT_BEHIND', troubled + 1])
  const { stuck, reasons } = await withdrawalTroubles(world().papers.world.store.pool, 0, world().clock())
  assert.ok(stuck > 0 && reasons.includes('LEFT_BEHIND'), `${stuck}: ${reasons}`)
  const { body } = await post(clara, `/withdrawals/${id}/end`, { reason })
  assert.equal(codeIn(await post(clara, `/withdrawals/endings/${body.id}/approve`)), '403 SECOND_PERSON_NEEDED')
  assert.equal(codeIn(await post(tom, `/withdrawals/endings/${body.id}/approve`)), '204')
  assert.deepEqual([(await detail()).ending.proposedBy, (await detail()).ending.approvedBy], [clara.email, tom.email])
  const other = await approved()
  await world().rows(`update core_withdrawals set state = 'failed', decided_at_ms = 0 where id = $1`, other.id)
  assert.equal(codeIn(await post(clara, `/withdrawals/${other.id}/end`, { reason })), '409 WITHDRAWAL_STATE')
})

test('REVIEW-END-002: nobody ends a payment alone, of their own account, or one that was signed or may still be paid', async () => {
  const { id, customer } = await refused()
  const [clara, tom] = [await world().hire('compliance'), await world().hire('treasury')]
  await world().rows(
    `insert into staff_marks (account, staff, cause, marked_at) values ($1, $2, 'declared', 0)`,
    ...[customer.account, tom.id],
  )
  assert.equal(codeIn(await post(tom, `/withdrawals/${id}/end`, { reason })), '403 FORBIDDEN')
  const { body } = await post(clara, `/withdrawals/${id}/end`, { reason })
  assert.equal(codeIn(await post(tom, `/withdrawals/endings/${body.id}/approve`)), '403 FORBIDDEN')
  const end = (by: Member) =>
    world().rows(`update chain_decisions set state = 'approved', decided_by = $2, decided_at = proposed_at where id = $1`, body.id, by.id)
  await assert.rejects(end(clara), /chain_decisions/)
  await assert.rejects(end(tom), /two members/)
  await assert.rejects(
    world().rows(`update payouts set state = 'settled', fate = 'refused' where withdrawal = $1`, id),
    /no two members ended it/,
  )
  await world().rows(`update payouts set trouble = null where withdrawal = $1`, id)
  const rita = await world().hire('risk')
  assert.equal(codeIn(await post(rita, `/withdrawals/endings/${body.id}/approve`)), '409 WITHDRAWAL_STATE')
  assert.equal(codeIn(await post(rita, `/withdrawals/endings/${body.id}/decline`, { reason })), '204')
  for (const why of ['HOT_EMPTY', 'SIGNER_AWAY']) {
    const other = await refused(why)
    assert.equal(codeIn(await post(clara, `/withdrawals/${other.id}/end`, { reason })), '409 WITHDRAWAL_STATE')
  }
})

test('TREASURY-NAMED-002: two members of administration or treasury name an inflow; the database takes no movement of the operator without them, and none that went out', async () => {
  const [ann] = await world().administrators()
  const tom = await world().hire('treasury')
  const txid = 'ab'.repeat(32)
  await world().rows(
    `insert into treasury_flows (network, txid, ordinal, contract, sender, recipient, value, block, block_hash, block_at, what)
     values ('tron', $1, 0, 'T1', 'TBANK', 'TSINK', 5000000, 7, 'h', 0, 'inflow')`,
    txid,
  )
  const [{ id }] = (await world().rows(
    `insert into treasury_findings (network, kind, holder, contract, txid, amount, stops, found_at, seen_at)
     values ('tron', 'unknown-inflow', 'TSINK', 'T1', $1, 5000000, false, 0, 0) returning id`,
    txid,
  )) as [{ id: number }]
  const path = `/treasury/findings/${id}/explain`
  const clara = await world().hire('compliance')
  assert.equal(codeIn(await post(clara, path, { reason })), '403 FORBIDDEN')
  const { body } = await post(tom, path, { reason })
  assert.equal(codeIn(await post(tom, `/treasury/movements/${body.id}/approve`)), '403 SECOND_PERSON_NEEDED')
  for (const amount of [5_000_000, -5_000_000])
    await assert.rejects(
      world().rows(
        `insert into treasury_movements (network, holder, contract, amount, kind, txid, first, second, made_at)
         values ('tron', 'TSINK', 'T1', $2, 'operator', $1, 1, 2, 0)`,
        ...[txid, amount],
      ),
      /two members/,
    )
  assert.equal(codeIn(await post(ann, `/treasury/movements/${body.id}/approve`)), '204')
  const [movement] = await world().rows('select * from treasury_movements where txid = $1', txid)
  const numbers = await world().rows('select number from staff where id = any($1) order by id = $2', [tom.id, ann.id], ann.id)
  assert.deepEqual(
    [movement!['holder'], Number(movement!['amount']), movement!['note'], movement!['first'], movement!['second']],
    ['TSINK', 5_000_000, reason, numbers[0]!['number'], numbers[1]!['number']],
  )
  const { findings } = (await ann.browser.send('GET', '/treasury')).body as Treasury
  assert.deepEqual(
    findings.map(({ decision }) => [decision?.proposedBy, decision?.approvedBy]),
    [[tom.email, ann.email]],
  )
})

test('TREASURY-NAMED-003: an inflow is named once, also before the treasury has looked again', async () => {
  const [ann] = await world().administrators()
  const [tom, tina] = [await world().hire('treasury'), await world().hire('treasury')]
  const txid = 'ad'.repeat(32)
  await world().rows(
    `insert into treasury_flows (network, txid, ordinal, contract, sender, recipient, value, block, block_hash, block_at, what)
     values ('tron', $1, 0, 'T1', 'TBANK', 'TSINK', 5000000, 7, 'h', 0, 'inflow')`,
    txid,
  )
  const [{ id }] = (await world().rows(
    `insert into treasury_findings (network, kind, holder, contract, txid, amount, stops, found_at, seen_at)
     values ('tron', 'unknown-inflow', 'TSINK', 'T1', $1, 5000000, false, 0, 0) returning id`,
    txid,
  )) as [{ id: number }]
  const { body } = await post(tom, `/treasury/findings/${id}/explain`, { reason })
  assert.equal(codeIn(await post(ann, `/treasury/movements/${body.id}/approve`)), '204')
  assert.equal(codeIn(await post(tina, `/treasury/findings/${id}/explain`, { reason })), '409 PROPOSAL_STALE')
  // Nor does the database write it twice.
  const [again] = (await world().rows(
    `insert into chain_decisions (kind, network, txid, reason, proposed_by, proposed_at, expires_at)
     values ('movement', 'tron', $1, 'again', $2, 0, 10) returning id`,
    ...[txid, tina.id],
  )) as [{ id: number }]
  await world().rows(`update chain_decisions set state = 'approved', decided_by = $2, decided_at = 1 where id = $1`, again.id, tom.id)
  const movements = await world().rows(`select note from treasury_movements where txid = $1 and kind = 'operator'`, txid)
  assert.deepEqual(
    movements.map(({ note }) => note),
    [reason],
  )
})
