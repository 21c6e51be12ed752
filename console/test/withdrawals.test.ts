/** Withdrawals in the console: their terms, requests to decide, and payments on their way. `CANDOR_PICTURES=folder` saves pictures. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import type { Command } from '@candor/core/protocol/command/index.ts'
import { ChainsFolder } from '../../server/chains/test/chains-folder.ts'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { sights } from '../../web/test/sights.ts'
import { hire, type Member, startBrowser, team, visitor } from './member.ts'

const whole = 1_000_000
const day = 86_400_000
const folder = new ChainsFolder()
let browser: Browser
let exchange: TestExchange
let ann: Member
let ben: Member
let clara: Member
let tom: Member
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'withdrawals', hasFeeds: false, settings: { chainsFolder: folder.path } })
  ;[ann, ben, clara] = await team(browser, exchange, ['clara@staff.example', 'Clara Cole', 'compliance'])
  tom = await visitor(browser, exchange, 'narrow')
  await hire(exchange, [ann, ben], tom, ['tom@staff.example', 'Tom Trent', 'treasury'])
})
after(async () => {
  await browser?.close()
  await exchange?.[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })
const rows = async (text: string, ...values: readonly unknown[]) => (await exchange.store.pool.query(text, [...values])).rows

async function address(user: TestUser, text: string, days: number): Promise<number> {
  const [row] = await rows(
    `insert into withdrawal_addresses (id, account, network, address, label, owner, added_at, usable_at)
     select gen_random_uuid(), id, 'tron', $2, 'My wallet', 'own', $3, $3::bigint + 86400000 from accounts where uid = $1 returning number`,
    ...[user.uid, text, Date.now() - days * day],
  )
  return row.number
}

let names = 0
/** A request that was looked at. Returns its number. */
async function request(user: TestUser, destination: number, amount: number): Promise<number> {
  const asked = { user: user.id, clientId: `w${++names}`, asset: 1, network: 2, amount: amount * whole, fee: whole, destination }
  const { refusal, seq } = await exchange.link.submit({ type: 'withdraw.request', ...asked } as Command)
  assert.equal(refusal, undefined)
  while ((await rows('select withdrawal from withdrawal_reviews where withdrawal = $1', seq)).length === 0) await sleep(50)
  return seq
}

async function state(id: number, wanted: string): Promise<void> {
  while ((await rows('select state from core_withdrawals where id = $1', id))[0]?.state !== wanted) await sleep(50)
}

test('UI-CONSOLE-070: terms of withdrawals are proposed for an asset on a network, approved by another member, and closed by one', async () => {
  const { wrong, see } = sights(ann.page, 'networks', 'en')
  await ann.go('/networks')
  await heading(ann.page, 'Networks').waitFor()
  await button(ann.page, 'Change: ETH · ERC20').waitFor()
  await button(ann.page, 'Change: USDT · TRC20').click()
  const form = dialog(ann.page, /^Propose new terms: USDT · TRC20/)
  for (const [label, text] of [
    ['Smallest, fee included', '10'],
    ['Fee', '10'],
    ['Nobody approves up to', '100'],
    ['One member approves up to', '1000'],
    ['Reason', 'First terms of USDT on TRON'],
  ])
    await form.getByLabel(label!, { exact: true }).fill(text!)
  await form.getByText('The fee is below the smallest withdrawal.').waitFor()
  await form.getByLabel('Fee', { exact: true }).fill('1')
  await see('form')
  await form.getByRole('button', { name: 'Propose', exact: true }).click()
  await ann.page.getByText('Proposed. A second member must approve it.').waitFor()
  await ben.go('/networks')
  await button(ben.page, 'Approve: Withdrawals USDT · TRC20').click()
  await dialog(ben.page, 'Approve and carry out?').getByRole('button', { name: 'Approve' }).click()
  await ben.page.getByRole('table', { name: 'Withdrawals' }).getByText('1,000 USDT').waitFor()
  const narrow = sights(ben.page, 'networks-narrow', 'en')
  await narrow.see('table')
  await button(ben.page, 'Close: withdrawals of USDT · TRC20').click()
  const close = dialog(ben.page, 'Close withdrawals of USDT · TRC20 now?')
  await close.getByText('Requests that wait are still decided and paid.').waitFor()
  await close.getByRole('button', { name: 'Cancel' }).click()
  assert.deepEqual([wrong, narrow.wrong, ann.complaints, ben.complaints], [[], [], [], []])
})

test('UI-CONSOLE-071: requests wait in a list with amounts, addresses in groups, flags and ages; one member claims and approves', async () => {
  const users = [
    await exchange.user({ isCertified: true, funds: { USDT: '20000' } }),
    await exchange.user({ isCertified: true, funds: { USDT: '20000' } }),
  ] as const
  const own = await address(users[0], 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 30)
  await address(users[1], 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 60)
  const alike = await address(users[1], 'TR7N5yvGpPjWyJ9CqV2wqRZsWJQrDcLj6t', 2)
  const small = await request(users[0], own, 50)
  await state(small, 'approved')
  const [middle, large, odd] = [await request(users[0], own, 750), await request(users[0], own, 4_200), await request(users[1], alike, 90)]
  await rows('update core_withdrawals set requested_at_ms = requested_at_ms - $2 where id = $1', middle, 26 * 3_600_000)

  const { page } = clara
  const wide = sights(page, 'withdrawals', 'en')
  await page.keyboard.press('g')
  await page.keyboard.press('w')
  await heading(page, 'Withdrawals').waitFor()
  const list = page.getByRole('table', { name: 'To decide' })
  for (const id of [middle, large, odd]) await list.getByRole('link', { name: String(id), exact: true }).waitFor()
  await page.getByRole('link', { name: 'Withdrawals' }).getByLabel('3 waiting').waitFor()
  await page.getByText('1 waits longer than 24 hours').waitFor()
  await list.getByText('Look-alike').first().waitFor()
  await wide.see('list')
  const saved = page.waitForEvent('download')
  await button(page, 'CSV of Withdrawals').click()
  assert.equal((await saved).suggestedFilename(), 'withdrawals-requested.csv')

  await list.getByRole('link', { name: String(odd), exact: true }).click()
  await page.getByText('It begins and ends like this earlier address of the customer.').waitFor()
  await button(page, 'Claim').click()
  await button(page, 'Approve').waitFor()
  await wide.see('flagged')
  await button(page, 'Reject').click()
  const reject = dialog(page, 'Reject 90 USDT?')
  await reject.getByLabel('Reason for the customer').click()
  await page.getByRole('option', { name: 'Unsafe address' }).click()
  await reject.getByText('The customer reads: “Coins can’t safely go to this address.”').waitFor()
  await reject.getByLabel('Note for the staff').fill('Look-alike of the address from March; the customer confirms by phone.')
  await wide.see('reject')
  await reject.getByRole('button', { name: 'Reject' }).click()
  await page.getByText('Rejected. The amount is available again.').waitFor()
  await state(odd, 'rejected')

  await clara.go(`/withdrawals/${middle}`)
  await button(page, 'Claim').click()
  await button(page, 'Approve').click()
  await dialog(page, 'Approve 750 USDT?').getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Approved. The payment begins.').waitFor()
  await state(middle, 'approved')
  assert.deepEqual([wide.wrong, clara.complaints], [[], []])
})

test('UI-CONSOLE-072: two members approve a large request, and the payment shows its transactions, and what to do when it does not move', async () => {
  const [{ id: large }] = await rows("select id from core_withdrawals where state = 'requested'")
  await clara.go(`/withdrawals/${large}`)
  await button(clara.page, 'Claim').click()
  await tom.go(`/withdrawals/${large}`)
  await tom.page.getByText('clara@staff.example looks at it.').waitFor()
  await button(clara.page, 'Approve').click()
  const ask = dialog(clara.page, 'Approve 4,200 USDT?')
  const wide = sights(clara.page, 'withdrawals', 'en')
  await wide.see('approve')
  await ask.getByRole('button', { name: 'Approve' }).click()
  await clara.page.getByText('You approved it. Somebody else must, too.').waitFor()
  await tom.page.getByText('clara@staff.example approves. A second member must, too.').waitFor()
  await button(tom.page, 'Claim').click()
  const narrow = sights(tom.page, 'withdrawals-narrow', 'en')
  await button(tom.page, 'Approve').waitFor()
  await narrow.see('second')
  await button(tom.page, 'Approve').click()
  await dialog(tom.page, 'Approve 4,200 USDT?').getByRole('button', { name: 'Approve' }).click()
  await tom.page.getByText('Approved. The payment begins.').waitFor()
  await state(large, 'approved')
  const [user] = await rows('select user_id from core_withdrawals where id = $1', large)
  await rows(
    `insert into payouts (withdrawal, network, chain_id, user_no, client_id, recipient, value, proofs, state, trouble, taken_at)
     values ($1, 'tron', 1, $2, 'a', 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 4199000000, '{}', 'signed', 'NODE_FAULT', $3)`,
    ...[large, user.user_id, Date.now()],
  )
  await rows(
    `insert into payout_attempts (withdrawal, n, slot, raw, txid, fate, planned_at, signed_at, sent_at)
     values ($1, 1, '{"kind":"tron","timestamp":1}', 'aa', repeat('5e', 32), 'open', $2, $2, $2)`,
    ...[large, Date.now()],
  )
  await tom.page.getByText('No node answers as it should.').waitFor()
  await tom.page.getByRole('table', { name: 'Transactions' }).getByRole('link', { name: '5e5e5e' }).waitFor()
  await narrow.see('payment')
  await tom.go('/withdrawals?view=approved')
  await tom.page.getByRole('table', { name: 'On their way' }).getByText('Does not move').waitFor()
  await narrow.see('on-their-way')
  await tom.go('/')
  await tom.page.getByRole('region', { name: 'Withdrawals' }).waitFor()
  await narrow.see('overview')
  assert.deepEqual([wide.wrong, narrow.wrong, clara.complaints, tom.complaints], [[], [], [], []])
})

test('UI-CONSOLE-073: held deposits, wrong tokens and dropped ones are listed with their reasons, and two members release a held one', async () => {
  const user = await exchange.user({ isCertified: true })
  const [{ id: account }] = await rows('select id from accounts where uid = $1', user.uid)
  await rows(
    `insert into deposit_addresses (network, address, account, user_no, place, signature, made_at)
     values ('tron', 'TSsAXZCmvNwmdGNeS1FyTspESnBUeAazMx', $1, $2, 999, decode(repeat('00', 64), 'hex'), 0)`,
    ...[account, user.id],
  )
  const make = (ordinal: number, state: string, why: string | null, asset: string | null) =>
    rows(
      `insert into deposits (network, txid, ordinal, asset, contract, sender, address, account, user_no, raw, block_number, block_hash, block_at, state, why, seen_at)
       values ('tron', repeat('a7', 32), $1, $2, $6, 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'TSsAXZCmvNwmdGNeS1FyTspESnBUeAazMx', $3, $4,
         120500000000, 70123456, 'h', 0, $5, $7, $8)`,
      ...[
        ordinal,
        asset,
        account,
        user.id,
        state,
        asset === null ? 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf' : 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
      ],
      ...[why, Date.now() - 3 * 3_600_000],
    )
  await make(0, 'held', 'one-node', 'USDT')
  await make(1, 'wrong-token', null, null)
  await make(2, 'orphaned', 'credited', 'USDT')
  const { page } = clara
  const wide = sights(page, 'deposits', 'en')
  await page.keyboard.press('g')
  await page.keyboard.press('u')
  await heading(page, 'Deposits').waitFor()
  await page.getByText('Its size needs a second node, and there is none.').waitFor()
  await page.getByRole('link', { name: 'Deposits' }).getByLabel('1 waiting').waitFor()
  await button(page, /^Release: /).click()
  const ask = dialog(page, 'Propose to release 120,500 USDT?')
  await ask.getByLabel('Reason').fill('Both explorers show it in block 70,123,456')
  await ask.getByRole('button', { name: 'Release' }).click()
  await page.getByText('Proposed. A second member must approve it.').waitFor()
  await wide.see('held')
  await page.getByRole('link', { name: 'Wrong token' }).click()
  await page.getByText('not listed').waitFor()
  await wide.see('wrong-token')
  await tom.go('/deposits')
  const narrow = sights(tom.page, 'deposits-narrow', 'en')
  await button(tom.page, /^Approve: /).waitFor()
  await narrow.see('held')
  await button(tom.page, /^Approve: /).click()
  await dialog(tom.page, 'Release 120,500 USDT?').getByRole('button', { name: 'Approve' }).click()
  await tom.page.getByText('Released. It is checked again now.').waitFor()
  await tom.page.getByText('Held: none').waitFor()
  await tom.page.getByRole('link', { name: 'Dropped' }).click()
  await tom.page.getByText('It was credited before.').waitFor()
  assert.deepEqual([wide.wrong, narrow.wrong, clara.complaints, tom.complaints], [[], [], [], []])
})

test('UI-CONSOLE-074: the treasury shows coins by role beside the books, differences by kind, sweeps, and what the signer was told', async () => {
  const at = Date.now()
  const usdt = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
  await rows(
    `insert into treasury_balances (network, role, contract, balance, block, at) values
       ('tron', 'deposits', $1, 41200000000, 70123456, $2), ('tron', 'hot', $1, 25000000000, 70123456, $2),
       ('tron', 'sink', $1, 1180400500000, 70123456, $2), ('tron', 'hot', '', 812500000, 70123456, $2), ('tron', 'gas', '', 4000000, 70123456, $2)
     on conflict (network, role, contract) do update set balance = excluded.balance, block = excluded.block, at = excluded.at`,
    ...[usdt, at],
  )
  await rows(
    `insert into treasury_findings (network, kind, holder, contract, txid, amount, stops, found_at, seen_at, closed_at) values
       ('tron', 'unexplained', 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', $1, repeat('c4', 32), -1250000000, true, $2, $2, null),
       ('tron', 'unknown-inflow', 'TSsAXZCmvNwmdGNeS1FyTspESnBUeAazMx', $1, repeat('b1', 32), 5000000, false, $2, $2, $2)`,
    ...[usdt, at],
  )
  await rows('delete from treasury_beats')
  await rows('insert into treasury_beats (at, is_match, refusal) values ($1, false, null)', at)
  await rows(
    `insert into treasury_jobs (network, kind, contract, places, value, state, made_at) values ('tron', 'sweep', $1, '{1,2,3}', 41200000000, 'signed', $2)`,
    ...[usdt, at],
  )
  for (const [member, name] of [
    [tom, 'treasury-narrow'],
    [ann, 'treasury'],
  ] as const) {
    await member.go('/treasury')
    await heading(member.page, 'Treasury').waitFor()
    await member.page.getByRole('table', { name: 'Differences' }).getByText('stops the signer').waitFor()
    await member.page.getByRole('table', { name: 'Coins by network' }).getByText('1,180,400.50').waitFor()
    await member.page.getByRole('table', { name: 'Sweeps and fuel' }).getByText('Sweep · TRC20 · 3 addresses').waitFor()
    const pictured = sights(member.page, name, 'en')
    await pictured.see('page')
    assert.deepEqual([pictured.wrong, member.complaints], [[], []])
  }
})

