/**
 * Webhooks: created, tested, sent again, renewed, deleted. `CANDOR_LOCALES=en,de` chooses languages;
 * `CANDOR_PICTURES=folder` saves pictures.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { startExchange, type TestExchange } from '../../server/main/test/exchange.ts'
import { isSigned, startReceiver } from '../../server/webhooks/test/receiver.ts'
import { langsOr, person, startBrowser } from './person.ts'
import { sights } from './sights.ts'

let browser: Browser
let exchange: TestExchange
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'webhooks', hasFeeds: false })
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

/** The longest part of a sentence without a value. */
const longest = (parts: readonly string[]): string => parts.toSorted((a, b) => b.length - a.length)[0]!.trim()

for (const lang of langsOr('hk-hans'))
  test(`UI-WEBHOOKS-002: in ${lang}, a webhook is created with the password, its secret is shown once, and a test arrives and is sent again, without accessibility faults`, {
    timeout: 300_000,
  }, async () => {
    await using receiver = await startReceiver()
    receiver.answerChallenge = (response) => response.end('what?')
    const user = await exchange.user()
    const { page, context, t, go, complaints } = await person(browser, exchange.url, { lang, user })
    const { wrong, see } = sights(page, 'webhooks', lang)
    await go('/apikeys')
    await see('link')
    await page.getByRole('link', { name: new RegExp(RegExp.escape(t('webhooks.title'))) }).click()
    await page.getByText(t('webhooks.empty')).waitFor()
    await see('empty')
    await page.getByRole('button', { name: t('webhooks.create') }).click()
    const sheet = page.getByRole('dialog')
    const send = sheet.getByRole('button', { name: t('webhooks.create') })
    await send.click()
    await sheet.getByText(t('refusals.WEBHOOK_URL_REFUSED')).waitFor()
    await see('missing')
    await sheet.getByLabel(t('webhooks.url'), { exact: true }).fill(receiver.url)
    await sheet.getByRole('checkbox', { name: t('webhooks.kind.optionSettlement') }).check()
    await sheet.getByLabel(t('webhooks.password'), { exact: true }).fill('not my password')
    await send.click()
    await sheet.getByText(t('refusals.CREDENTIALS_WRONG')).waitFor()
    await sheet.getByLabel(t('webhooks.password'), { exact: true }).fill(user.password)
    await send.click()

    await sheet.getByText(t('webhooks.secretOnce')).waitFor()
    const secret = (await sheet.locator('code').textContent()) ?? ''
    await see('made')
    assert.match(secret, /^whsec_[A-Za-z0-9_-]{43}$/)
    await sheet.getByRole('button', { name: t('webhooks.saved') }).click()
    await sheet.waitFor({ state: 'hidden' })
    assert.ok(!(await page.content()).includes(secret), 'the secret is gone from the page')
    await see('list')

    await page.getByRole('button', { name: new RegExp(RegExp.escape(receiver.url)) }).click()
    await sheet.getByText(t('webhooks.pendingHint')).waitFor()
    await sheet.getByText(t('webhooks.problem.challenge')).waitFor()
    assert.equal(await sheet.getByRole('button', { name: t('webhooks.test'), exact: true }).count(), 0)
    await see('pending')
    receiver.answerChallenge = (response, value) => response.end(value)
    await sheet.getByRole('button', { name: t('webhooks.ask'), exact: true }).click()
    await sheet.getByText(t('webhooks.pendingHint')).waitFor({ state: 'hidden' })
    assert.ok(receiver.challenges.length === 2 && receiver.challenges.every((post) => isSigned(post, secret)))
    await sheet.getByText(t('webhooks.noDeliveries')).waitFor()
    await see('details')
    await sheet.getByText(t('webhooks.kinds'), { exact: true }).first().click()
    await sheet.getByRole('checkbox', { name: t('webhooks.kind.perpFunding') }).click()
    await sheet.getByRole('checkbox', { name: t('webhooks.kind.perpFunding'), checked: true }).waitFor()
    await see('kinds')
    await sheet.getByText(t('webhooks.kinds'), { exact: true }).first().click()
    await sheet.getByRole('button', { name: t('webhooks.test'), exact: true }).click()
    const [trial] = await receiver.until(1)
    assert.ok(isSigned(trial!, secret))
    await sheet.getByText(t('webhooks.delivered')).waitFor()
    await sheet.getByText(t('webhooks.kind.test'), { exact: true }).click()
    await sheet.getByText(trial!.text).waitFor()
    await see('delivery')
    await sheet.getByRole('button', { name: t('webhooks.again'), exact: true }).click()
    assert.equal((await receiver.until(2))[1]?.text, trial!.text)
    receiver.answer = (response) => response.writeHead(503).end('no')
    await sheet.getByRole('button', { name: t('webhooks.test'), exact: true }).click()
    await sheet.getByText(t('webhooks.waiting'), { exact: true }).waitFor()
    await sheet.getByText(longest(t('webhooks.failingSince', { time: '|' }).split('|'))).waitFor()
    await see('failing')

    await sheet.getByRole('button', { name: t('webhooks.switchOff'), exact: true }).click()
    await sheet.getByRole('button', { name: t('webhooks.switchOn'), exact: true }).waitFor()
    await see('off')
    await sheet.getByRole('button', { name: t('webhooks.renew') }).click()
    const renewing = page.getByRole('dialog', { name: t('webhooks.renew') })
    await renewing.getByLabel(t('webhooks.password'), { exact: true }).fill(user.password)
    await see('renew')
    await renewing.getByRole('button', { name: t('webhooks.renew') }).click()
    const renewed = page.getByRole('dialog', { name: t('webhooks.renewed') })
    assert.notEqual(await renewed.locator('code').textContent(), secret)
    await renewed.getByRole('button', { name: t('webhooks.saved') }).click()
    await sheet.getByRole('button', { name: t('webhooks.delete') }).click()
    const question = page.getByRole('dialog', { name: t('webhooks.deleteAsk') })
    await question.getByText(t('webhooks.deleteHint')).waitFor()
    await see('question')
    await question.getByRole('button', { name: t('webhooks.delete') }).click()
    await page.getByText(t('webhooks.empty')).waitFor()
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })
