/**
 * Deposits and withdrawals on the phone, with rows in the tables in place of chains. `CANDOR_LOCALES=en,de` chooses languages;
 * `CANDOR_PICTURES=folder` saves pictures.
 */
import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Units } from '@candor/core/money/brand.ts'
import type { NetworkNumber, WithdrawalNumber } from '@candor/core/protocol/ids.ts'
import { walletKeyChangeText } from '@candor/core/proof/deposit-address.ts'
import type { Browser } from 'playwright-core'
import { ChainsFolder } from '../../server/chains/test/chains-folder.ts'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { codeFor, langsOr, type Person, person, startBrowser } from './person.ts'
import { sights } from './sights.ts'

let browser: Browser
let exchange: TestExchange
let folder: ChainsFolder
let issuing: AsyncDisposable
before(async () => {
  browser = await startBrowser()
  folder = new ChainsFolder({ faucet: 'http://127.0.0.1:1' })
  exchange = await startExchange({ seed: 'chains', hasFeeds: false, settings: { chainsFolder: folder.path } })
  issuing = folder.issue(exchange.store.pool)
  const { assets } = await exchange.link.ask.listing()
  const asset = assets.find(({ symbol }) => symbol === 'USDT')!.id
  // Each waits for a person, so that none is approved meanwhile.
  const terms = { isOpen: true, min: usdt(10), fee: usdt(1), autoMax: usdt(0), singleMax: usdt(10_000) }
  for (const network of [1, 2] as NetworkNumber[]) await exchange.link.submit({ type: 'withdraw.setTerms', asset, network, terms })
})
after(async () => {
  await issuing[Symbol.asyncDispose]()
  await browser.close()
  await exchange[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const usdt = (whole: number): Units => (whole * 1_000_000) as Units
const day = 86_400_000
const pin = '248163'
const target = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'
const small = { width: 320, height: 640 }
const usual = { width: 390, height: 844 }
const sql = (text: string, values: readonly unknown[] = []) => exchange.store.pool.query(text, [...values])

/** No view is wider than the screen. */
async function fits({ page }: Person): Promise<void> {
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth))
}

let transfers = 0
async function arrived(user: TestUser, state: string, raw: string, block = 100): Promise<void> {
  await user.call('GET', '/deposits/address?network=ethereum')
  const isIn = state === 'credited' || state === 'final'
  const txid = `0x${String(++transfers).padStart(64, 'a')}`
  await sql(
    `insert into deposits (network, txid, ordinal, asset, contract, sender, address, account, user_no, raw, block_number, block_hash,
       block_at, state, seen_at, credit, amount, credited_at)
     select 'ethereum', $1, 0, 'USDT', 'c', 's', address, account, user_no, $2, $4, 'h', 7, $3, $5, $6, $7, $8
     from deposit_addresses where network = 'ethereum' and user_no = $9`,
    [txid, raw, state, block, Date.now(), isIn ? transfers : null, isIn ? raw : null, isIn ? Date.now() : null, user.id],
  )
}

const blocks = (block: number) =>
  sql(
    `insert into chain_cursors (network, block, final, audited) values ('ethereum', $1, 50, 50)
     on conflict (network) do update set block = excluded.block`,
    [block],
  )

for (const lang of langsOr('de'))
  test(`UI-DEPOSIT-001: in ${lang}, the page shows the checked address with its reminders, and a deposit that comes nearer`, {
    timeout: 300_000,
  }, async () => {
    const user = await exchange.user()
    const someone = await person(browser, exchange.url, { lang, user })
    const { page, context, t, go, complaints } = someone
    const { wrong, see } = sights(page, 'deposit', lang)
    const seeSmall = async (name: string): Promise<void> => {
      await page.setViewportSize(small)
      await fits(someone)
      await see(`${name}-small`)
      await page.setViewportSize(usual)
    }
    await go('/property')
    await page.getByRole('link', { name: t('assets.deposit'), exact: true }).click()
    await page.getByText(t('chains.checked')).waitFor()
    const { address } = (await user.call('GET', '/deposits/address?network=tron')).body
    const shown = page.locator('code').first()
    assert.equal((await shown.textContent())?.replace(/\s/g, ''), address)
    await page.getByRole('img', { name: t('chains.qr') }).waitFor()
    await page.getByText(t('chains.noDeposits')).waitFor()
    await see('tron')
    await page.getByRole('radio', { name: 'ERC20' }).click()
    await page.getByText(t('chains.only', { asset: 'USDT', network: 'ERC20' })).waitFor()
    await blocks(102)
    await arrived(user, 'final', '250000000')
    await arrived(user, 'small', '400000')
    await arrived(user, 'confirming', '100000000')
    const row = page.getByRole('button', { name: new RegExp(RegExp.escape(t('chains.state.confirming', { done: 3, needed: 12 }))) })
    await row.waitFor()
    await see('ethereum')
    await seeSmall('ethereum')
    await blocks(106)
    await page.getByText(t('chains.state.confirming', { done: 7, needed: 12 })).waitFor()
    await page.getByText(t('chains.state.small')).click()
    await page
      .getByRole('dialog')
      .getByText(t('chains.about.small', { sum: '0.4', min: '1', asset: 'USDT' }))
      .or(page.getByRole('dialog').getByText('0,4'))
      .first()
      .waitFor()
    await see('small-sheet')
    await seeSmall('small-sheet')
    assert.deepEqual([...wrong, ...complaints], [])
    await context.close()
  })

test('UI-DEPOSIT-002: an address that the wallet service has not signed for this customer is never shown', {
  timeout: 120_000,
}, async () => {
  const user = await exchange.user()
  const someone = await person(browser, exchange.url, { lang: 'en', user })
  const { page, context, t, go } = someone
  const { see } = sights(page, 'deposit', 'en')
  await page.route('**/app/v1/deposits/address?*', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), address: 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE' } })
  })
  await go('/recharge')
  await page.getByText(t('chains.wrong')).waitFor()
  assert.equal(await page.locator('code').count(), 0)
  await see('wrong')
  await context.close()
})

test('UI-DEPOSIT-006: where the key of the wallet service is another one than the phone knows, no address is shown until the known one vouches for it', {
  timeout: 120_000,
}, async () => {
  const user = await exchange.user()
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const from = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('hex')
  const to = folder.config.walletKey
  for (const lang of langsOr('hk')) {
    const someone = await person(browser, exchange.url, { lang, user })
    const { page, context, t, go } = someone
    const { wrong, see } = sights(page, 'deposit', lang)
    await go('/recharge')
    await page.getByText(t('chains.checked')).waitFor()
    assert.equal(await page.evaluate(() => localStorage.getItem('wallet-key')), to)
    await page.evaluate((key) => localStorage.setItem('wallet-key', key), from)
    await page.reload()
    await page.getByText(t('chains.keyChanged')).waitFor()
    assert.equal(await page.locator('code').count(), 0)
    assert.equal(await page.getByRole('img', { name: t('chains.qr') }).count(), 0)
    await see('key-changed')
    await page.setViewportSize(small)
    await fits(someone)
    await page.setViewportSize(usual)
    await page.route('**/app/v1/chains', async (route) => {
      const answer = await route.fetch()
      const signature = sign(null, Buffer.from(walletKeyChangeText({ from, to })), privateKey).toString('hex')
      await route.fulfill({ response: answer, json: { ...(await answer.json()), walletKeyChanges: [{ from, to, signature }] } })
    })
    await page.reload()
    await page.getByText(t('chains.checked')).waitFor()
    assert.equal(await page.evaluate(() => localStorage.getItem('wallet-key')), to)
    assert.deepEqual(wrong, [])
    await context.close()
  }
})

const ofAccount = '(select id from accounts where uid = $1)'
const prove = ({ uid }: TestUser, at: number | null) => sql(`update sessions set proven_at = $2 where account = ${ofAccount}`, [uid, at])

/** A certified user with coins, a payment password and addresses, the first of which has waited. */
async function withdrawer(): Promise<TestUser> {
  const user = await exchange.user({ isCertified: true, funds: { USDT: '2000' } })
  await prove(user, Date.now())
  await user.call('PUT', '/auth/payment-password', { digits: pin })
  await user.call('POST', '/withdrawal-addresses', { network: 'tron', address: target, label: 'Konto 陳', owner: 'own' })
  await sql(`update withdrawal_addresses set added_at = added_at - ${day}, usable_at = usable_at - ${day} where account = ${ofAccount}`, [
    user.uid,
  ])
  const other = 'TR7NHqjeKQxGTCi8f6HwQQEworttSnLj6t'
  await user.call('POST', '/withdrawal-addresses', { network: 'tron', address: other, label: 'Second', owner: 'own' })
  await prove(user, null)
  return user
}

async function confirmProof({ page, t }: Person, { password, email }: TestUser): Promise<void> {
  const proof = page.getByRole('dialog', { name: t('proof.title') })
  await proof.getByLabel(t('auth.password'), { exact: true }).fill(password)
  await proof.getByRole('button', { name: t('auth.sendCode') }).click()
  await proof.getByLabel(t('fields.code')).fill(await codeFor(exchange.url, email))
  await proof.waitFor({ state: 'detached' })
}

for (const lang of langsOr('en'))
  test(`UI-WITHDRAW-002: in ${lang}, a person withdraws to an address of the list with payment password and proof, follows it and takes it back`, {
    timeout: 300_000,
  }, async () => {
    const user = await withdrawer()
    const someone = await person(browser, exchange.url, { lang, user })
    const { page, context, t, go, complaints } = someone
    const { wrong, see } = sights(page, 'withdraw', lang)
    const seeSmall = async (name: string): Promise<void> => {
      await page.setViewportSize(small)
      await fits(someone)
      await see(`${name}-small`)
      await page.setViewportSize(usual)
    }
    await go('/property')
    await page.getByRole('link', { name: t('assets.withdraw'), exact: true }).click()
    const next = page.getByRole('button', { name: t('chains.next') })
    const amount = page.getByRole('textbox', { name: `${t('chains.amount')} (USDT)` })
    await amount.fill('5')
    await page.getByText(t('refusals.AMOUNT_TOO_SMALL')).waitFor()
    assert.ok(await next.isDisabled())
    await amount.fill('5000')
    await page.getByText(t('refusals.INSUFFICIENT_BALANCE')).waitFor()
    await see('too-much')
    await page.getByRole('button', { name: /Konto 陳/ }).click()
    const picker = page.getByRole('dialog', { name: `${t('chains.choose')} · TRC20` })
    assert.ok(await picker.getByRole('button', { name: /Second/ }).isDisabled())
    await see('picker')
    await seeSmall('picker')
    await picker.getByRole('button', { name: /Konto 陳/ }).click()
    await page.getByRole('button', { name: t('chains.all'), exact: true }).click()
    assert.equal((await amount.inputValue()).replace(/[^0-9]/g, ''), '2000')
    await amount.fill('100')
    await see('form')
    await seeSmall('form')
    await next.click()
    const review = page.getByRole('dialog', { name: t('chains.check') })
    assert.equal((await review.locator('code').textContent())?.replace(/\s/g, ''), target)
    const send = review.getByRole('button', { name: t('chains.confirm', { amount: '100', asset: 'USDT' }) })
    await send.click()
    await review.getByText(t('chains.paymentMissing')).waitFor()
    await see('review')
    await seeSmall('review')
    await review.getByLabel(t('chains.payment')).fill(pin)
    await send.click()
    await confirmProof(someone, user)
    await page.getByText(t('chains.asked')).waitFor()
    await page.getByText(t('chains.step.requested'), { exact: true }).waitFor()
    await see('asked')
    await seeSmall('asked')
    await page.getByRole('button', { name: t('chains.cancel') }).click()
    const question = page.getByRole('dialog', { name: t('chains.cancelAsk') })
    await question.getByRole('button', { name: t('chains.cancel') }).click()
    await page.getByText(t('chains.step.cancelled'), { exact: true }).waitFor()
    assert.deepEqual([...wrong, ...complaints], [])
    await context.close()
  })

test('UI-WITHDRAW-004: after a lost answer, a withdrawal that is confirmed again after its sheet was closed is the same one', {
  timeout: 120_000,
}, async () => {
  const user = await withdrawer()
  await prove(user, Date.now())
  const someone = await person(browser, exchange.url, { lang: 'en', user })
  const { page, context, t, go } = someone
  await go('/withdrawel')
  let requests = 0
  await page.route('**/app/v1/withdrawals', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    requests += 1
    if (requests > 1) return route.continue()
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('textbox', { name: `${t('chains.amount')} (USDT)` }).fill('100')
  const review = page.getByRole('dialog', { name: t('chains.check') })
  const confirm = async (): Promise<void> => {
    await page.getByRole('button', { name: t('chains.next') }).click()
    await review.getByLabel(t('chains.payment')).fill(pin)
    // An impatient person taps twice.
    await review.getByRole('button', { name: t('chains.confirm', { amount: '100', asset: 'USDT' }) }).dblclick()
  }
  await confirm()
  await review.getByRole('alert').waitFor()
  await page.keyboard.press('Escape')
  await review.waitFor({ state: 'detached' })
  await confirm()
  await page.getByText(t('chains.asked')).waitFor()
  assert.equal(requests, 2)
  assert.equal((await user.call('GET', '/withdrawals')).body.items.length, 1)
  await context.close()
})

test('UI-WITHDRAW-003: what stands against a withdrawal is told before anything is typed', { timeout: 120_000 }, async () => {
  const user = await exchange.user({ isCertified: true, funds: { USDT: '2000' } })
  await sql('update accounts set withdrawals_closed_until = $2 where uid = $1', [user.uid, Date.now() + 3_600_000])
  const someone = await person(browser, exchange.url, { lang: 'en', user })
  const { page, context, t, go, complaints } = someone
  const { wrong, see } = sights(page, 'withdraw', 'en')
  await go('/withdrawel')
  await page.getByText(t('chains.noAddress', { network: 'TRC20' })).waitFor()
  await page.getByText(/Withdrawals are closed until/).waitFor()
  await page.getByRole('link', { name: t('chains.setPayment') }).waitFor()
  await see('hindered')
  assert.deepEqual([...wrong, ...complaints], [])
  await context.close()
})

for (const lang of langsOr('de'))
  test(`UI-RECORDS-001: in ${lang}, the records list deposits and withdrawals by status, with both times, the reason of a rejection and the transaction`, {
    timeout: 300_000,
  }, async () => {
    const user = await withdrawer()
    await prove(user, Date.now())
    const { addresses } = (await user.call('GET', '/withdrawal-addresses')).body
    const { id: address } = addresses.find(({ label }: { label: string }) => label === 'Konto 陳')
    const asked: string[] = []
    for (const sum of ['20', '30', '40']) {
      const wish = { clientId: `records-${sum}`, asset: 'USDT', network: 'tron', address, amount: sum, fee: '1', paymentPassword: pin }
      asked.push((await user.call('POST', '/withdrawals', wish)).body.id)
    }
    const decide = { type: 'withdraw.decide', first: 1, second: 0 } as const
    const [rejected, paid] = asked.map((id) => Number(id) as WithdrawalNumber)
    await exchange.link.submit({ ...decide, withdrawal: rejected!, isApproved: false, reason: 'address' })
    await exchange.link.submit({ ...decide, withdrawal: paid!, isApproved: true, reason: '' })
    await sql(
      `insert into payouts (withdrawal, network, chain_id, user_no, client_id, contract, recipient, value, proofs, state, taken_at, fate, txid, block)
       values ($1, 'tron', 1, $2, 'paid', 'c', $3, 29000000, '{}', 'settled', 1, 'paid', $4, 9)`,
      [paid, user.id, target, `${paid}`.padStart(64, 'b')],
    )
    await exchange.link.submit({ type: 'withdraw.finish', withdrawal: paid!, isPaid: true })
    await blocks(106)
    for (const [state, raw] of [
      ['final', '250000000'],
      ['held', '90000000'],
      ['orphaned', '70000000'],
      ['confirming', '50000000'],
    ] as const)
      await arrived(user, state, raw)
    const someone = await person(browser, exchange.url, { lang, user })
    const { page, context, t, go, complaints } = someone
    const { wrong, see } = sights(page, 'records', lang)
    await go('/propertyRecord?type=withdrawal')
    const rowOf = (word: string) => page.getByRole('button', { name: new RegExp(RegExp.escape(word)) })
    await rowOf(t('chains.statuses.completed')).waitFor()
    await see('withdrawals')
    await page.setViewportSize(small)
    await fits(someone)
    await see('withdrawals-small')
    await page.setViewportSize(usual)
    const status = page.getByLabel(t('chains.status'))
    await status.selectOption({ label: t('chains.statuses.rejected') })
    await rowOf(t('chains.statuses.completed')).waitFor({ state: 'detached' })
    await rowOf(t('chains.statuses.rejected')).click()
    await page
      .getByRole('dialog')
      .getByText(new RegExp(RegExp.escape(t('chains.reasons.address'))))
      .waitFor()
    await see('rejected')
    await page.keyboard.press('Escape')
    await status.selectOption({ label: t('chains.statuses.completed') })
    await rowOf(t('chains.statuses.completed')).click()
    await page.getByRole('dialog').getByText(`${paid}`.padStart(64, 'b')).waitFor()
    await see('completed')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: t('records.type.deposit'), exact: true }).click()
    await rowOf(t('chains.state.orphaned')).waitFor()
    await see('deposits')
    assert.deepEqual([...wrong, ...complaints], [])
    await context.close()
  })
