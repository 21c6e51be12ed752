/**
 * The security centre: addresses, the payment password, the freeze, and the next step on the account page. `CANDOR_LOCALES=en,de`
 * chooses languages; `CANDOR_PICTURES=folder` saves pictures.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { codeFor, langsOr, type Person, person, startBrowser } from './person.ts'
import { sights } from './sights.ts'

const support = 'support@exchange.example'
let browser: Browser
let exchange: TestExchange
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'safety', hasFeeds: false, settings: { support } })
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

const named = (text: string): RegExp => new RegExp(RegExp.escape(text))

/** Gives the proof of an account without a second factor. */
async function prove({ page, t }: Person, { password, email }: TestUser): Promise<void> {
  const proof = page.getByRole('dialog', { name: t('proof.title') })
  await proof.getByLabel(t('auth.password'), { exact: true }).fill(password)
  await proof.getByRole('button', { name: t('auth.sendCode') }).click()
  await proof.getByLabel(t('fields.code')).fill(await codeFor(exchange.url, email))
  await proof.waitFor({ state: 'detached' })
}

/** The newest message to an address, once one about this has arrived. */
async function mailAbout(to: string, pattern: RegExp): Promise<string> {
  for (;;) {
    const answer = await fetch(`${exchange.url}/inbox.json?to=${encodeURIComponent(to)}`)
    const { messages } = (await answer.json()) as { readonly messages: readonly { readonly subject: string; readonly text: string }[] }
    const found = messages.find(({ subject, text }) => pattern.test(`${subject} ${text}`))
    if (found !== undefined) return found.text
    await new Promise((done) => setTimeout(done, 50))
  }
}

const scrolled = async (row: Locator): Promise<void> => row.scrollIntoViewIfNeeded()

for (const lang of langsOr('hk'))
  test(`UI-SAFETY-005: in ${lang}, an address is added and removed after a proof, and the screen says until when withdrawals are closed`, {
    timeout: 240_000,
  }, async () => {
    const user = await exchange.user()
    const someone = await person(browser, exchange.url, { lang, user })
    const { page, context, t, go, complaints } = someone
    const { wrong, see } = sights(page, 'address', lang)
    await go('/safety')
    const row = page.getByRole('button', { name: named(t('safety.phone')) }).last()
    await scrolled(row)
    await row.click()
    const sheet = page.getByRole('dialog', { name: t('safety.phone') })
    await sheet.getByText(t('safety.addressClosing')).waitFor()
    await sheet.getByRole('textbox', { name: t('safety.phone') }).fill('nobody@example.com')
    await sheet.getByRole('button', { name: t('auth.sendCode') }).click()
    await sheet.getByText(t('safety.phoneInvalid')).waitFor()
    const phone = `+4915112${String(Math.trunc(performance.now() * 1_000) % 1_000_000).padStart(6, '0')}`
    await sheet.getByRole('textbox', { name: t('safety.phone') }).fill(phone)
    await see('sheet')
    await sheet.getByRole('button', { name: t('auth.sendCode') }).click()
    await prove(someone, user)
    const code = sheet.getByLabel(t('fields.code'))
    await code.waitFor()
    const right = await codeFor(exchange.url, phone)
    await code.fill(right === '000000' ? '000001' : '000000')
    await sheet.getByText(t('refusals.CODE_WRONG')).waitFor()
    assert.equal((await code.inputValue()).length, 6)
    await see('code-wrong')
    await code.fill(right)
    await page.getByText(t('safety.addressSet'), { exact: true }).waitFor()
    await page
      .getByText(named(t('safety.withdrawalsClosed').split('{{')[0]!.slice(0, 5)))
      .first()
      .waitFor()
    await row.getByText('•••••').waitFor()
    await see('added')

    await scrolled(row)
    await row.click()
    await sheet.getByRole('button', { name: t('safety.remove') }).click()
    const question = page.getByRole('dialog', { name: t('safety.phoneAsk') })
    await question.getByText(t('safety.addressNote')).waitFor()
    await see('question')
    await question.getByRole('button', { name: t('safety.remove') }).click()
    await page.getByText(t('safety.addressRemoved'), { exact: true }).waitFor()
    await row.getByText(t('safety.add'), { exact: true }).waitFor()
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })

for (const lang of langsOr('de'))
  test(`UI-SAFETY-006: in ${lang}, the payment password is set after a proof and changed by the present digits; weak digits stay`, {
    timeout: 240_000,
  }, async () => {
    const user = await exchange.user()
    const someone = await person(browser, exchange.url, { lang, user })
    const { page, context, t, go, complaints } = someone
    const { wrong, see } = sights(page, 'payment', lang)
    await go('/safety')
    const row = page.getByRole('button', { name: named(t('safety.paymentHint')) })
    await scrolled(row)
    await row.click()
    const sheet = page.getByRole('dialog', { name: t('safety.payment') })
    const [fresh, again] = [sheet.getByLabel(t('safety.paymentNew'), { exact: true }), sheet.getByLabel(t('safety.paymentAgain'))]
    const save = sheet.getByRole('button', { name: t('safety.phraseSave') })
    await fresh.fill('123456')
    await again.fill('123457')
    await save.click()
    await sheet.getByText(t('safety.paymentDiffers')).waitFor()
    await again.fill('123456')
    await save.click()
    await sheet.getByText(t('refusals.PAYMENT_PASSWORD_COMMON')).waitFor()
    assert.equal(await fresh.inputValue(), '123456')
    await see('common')
    for (const field of [fresh, again]) await field.fill('802946')
    await save.click()
    await prove(someone, user)
    await page.getByText(t('safety.paymentSet'), { exact: true }).waitFor()
    await row.getByText(t('safety.on'), { exact: true }).waitFor()
    await see('set')

    await row.click()
    const current = sheet.getByLabel(t('safety.paymentCurrent'))
    await current.fill('111111')
    for (const field of [fresh, again]) await field.fill('739105')
    await see('change')
    await save.click()
    await sheet.getByText(t('refusals.PAYMENT_PASSWORD_WRONG')).waitFor()
    assert.equal(await fresh.inputValue(), '739105')
    await current.fill('802946')
    await save.click()
    await sheet.waitFor({ state: 'detached' })
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })

for (const lang of langsOr('en'))
  test(`UI-SAFETY-007: in ${lang}, the account page names the next step, and its button opens the sheet`, {
    timeout: 240_000,
  }, async () => {
    const user = await exchange.user()
    const { page, context, t, go, complaints } = await person(browser, exchange.url, { lang, user })
    const { wrong, see } = sights(page, 'next', lang)
    await go('/me')
    await page.getByText(t('safety.score', { done: 0, all: 6 })).waitFor()
    await see('me')
    await page.getByRole('button', { name: nextOf(page, t) }).click()
    await page.waitForFunction(() => location.hash.startsWith('#/safety'))
    await page.getByRole('dialog').waitFor()
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })

/** The name of the first step: a passkey where the browser can make one. */
function nextOf(page: Page, t: Person['t']): string {
  return page.url().startsWith('https:') || page.url().includes('localhost') ? t('safety.addPasskey') : t('safety.addAuthenticator')
}

for (const lang of langsOr('en'))
  test(`UI-FREEZE-001: in ${lang}, the owner freezes the account, reads what that means, and a login says the same`, {
    timeout: 240_000,
  }, async () => {
    const user = await exchange.user()
    const { page, context, t, go, complaints } = await person(browser, exchange.url, { lang, user })
    const { wrong, see } = sights(page, 'freeze', lang)
    await go('/safety')
    const row = page.getByRole('button', { name: named(t('safety.freeze')) })
    await scrolled(row)
    await row.click()
    const question = page.getByRole('dialog', { name: t('safety.freezeAsk') })
    await question.getByText(t('safety.freezeNote')).waitFor()
    await see('question')
    await question.getByRole('button', { name: t('safety.freezeNow'), exact: true }).click()
    await page.getByText(t('safety.freezePage.frozenHow')).waitFor()
    await page.getByText(support, { exact: true }).waitFor()
    await see('done')
    assert.equal((await user.call('GET', '/me')).status, 401)

    await page.getByRole('link', { name: t('safety.freezePage.toLogin') }).click()
    await page.getByLabel(t('common.contact'), { exact: true }).fill(user.email)
    await page.getByLabel(t('auth.password'), { exact: true }).fill(user.password)
    await page
      .getByRole('main')
      .getByRole('button', { name: t('common.login'), exact: true })
      .click()
    await page.getByText(t('safety.freezePage.frozenHow')).waitFor()
    await see('login')
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })

for (const lang of langsOr('fr'))
  test(`UI-FREEZE-002: in ${lang}, the link in a message freezes the account after a tap, and once`, { timeout: 240_000 }, async () => {
    const user = await exchange.user()
    const { page, context, t, complaints } = await person(browser, exchange.url, { lang })
    const { wrong, see } = sights(page, 'freeze-link', lang)
    const text = await mailAbout(user.email, /#\/freeze\?token=/)
    const path = /#(\/freeze\?token=[\w-]{22})/.exec(text)![1]!
    await page.goto(`${exchange.url}/#${path}`)
    await page.getByText(t('safety.freezePage.lead')).waitFor()
    await see('ask')
    assert.equal((await user.call('GET', '/me')).status, 200)
    await page.getByRole('button', { name: t('safety.freezePage.confirm') }).click()
    await page.getByText(t('safety.freezePage.frozenHow')).waitFor()
    assert.equal((await user.call('GET', '/me')).status, 401)
    await page.reload()
    await page.getByRole('button', { name: t('safety.freezePage.confirm') }).click()
    await page.getByText(t('safety.freezePage.expired')).waitFor()
    await see('used')
    await page.goto(`${exchange.url}/#${path.slice(0, -1)}`)
    await page.getByText(t('safety.freezePage.expired')).waitFor()
    assert.equal(await page.getByText(t('safety.freezePage.frozen'), { exact: true }).count(), 0)
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })
