/**
 * Deposits and withdrawals on the phone, with rows in the tables in place of chains. `CANDOR_LOCALES=en,de` chooses languages;
 * `CANDOR_PICTURES=folder` saves pictures.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { ChainsFolder } from '../../server/chains/test/chains-folder.ts'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { langsOr, type Person, person, startBrowser } from './person.ts'
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
})
after(async () => {
  await issuing[Symbol.asyncDispose]()
  await browser.close()
  await exchange[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

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

for (const lang of langsOr('en', 'hk', 'de'))
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
