/**
 * Withdrawal addresses: added after a proof, look-alikes, renamed, removed, locked. `CANDOR_LOCALES=en,de` chooses languages;
 * `CANDOR_PICTURES=folder` saves pictures.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { codeFor, langsOr, type Person, person, startBrowser } from './person.ts'
import { sights } from './sights.ts'

let browser: Browser
let exchange: TestExchange
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'addresses', hasFeeds: false })
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

const tron = 'TR7NHqjeKQxGTCi8f6HwQQEworttSnLj6t'
const evm = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const like = `0x5aae${'3'.repeat(16)}${'7'.repeat(16)}eaed`
const named = (text: string): RegExp => new RegExp(RegExp.escape(text))
const small = { width: 320, height: 640 }
const usual = { width: 390, height: 844 }
const sql = (text: string, values: readonly unknown[] = []) => exchange.store.pool.query(text, [...values])
const proved = ({ uid }: TestUser) =>
  sql('update sessions set proven_at = $2 where account = (select id from accounts where uid = $1)', [uid, Date.now()])

/** No view is wider than the screen. */
async function fits({ page }: Person): Promise<void> {
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth))
}

async function prove({ page, t }: Person, { password, email }: TestUser): Promise<void> {
  const proof = page.getByRole('dialog', { name: t('proof.title') })
  await proof.getByLabel(t('auth.password'), { exact: true }).fill(password)
  await proof.getByRole('button', { name: t('auth.sendCode') }).click()
  await proof.getByLabel(t('fields.code')).fill(await codeFor(exchange.url, email))
  await proof.waitFor({ state: 'detached' })
}

for (const lang of langsOr('hk'))
  test(`UI-ADDRESS-002: in ${lang}, an address is added after a proof, waits, is renamed and removed, without accessibility faults`, {
    timeout: 300_000,
  }, async () => {
    const user = await exchange.user()
    const someone = await person(browser, exchange.url, { lang, user })
    const { page, context, t, go, complaints } = someone
    const { wrong, see } = sights(page, 'addresses', lang)
    const seeSmall = async (name: string): Promise<void> => {
      await page.setViewportSize(small)
      await fits(someone)
      await see(`${name}-small`)
      await page.setViewportSize(usual)
    }
    await go('/me')
    // Content that loads later moves these rows, so an early tap could hit another one.
    await page.waitForFunction(() => document.querySelector('main .skeleton') === null)
    await page.getByRole('link', { name: named(t('me.withdrawalAddressesHint')) }).click()
    await page.getByText(t('addresses.empty')).waitFor()
    await see('empty')
    await page.getByRole('link', { name: t('addresses.add') }).click()
    const send = page.getByRole('button', { name: t('addresses.send') })
    await send.click()
    await page.getByText(t('addresses.missing')).waitFor()
    await page.getByText(t('addresses.nameMissing')).waitFor()
    await see('missing')
    await seeSmall('missing')
    const address = page.getByLabel(t('addresses.address'), { exact: true })
    await address.fill(evm.replace('aA', 'Aa'))
    await page.getByText(t('refusals.ADDRESS_CHECKSUM')).waitFor()
    await see('checksum')
    await address.fill(` ${tron}\n`)
    assert.equal(await page.getByRole('radio', { name: 'TRC20' }).getAttribute('aria-checked'), 'true')
    await page.getByRole('radio', { name: 'ERC20' }).click()
    await page.getByText(t('refusals.ADDRESS_OTHER_NETWORK')).waitFor()
    await address.fill(evm.toLowerCase())
    assert.equal(await page.getByRole('radio', { name: 'ERC20' }).getAttribute('aria-checked'), 'true')
    await page.getByRole('radio', { name: named(t('addresses.other')) }).click()
    await send.click()
    await page.getByText(t('addresses.beneficiaryMissing')).waitFor()
    await page.getByLabel(t('addresses.exchange')).fill('Example Exchange')
    await page.getByLabel(t('addresses.beneficiary')).fill('Chan Tai Man')
    await page.getByLabel(t('addresses.name'), { exact: true }).fill('Konto 陳')
    await see('exchange')
    await seeSmall('exchange')
    await send.click()
    await prove(someone, user)
    await page.waitForFunction(() => location.hash === '#/addresslist')
    const card = page.getByRole('button', { name: /Konto 陳/ })
    await card.waitFor()
    assert.equal((await card.locator('code').textContent())?.replace(/\s/g, ''), evm)

    await page.getByRole('link', { name: t('addresses.add') }).click()
    await address.fill(`tron:${tron}`)
    await page.getByLabel(t('addresses.name'), { exact: true }).fill(t('addresses.namePlaceholder'))
    await see('own')
    await seeSmall('own')
    await send.click()
    const other = page.getByRole('button', { name: named(t('addresses.namePlaceholder')) })
    await other.waitFor()
    await sql("update withdrawal_addresses set added_at = added_at - 86400000, usable_at = usable_at - 86400000 where network = 'tron'")
    await page.reload()
    await other.getByText(t('addresses.ready')).waitFor()
    await see('list')
    await seeSmall('list')

    await card.click()
    const sheet = page.getByRole('dialog', { name: 'Konto 陳' })
    await sheet.getByText('Chan Tai Man').waitFor()
    await see('sheet')
    await seeSmall('sheet')
    await sheet.getByLabel(t('addresses.name'), { exact: true }).fill('Konto 2')
    await sheet.getByRole('button', { name: t('addresses.save') }).click()
    const renamed = page.getByRole('dialog', { name: 'Konto 2' })
    await renamed.getByRole('button', { name: t('addresses.remove') }).click()
    const question = page.getByRole('dialog', { name: t('addresses.removeAsk') })
    await see('remove')
    await seeSmall('remove')
    await question.getByRole('button', { name: t('addresses.remove') }).click()
    await question.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /Konto 2/ }).waitFor({ state: 'detached' })
    assert.deepEqual([...wrong, ...complaints], [])
    await context.close()
  })

for (const lang of langsOr('de'))
  test(`UI-ADDRESS-003: in ${lang}, a look-alike is shown beside the address that it resembles, and is added only after its middle was typed`, {
    timeout: 300_000,
  }, async () => {
    const user = await exchange.user()
    await proved(user)
    await user.call('POST', '/withdrawal-addresses', { network: 'ethereum', address: evm, label: 'Cold wallet', owner: 'own' })
    const someone = await person(browser, exchange.url, { lang, user })
    const { page, context, t, go, complaints } = someone
    const { wrong, see } = sights(page, 'addresses', lang)
    await go('/addaddress')
    await page.getByLabel(t('addresses.address'), { exact: true }).fill(like)
    await page.getByLabel(t('addresses.name'), { exact: true }).fill('New')
    const send = page.getByRole('button', { name: t('addresses.send') })
    await send.click()
    const sheet = page.getByRole('dialog', { name: t('addresses.alike') })
    await sheet.getByText(t('addresses.alikeKnown', { label: 'Cold wallet' })).waitFor()
    await see('alike')
    await sheet.getByRole('button', { name: t('addresses.alikeSend') }).click()
    await sheet.getByText(t('addresses.alikeWrong')).waitFor()
    await page.setViewportSize(small)
    await fits(someone)
    await see('alike-small')
    await page.setViewportSize(usual)
    await sheet.getByRole('button', { name: t('addresses.alikeStop') }).click()
    await sheet.waitFor({ state: 'detached' })
    await send.click()
    await sheet.getByLabel(t('addresses.alikeMiddle')).fill('3333 7777')
    await sheet.getByRole('button', { name: t('addresses.alikeSend') }).click()
    await page.waitForFunction(() => location.hash === '#/addresslist')
    await page.getByRole('button', { name: /New/ }).waitFor()
    assert.equal((await user.call('GET', '/withdrawal-addresses')).body.addresses.length, 2)
    assert.deepEqual([...wrong, ...complaints], [])
    await context.close()
  })

for (const lang of langsOr('en'))
  test(`UI-ADDRESS-004: in ${lang}, the lock closes list and form, which lead to it`, { timeout: 300_000 }, async () => {
    const user = await exchange.user()
    await proved(user)
    await user.call('POST', '/withdrawal-addresses', { network: 'tron', address: tron, label: 'Cold wallet', owner: 'own' })
    await user.call('PUT', '/auth/allow-list', { isOn: true })
    const { page, context, t, go, complaints } = await person(browser, exchange.url, { lang, user })
    const { wrong, see } = sights(page, 'addresses', lang)
    await go('/addaddress')
    await page.getByText(t('addresses.locked')).waitFor()
    assert.equal(await page.getByRole('button', { name: t('addresses.send') }).count(), 0)
    await see('locked-form')
    await go('/addresslist')
    await page.getByText(t('addresses.locked')).waitFor()
    assert.equal(await page.getByRole('link', { name: t('addresses.add') }).count(), 0)
    await see('locked')
    await page.getByRole('link', { name: t('addresses.lockSee') }).click()
    await page
      .getByRole('dialog', { name: t('safety.list') })
      .getByText(t('safety.listLead'))
      .waitFor()
    await see('lock')
    assert.deepEqual([...wrong, ...complaints], [])
    await context.close()
  })
