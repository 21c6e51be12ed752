/**
 * API keys: created, shown once, listed, used by a program, deleted. `CANDOR_LOCALES=en,de` chooses languages;
 * `CANDOR_PICTURES=folder` saves pictures.
 */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { startExchange, type TestExchange } from '../../server/main/test/exchange.ts'
import { langsOr, person, startBrowser } from './person.ts'
import { sights } from './sights.ts'

let browser: Browser
let exchange: TestExchange
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'keys', hasFeeds: false })
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

/** Status of the exchange's answer to a program that signs with this key. */
async function statusOf(key: string, secret: string): Promise<number> {
  const query = `recvWindow=60000&timestamp=${Date.now()}`
  const signature = createHmac('sha256', secret).update(query).digest('hex')
  const address = `${exchange.url}/sapi/v1/account/apiRestrictions?${query}&signature=${signature}`
  return (await fetch(address, { headers: { 'X-MBX-APIKEY': key } })).status
}

for (const lang of langsOr('de'))
  test(`UI-KEYS-003: in ${lang}, a key is created with the password, its secret is shown once, and it is deleted after a confirmation, without accessibility faults`, {
    timeout: 240_000,
  }, async () => {
    const user = await exchange.user()
    const { page, context, t, go, complaints } = await person(browser, exchange.url, { lang, user })
    const { wrong, see } = sights(page, 'keys', lang)
    await go('/me')
    await page.getByRole('link', { name: new RegExp(RegExp.escape(t('me.apiKeys'))) }).click()
    await page.getByText(t('apikeys.empty')).waitFor()
    await see('empty')
    await page.getByRole('button', { name: t('apikeys.create') }).click()
    const sheet = page.getByRole('dialog')
    const send = sheet.getByRole('button', { name: t('apikeys.create') })
    await send.click()
    await sheet.getByText(t('apikeys.labelMissing')).waitFor()
    await see('missing')
    await sheet.getByLabel(t('apikeys.label'), { exact: true }).fill('my bot')
    await sheet.getByRole('radio', { name: 'Ed25519' }).click()
    await sheet.getByLabel(t('apikeys.publicKey'), { exact: true }).fill('-----BEGIN PRIVATE KEY-----')
    await sheet.getByText(t('refusals.PUBLIC_KEY_INVALID')).waitFor()
    await see('public')
    await sheet.getByRole('radio', { name: t('apikeys.kindHmac') }).click()
    await sheet.getByRole('checkbox').first().check()
    await sheet.getByLabel(t('apikeys.ips'), { exact: true }).fill('127.0.0.0/8')
    await sheet.getByLabel(t('apikeys.password'), { exact: true }).fill('not my password')
    await send.click()
    await sheet.getByText(t('refusals.CREDENTIALS_WRONG')).waitFor()
    await sheet.getByLabel(t('apikeys.password'), { exact: true }).fill(user.password)
    await send.click()

    await sheet.getByText(t('apikeys.secretOnce')).waitFor()
    const [key = '', secret = ''] = await sheet.locator('code').allTextContents()
    await see('made')
    assert.match(key, /^[A-Za-z0-9]{64}$/)
    assert.equal(await statusOf(key, secret), 200)
    await sheet.getByRole('button', { name: t('apikeys.saved') }).click()
    await sheet.waitFor({ state: 'hidden' })
    assert.ok(!(await page.content()).includes(secret), 'the secret is gone from the page')

    await see('list')
    await page.getByRole('button', { name: /my bot/ }).click()
    await sheet.getByText(key).waitFor()
    await see('details')
    await sheet.getByRole('button', { name: t('apikeys.delete') }).click()
    const question = page.getByRole('dialog', { name: t('apikeys.deleteAsk', { label: 'my bot' }) })
    await question.getByText(t('apikeys.deleteHint')).waitFor()
    await see('question')
    assert.equal(await statusOf(key, secret), 200)
    await question.getByRole('button', { name: t('apikeys.delete') }).click()
    await page.getByText(t('apikeys.empty')).waitFor()
    assert.equal(await statusOf(key, secret), 401)
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })
