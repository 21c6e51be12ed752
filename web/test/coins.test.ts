/**
 * Coins in and out on test chains, with a signer and everything between: the journey of a customer on the phone. `CANDOR_LOCALES=en,de`
 * chooses languages; `CANDOR_PICTURES=folder` saves pictures.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { WithdrawalNumber } from '@candor/core/protocol/ids.ts'
import type { Browser } from 'playwright-core'
import { readChains } from '../../server/chains/config.ts'
import { digestSigner } from '../../server/chains/keys.ts'
import { SignerLink } from '../../server/chains/signer/connect.ts'
import { heartbeatDigest } from '../../server/chains/signer/statement.ts'
import { startExchange, type TestExchange } from '../../server/main/test/exchange.ts'
import { langsOr, type Person, person, startBrowser } from './person.ts'
import { sights } from './sights.ts'

let browser: Browser
let exchange: TestExchange
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'coins', hasFeeds: false, hasChains: true })
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

const day = 86_400_000
const pin = '248163'
const target = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const sql = (text: string, values: readonly unknown[] = []) => exchange.store.pool.query(text, [...values])
const ofAccount = '(select id from accounts where uid = $1)'

/** Tells the signer that the books match, as the reconciliation does. */
async function beat(): Promise<void> {
  const { folder } = exchange.chains!
  using link = await SignerLink.open(readChains(`${folder}/chains.json`).signer)
  const { seq, head } = await link.status()
  const heartbeat = { at: Date.now(), isMatch: true, seq, head }
  await link.beat({ heartbeat, signature: digestSigner(folder, 'reconciliation')(heartbeatDigest(heartbeat)) })
}

/** Makes blocks until the page shows the newest deposit on the network in this state. */
async function minedUntil({ page }: Person, network: string, label: string, state: string): Promise<void> {
  const newest = page.locator('li', { hasText: label }).filter({ hasText: state }).first()
  while (!(await newest.isVisible())) {
    await exchange.chains!.mine(network, 2)
    await page.waitForTimeout(200)
  }
}

for (const lang of langsOr('en'))
  test(`UI-DEPOSIT-004: in ${lang}, test deposits on both networks are credited, and a withdrawal of them is followed to its transaction`, {
    timeout: 400_000,
  }, async () => {
    const user = await exchange.user({ isCertified: true })
    const someone = await person(browser, exchange.url, { lang, user })
    const { page, context, t, go, complaints } = someone
    const { wrong, see } = sights(page, 'coins', lang)
    await go('/recharge')
    for (const [network, label] of [
      ['tron', 'TRC20'],
      ['ethereum', 'ERC20'],
    ] as const) {
      await page.getByRole('radio', { name: label }).click()
      await page.getByText(t('chains.only', { asset: 'USDT', network: label })).waitFor()
      await page.getByRole('button', { name: t('chains.test') }).click()
      await minedUntil(someone, network, label, t('chains.state.final'))
      await page.getByText(t('chains.recentDeposits')).scrollIntoViewIfNeeded()
      await see(network)
    }
    assert.equal((await user.call('GET', '/deposits')).body.items.length, 2)

    await sql(`update sessions set proven_at = $2 where account = ${ofAccount}`, [user.uid, Date.now()])
    await user.call('PUT', '/auth/payment-password', { digits: pin })
    await user.call('POST', '/withdrawal-addresses', { network: 'tron', address: target, label: 'Wallet', owner: 'own' })
    await sql(`update withdrawal_addresses set added_at = added_at - ${day}, usable_at = usable_at - ${day} where account = ${ofAccount}`, [
      user.uid,
    ])
    await beat()
    await go('/withdrawel?network=tron')
    await page.getByRole('textbox', { name: `${t('chains.amount')} (USDT)` }).fill('150')
    await page.getByRole('button', { name: t('chains.next') }).click()
    const review = page.getByRole('dialog', { name: t('chains.check') })
    await review.getByLabel(t('chains.payment')).fill(pin)
    await review.getByRole('button', { name: t('chains.confirm', { amount: '150', asset: 'USDT' }) }).click()
    await page.getByText(t('chains.asked')).waitFor()
    const { items } = (await user.call('GET', '/withdrawals')).body
    await exchange.link.submit({
      ...{
        type: 'withdraw.decide',
        withdrawal: Number(items[0].id) as WithdrawalNumber,
        isApproved: true,
        first: 1,
        second: 0,
        reason: '',
      },
    })
    await page
      .locator('[aria-current=step]', { hasText: t('chains.step.approved') })
      .or(page.getByText(t('chains.transaction')))
      .first()
      .waitFor()
    const done = page.locator('[aria-current=step]', { hasText: t('chains.step.completed') })
    while (!(await done.isVisible())) {
      await exchange.chains!.mine('tron', 2)
      await page.waitForTimeout(200)
    }
    await page.getByText(t('chains.transaction')).waitFor()
    await see('completed')
    assert.deepEqual([...wrong, ...complaints], [])
    await context.close()
  })
