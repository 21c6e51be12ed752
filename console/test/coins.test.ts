/**
 * Coins in and out in browsers, with real nodes: a person on the phone, a member of the staff in the console. `CANDOR_LOCALES=en,de`
 * chooses languages; the languages take turns on the two networks.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Units } from '@candor/core/money/brand.ts'
import type { NetworkNumber } from '@candor/core/protocol/ids.ts'
import type { Browser } from 'playwright-core'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { codeFor, langsOr, type Person, person } from '../../web/test/person.ts'
import { sights } from '../../web/test/sights.ts'
import { type Member, startBrowser, team } from './member.ts'

let browser: Browser
let exchange: TestExchange
let clara: Member
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'coins', hasFeeds: false, hasChains: true })
  ;[, , clara] = await team(browser, exchange, ['clara@staff.example', 'Clara Cole', 'compliance'])
  const { assets } = await exchange.link.ask.listing()
  const asset = assets.find(({ symbol }) => symbol === 'USDT')!.id
  const terms = { isOpen: true, min: usdt(10), fee: usdt(1), autoMax: usdt(0), singleMax: usdt(10_000) }
  for (const network of [1, 2] as NetworkNumber[]) await exchange.link.submit({ type: 'withdraw.setTerms', asset, network, terms })
  // The tokens are known once their contracts are in final blocks.
  for (const { name } of networks) await exchange.chains!.mine(name, 40)
})
after(async () => {
  await browser?.close()
  await exchange?.[Symbol.asyncDispose]()
})

const usdt = (whole: number): Units => (whole * 1_000_000) as Units
const networks = [
  { name: 'tron', label: 'TRC20', recipient: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8' },
  { name: 'ethereum', label: 'ERC20', recipient: '0x1111111111111111111111111111111111111111' },
] as const
const pin = '248163'
const sql = (text: string, values: readonly unknown[] = []) => exchange.store.pool.query(text, [...values])

/** A certified person with a payment password, and an address of the network that has waited. */
async function prepared({ name, recipient }: (typeof networks)[number]): Promise<TestUser> {
  const user = await exchange.user({ isCertified: true })
  const account = '(select id from accounts where uid = $1)'
  await sql(`update sessions set proven_at = $2 where account = ${account}`, [user.uid, Date.now()])
  await user.call('PUT', '/auth/payment-password', { digits: pin })
  await user.call('POST', '/withdrawal-addresses', { network: name, address: recipient, label: 'Wallet', owner: 'own' })
  await sql(`update withdrawal_addresses set added_at = added_at - 86400000, usable_at = usable_at - 86400000 where account = ${account}`, [
    user.uid,
  ])
  await sql(`update sessions set proven_at = null where account = ${account}`, [user.uid])
  return user
}

/** Makes blocks until something is so, as many as a network makes in minutes. */
async function mineUntil(network: string, isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) {
    await exchange.chains!.mine(network, 2)
    await sleep(200)
  }
}

async function prove({ page, t }: Person, { password, email }: TestUser): Promise<void> {
  const proof = page.getByRole('dialog', { name: t('proof.title') })
  await proof.getByLabel(t('auth.password'), { exact: true }).fill(password)
  await proof.getByRole('button', { name: t('auth.sendCode') }).click()
  await proof.getByLabel(t('fields.code')).fill(await codeFor(exchange.url, email))
  await proof.waitFor({ state: 'detached' })
}

/** Asks for a withdrawal on the form that is open. Returns its number. */
async function ask(someone: Person, user: TestUser, amount: string, isProven: boolean): Promise<number> {
  const { page, t } = someone
  await page.getByRole('textbox', { name: `${t('chains.amount')} (USDT)` }).fill(amount)
  await page.getByRole('button', { name: t('chains.next') }).click()
  const review = page.getByRole('dialog', { name: t('chains.check') })
  await review.getByLabel(t('chains.payment')).fill(pin)
  await review.getByRole('button', { name: t('chains.confirm', { amount, asset: 'USDT' }) }).click()
  if (!isProven) await prove(someone, user)
  await page.getByText(t('chains.asked')).waitFor()
  for (;;) {
    const { rows } = await sql("select id from core_withdrawals where user_id = $1 and state = 'requested'", [user.id])
    if (rows.length === 1) return rows[0].id
    await sleep(50)
  }
}

/** The member claims a request and opens the question of a button. */
async function decide(number: number, action: 'Approve' | 'Reject'): Promise<void> {
  const { page, go } = clara
  await go(`/withdrawals/${number}`)
  await page.getByRole('button', { name: 'Claim', exact: true }).click()
  await page.getByRole('button', { name: action, exact: true }).click()
  const dialog = page.getByRole('dialog', { name: new RegExp(`^${action} `) })
  if (action === 'Reject') {
    await dialog.getByLabel('Reason for the customer').click()
    await page.getByRole('option', { name: 'Unsafe address' }).click()
    await dialog.getByLabel('Note for the staff').fill('The owner of the address is asked for.')
  }
  await dialog.getByRole('button', { name: action }).click()
  await page.getByText(action === 'Approve' ? 'Approved. The payment begins.' : 'Rejected. The amount is available again.').waitFor()
}

for (const [place, lang] of langsOr('hk').entries()) {
  const network = networks[place % networks.length]!
  test(`UI-COINS-001: in ${lang} on ${network.label}, a test deposit arrives, one withdrawal is approved in the console and paid on the chain, and one is rejected with a reason`, {
    timeout: 300_000,
  }, async () => {
    const user = await prepared(network)
    const someone = await person(browser, exchange.url, { lang, user })
    const { page, context, t, go, complaints } = someone
    const { wrong, see } = sights(page, 'coins', lang)
    await go('/recharge')
    await page.getByRole('radio', { name: network.label }).click()
    await page.getByText(t('chains.checked')).waitFor()
    await page.getByRole('button', { name: t('chains.test') }).click()
    const row = page.getByRole('button', { name: /USDT/ }).filter({ hasText: /100/ })
    await mineUntil(network.name, () => row.isVisible())
    await see('confirming')
    const isFinal = page.getByText(t('chains.state.final'), { exact: true })
    await mineUntil(network.name, () => isFinal.isVisible())
    await see('final')
    // The signer pays nothing before it was told that books and chains match.
    while ((await sql('select from treasury_beats where is_match')).rowCount !== 1) await sleep(200)

    await go('/withdrawel')
    await page.getByRole('radio', { name: network.label }).click()
    const paid = await ask(someone, user, '60', false)
    await decide(paid, 'Approve')
    const isPaid = page.locator('[aria-current=step]').getByText(t('chains.step.completed'), { exact: true })
    await mineUntil(network.name, () => isPaid.isVisible())
    const { rows } = await sql('select txid from payouts where withdrawal = $1', [paid])
    await page.getByText(rows[0].txid, { exact: true }).waitFor()
    await see('paid')
    await clara.page.reload()
    await clara.page.getByRole('table', { name: 'Transactions' }).getByText(rows[0].txid, { exact: true }).waitFor()

    await page.getByRole('button', { name: t('chains.another') }).click()
    await page.getByRole('radio', { name: network.label }).click()
    const rejected = await ask(someone, user, '20', true)
    await decide(rejected, 'Reject')
    await page.getByText(new RegExp(RegExp.escape(t('chains.reasons.address')))).waitFor()
    await page.getByText(t('chains.back')).waitFor()
    await see('rejected')
    const { accounts } = (await user.call('GET', '/balances')).body
    const { balances } = accounts.find(({ kind }: { kind: string }) => kind === 'spot')
    assert.equal(balances.find(({ asset }: { asset: string }) => asset === 'USDT').available, '40')
    assert.deepEqual([...wrong, ...complaints, ...clara.complaints], [])
    await context.close()
  })
}