test('UI-CONSOLE-075: two operators sign a payment above the signer’s limit with their passkeys, and two members end one that the signer refuses, and one that never became a payment', async () => {
  const user = await exchange.user({ isCertified: true, funds: { USDT: '20000' } })
  const own = await address(user, 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 30)
  const approve = async (): Promise<number> => {
    const id = await request(user, own, 4_200)
    const decision = { type: 'withdraw.decide', withdrawal: id, isApproved: true, first: 901, second: 902, reason: 'approved' }
    assert.equal((await exchange.link.submit(decision as Command)).refusal, undefined)
    await state(id, 'approved')
    return id
  }
  const waiting = async (trouble: string): Promise<number> => {
    const id = await approve()
    await rows(
      `insert into payouts (withdrawal, network, chain_id, user_no, client_id, recipient, value, proofs, state, trouble, taken_at, retry_at)
       values ($1, 'tron', 1, $2, 'a', 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 4199000000, '{}', 'taken', $3, $4, $5)`,
      // No node answers here: it is not tried meanwhile.
      ...[id, user.id, trouble, Date.now(), Date.now() + day],
    )
    return id
  }
  const large = await waiting('APPROVALS_MISSING')
  await rows(
    `insert into payout_warrants (withdrawal, network, payment, engine, signed_at) values ($1::bigint, 'tron', jsonb_build_object(
       'withdrawal', $1::bigint, 'user', $2::bigint, 'clientId', 'a', 'network', 'tron', 'chainId', 1, 'contract', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'to', 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'value', '4199000000'
     ), 'aa', 0)`,
    ...[large, user.id],
  )
  await clara.go(`/withdrawals/${large}`)
  const wide = sights(clara.page, 'withdrawals', 'en')
  const card = (page: Page) => page.locator('section').filter({ has: page.getByRole('heading', { name: 'Signatures of operators' }) })
  await card(clara.page).getByText('None of your passkeys is in the signer’s policy').waitFor()
  await rows(
    `insert into payout_operators (key, operator) select k.credential, split_part(s.email, '@', 1) from staff_passkeys k join staff s on s.id = k.account`,
  )
  const sign = async ({ page }: Member): Promise<void> => {
    await button(page, 'Sign').click()
    await dialog(page, 'Sign the payment of 4,199 USDT?').getByRole('button', { name: 'Sign' }).click()
    await page.getByText('Signed.', { exact: true }).waitFor()
  }
  await button(clara.page, 'Sign').waitFor()
  await wide.see('sign')
  await sign(clara)
  await card(clara.page).getByText('You signed it. Somebody else must, too.').waitFor()
  await tom.go(`/withdrawals/${large}`)
  await sign(tom)
  for (const name of ['clara', 'tom']) await card(tom.page).getByText(`${name}@staff.example`).waitFor()
  const narrow = sights(tom.page, 'withdrawals-narrow', 'en')
  await narrow.see('signed')

  const denied = await waiting('DESTINATION_DENIED')
  await clara.go(`/withdrawals/${denied}`)
  await button(clara.page, `End the payment: ${denied}`).click()
  const ask = dialog(clara.page, 'Propose to end the payment of 4,200 USDT?')
  await ask.getByLabel('Reason').fill('The policy denies the address; the customer knows.')
  await ask.getByRole('button', { name: 'End the payment' }).click()
  await clara.page.getByText('Proposed. A second member must approve it.').waitFor()
  await wide.see('ending')
  await tom.go(`/withdrawals/${denied}`)
  await button(tom.page, `Approve the end: ${denied}`).click()
  await dialog(tom.page, 'End the payment of 4,200 USDT?').getByRole('button', { name: 'Approve the end' }).click()
  await tom.page.getByText('clara@staff.example and tom@staff.example ended it').waitFor()
  await narrow.see('ended')

  // Nobody wished for it, so the engine signs nothing.
  const left = await approve()
  await clara.go(`/withdrawals/${left}`)
  await heading(clara.page, `Withdrawal ${left}`).waitFor()
  assert.equal(await button(clara.page, `End the payment: ${left}`).count(), 0)
  await rows('update core_withdrawals set decided_at_ms = decided_at_ms - 600000 where id = $1', left)
  await clara.go(`/withdrawals/${left}`)
  await clara.page.getByText('is still no payment').waitFor()
  await button(clara.page, `End the payment: ${left}`).click()
  await ask.getByLabel('Reason').fill('The engine does not sign for it.')
  await ask.getByRole('button', { name: 'End the payment' }).click()
  await wide.see('left-behind')
  await tom.go(`/withdrawals/${left}`)
  await button(tom.page, `Approve the end: ${left}`).click()
  await dialog(tom.page, 'End the payment of 4,200 USDT?').getByRole('button', { name: 'Approve the end' }).click()
  await tom.page.getByText('clara@staff.example and tom@staff.example ended it').waitFor()
  assert.deepEqual([wide.wrong, narrow.wrong, clara.complaints, tom.complaints], [[], [], [], []])
})

test('UI-CONSOLE-076: two members name an unknown inflow as the operator’s on the treasury page', async () => {
  await rows(
    `insert into treasury_findings (network, kind, holder, contract, txid, amount, stops, found_at, seen_at)
     values ('tron', 'unknown-inflow', 'TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', repeat('d5', 32), 7000000, false, $1, $1)`,
    Date.now(),
  )
  await rows(
    `insert into treasury_flows (network, txid, ordinal, contract, sender, recipient, value, block, block_hash, block_at, what)
     values ('tron', repeat('d5', 32), 0, 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
       'TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy', 7000000, 70123456, 'h', 0, 'inflow')`,
  )
  await tom.go('/treasury')
  await button(tom.page, 'Explain: 7 USDT').click()
  const ask = dialog(tom.page, 'Propose that the operator sent 7 USDT?')
  await ask.getByLabel('Reason').fill('From the bank, transfer 12')
  await ask.getByRole('button', { name: 'Explain' }).click()
  await tom.page.getByText('Proposed. A second member must approve it.').waitFor()
  await ann.go('/treasury')
  await button(ann.page, 'Approve: 7 USDT').waitFor()
  const wide = sights(ann.page, 'treasury', 'en')
  await wide.see('naming')
  await button(ann.page, 'Approve: 7 USDT').click()
  await dialog(ann.page, 'The operator sent 7 USDT?').getByRole('button', { name: 'Approve' }).click()
  await ann.page.getByText('tom@staff.example and ann@staff.example: “From the bank, transfer 12”').waitFor()
  assert.equal((await rows(`select from treasury_movements where txid = repeat('d5', 32) and kind = 'operator'`)).length, 1)
  assert.deepEqual([wide.wrong, ann.complaints, tom.complaints], [[], [], []])
})
