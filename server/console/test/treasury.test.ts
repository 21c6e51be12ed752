/** The treasury and late withdrawals as the console reads them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OverviewState } from '@candor/core/protocol/wire/console/overview.ts'
import type { Treasury } from '@candor/core/protocol/wire/console/treasury.ts'
import { ChainsFolder } from '../../chains/test/chains-folder.ts'
import { consoleWorld } from './console-world.ts'
import { whole, WithdrawalScene } from './withdrawal-scene.ts'

const world = consoleWorld()
let scene: WithdrawalScene
const usdt = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'

test('CONSOLE-WATCH-008: coins by role stand beside what customers have, with what leaves and left, differences and the last word to the signer', async () => {
  using folder = new ChainsFolder()
  world().networks.push(...folder.config.networks)
  scene = new WithdrawalScene(world())
  await scene.leaveRoom()
  await scene.setTerms()
  const customer = await scene.customer()
  const now = world().clock()
  await world().rows(
    `insert into treasury_balances (network, role, contract, balance, block, at) values
       ('tron', 'deposits', $1, 40000000000, 7, $2), ('tron', 'hot', $1, 1240000000, 7, $2), ('tron', 'gas', '', 4000000, 7, $2),
       ('ethereum', 'deposits', '', 400000000000000000, 9, $2), ('ethereum', 'sink', '', 2000000000000000000, 9, $2)`,
    ...[usdt, now],
  )
  await world().rows(
    `insert into treasury_findings (network, kind, holder, contract, txid, amount, stops, found_at, seen_at, closed_at) values
       ('tron', 'in-flight', 'core', $1, '', 5000000, false, $2, $2, null), ('tron', 'unexplained', 'T', $1, 'aa', -1, true, $2, $2, null),
       ('tron', 'fee', 'T', $1, '', 1, false, 0, 0, 1), ('ethereum', 'unknown-inflow', '0xa', '', '', 20000000000000000, false, $2, $2, null)`,
    ...[usdt, now],
  )
  await world().rows('insert into treasury_beats (at, is_match, refusal) values ($1, true, null)', now)
  const id = await scene.reviewed(customer, 150 * whole)
  await scene.do({ type: 'withdraw.decide', withdrawal: id, isApproved: true, first: 1, second: 0, reason: 'approved' })
  await scene.project()
  await world().rows(
    `insert into withdrawal_wishes (user_no, client_id, account, destination, network, chain_id, asset, contract, recipient, value, customer, made_at, withdrawal)
     values ($1, 'a', $2, $3, 'tron', 1, 'USDT', $4, 'T', 149000000, '{}', 0, $5)`,
    ...[customer.user, customer.account, customer.destination, usdt, id],
  )
  const member = await world().hire('treasury')
  const { status, body } = await member.browser.send('GET', '/treasury')
  assert.equal(status, 200, JSON.stringify(body))
  const { rows, findings, beat } = body as Treasury
  assert.deepEqual(
    rows.map(({ network, asset, isForFees }) => [network, asset, isForFees]),
    [
      ['TRC20', 'USDT', false],
      ['TRC20', 'TRX', true],
      ['ERC20', 'USDT', false],
      ['ERC20', 'ETH', false],
    ],
  )
  // 50,000 came in, 399 were paid out before.
  assert.deepEqual(rows[0], {
    ...{
      network: 'TRC20',
      asset: 'USDT',
      isForFees: false,
      total: '41240',
      customers: '49601',
      unfinal: '0',
      leaving: '149',
      outflow: '0',
    },
    ...{ chain: { deposits: '40000', hot: '1240', gas: null, sink: null }, share: '2.4', block: 7, at: now },
  })
  assert.deepEqual(rows[1]!.chain, { deposits: null, hot: null, gas: '4', sink: null })
  assert.deepEqual([rows[3]!.chain, rows[3]!.total], [{ deposits: '0.4', hot: null, gas: null, sink: '2' }, '2.4'])
  assert.deepEqual(
    findings.map(({ kind, amount, asset, stops }) => [kind, amount, asset, stops]),
    [
      ['unexplained', '-0.000001', 'USDT', true],
      ['unknown-inflow', '0.02', 'ETH', false],
      ['in-flight', '5', 'USDT', false],
    ],
  )
  assert.deepEqual(beat, { at: now, isMatch: true, refusal: null })
  const file = (await member.browser.send('GET', '/treasury/files/coins')).raw.toString()
  assert.match(file, /^network,asset,deposits,hot,.*\r\nTRC20,USDT,40000,1240,/)
})

test('CONSOLE-OVERVIEW-012: requests older than 24 hours are late, and payments that do not move are told of with their reasons', async () => {
  const customer = await scene.customer({ hasHistory: false })
  const ids = [await scene.reviewed(customer, 1_500 * whole), await scene.reviewed(customer, 1_600 * whole)]
  const paid = await scene.reviewed(customer, 1_700 * whole)
  await scene.do({ type: 'withdraw.decide', withdrawal: paid, isApproved: true, first: 1, second: 2, reason: 'approved' })
  await scene.project()
  await world().rows('update core_withdrawals set requested_at_ms = requested_at_ms - 100000000 where id = any($1)', ids)
  await world().rows(
    `insert into payouts (withdrawal, network, chain_id, user_no, client_id, recipient, value, proofs, state, trouble, taken_at)
     values ($1, 'tron', 1, 1, 'a', 'T', 1, '{}', 'taken', 'NONCE_FOREIGN', 0)`,
    paid,
  )
  const member = await world().hire('risk')
  const { problems } = (await member.browser.send('GET', '/overview/state')).body as OverviewState
  assert.deepEqual(
    problems
      .filter(({ kind }) => kind === 'late' || kind === 'stuck')
      .map(({ kind, level, subject, value }) => [kind, level, subject, value]),
    [
      ['stuck', 'error', '1', 'NONCE_FOREIGN'],
      ['late', 'warning', '2', '100000000'],
    ],
  )
  const { withdrawals, counts } = (await member.browser.send('GET', '/withdrawals?view=requested')).body
  assert.deepEqual([counts.late, withdrawals[0].id], [2, ids[0]])
  assert.equal((await member.browser.send('GET', '/overview')).body.withdrawals.waiting >= 2, true)
})
