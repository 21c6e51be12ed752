/** The deletion of an account. `CANDOR_LOCALES=en,de` chooses languages; `CANDOR_PICTURES=folder` saves pictures. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { logIn, startExchange, type TestExchange } from '../../server/main/test/exchange.ts'
import { codeFor, langsOr, person, startBrowser } from './person.ts'
import { sights } from './sights.ts'

let browser: Browser
let exchange: TestExchange
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'deletion', hasFeeds: false })
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

for (const lang of langsOr('fr'))
  test(`UI-DELETE-002: in ${lang}, a person saves their data, deletes the account, and cancels it by logging in`, {
    timeout: 240_000,
  }, async () => {
    const user = await exchange.user({ funds: { USDT: '1000' } })
    const someone = await person(browser, exchange.url, { lang, user })
    const { page, context, t, go, complaints } = someone
    const { wrong, see } = sights(page, 'deletion', lang)
    await go('/deletion')
    await page.getByText(t('deletion.remainsLead')).waitFor()
    await see('screen')
    await page.setViewportSize({ width: 320, height: 640 })
    await see('small')
    await page.setViewportSize({ width: 390, height: 844 })

    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: t('deletion.data') }).click()
    const proof = page.getByRole('dialog', { name: t('proof.title') })
    await proof.getByLabel(t('auth.password'), { exact: true }).fill(user.password)
    await proof.getByRole('button', { name: t('auth.sendCode') }).click()
    await proof.getByLabel(t('fields.code')).fill(await codeFor(exchange.url, user.email))
    assert.equal((await saved).suggestedFilename(), 'my-data.json')

    const button = page.getByRole('button', { name: t('deletion.delete') })
    assert.equal(await button.isDisabled(), true)
    await page.getByRole('checkbox').check()
    await button.click()
    const sheet = page.getByRole('dialog', { name: t('deletion.ask') })
    await see('ask')
    await sheet.getByRole('button', { name: t('deletion.delete') }).click()
    await page.getByText(t('deletion.doneTitle')).waitFor()
    await see('done')
    assert.equal((await user.call('GET', '/me')).status, 401)
    const standing = 'select 1 from deletions where cancelled_at is null'
    assert.equal((await exchange.store.pool.query(standing)).rows.length, 1)
    await logIn(exchange.url, user.email, user.password)
    assert.equal((await exchange.store.pool.query(standing)).rows.length, 0)
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })
