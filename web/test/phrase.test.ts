/** The anti-phishing phrase: set after a proof, in the next mail, removed. `CANDOR_LOCALES=en,de`, `CANDOR_PICTURES=folder`. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { startExchange, type TestExchange } from '../../server/main/test/exchange.ts'
import { codeFor, langsOr, person, startBrowser } from './person.ts'
import { sights } from './sights.ts'

let browser: Browser
let exchange: TestExchange
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'phrase', hasFeeds: false })
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

async function newestMail(to: string): Promise<string> {
  const { messages } = (await (await fetch(`${exchange.url}/inbox.json?to=${encodeURIComponent(to)}`)).json()) as {
    readonly messages: readonly { readonly text: string }[]
  }
  return messages[0]?.text ?? ''
}

for (const lang of langsOr('de'))
  test(`UI-SAFETY-004: in ${lang}, a phrase is set after a proof, begins the next mail, and is removed`, { timeout: 240_000 }, async () => {
    const user = await exchange.user()
    const { page, context, t, go, complaints } = await person(browser, exchange.url, { lang, user })
    const { wrong, see } = sights(page, 'phrase', lang)
    await go('/safety')
    const row = page.getByRole('button', { name: new RegExp(RegExp.escape(t('safety.phrase'))) })
    await row.click()
    const sheet = page.getByRole('dialog', { name: t('safety.phrase') })
    await sheet.getByRole('button', { name: t('safety.phraseSave') }).click()
    await sheet.getByText(t('safety.phraseShort')).waitFor()
    await sheet.getByLabel(t('safety.phraseLabel'), { exact: true }).fill('seven green bottles')
    await see('sheet')
    await sheet.getByRole('button', { name: t('safety.phraseSave') }).click()
    const proof = page.getByRole('dialog', { name: t('proof.title') })
    await proof.getByLabel(t('auth.password'), { exact: true }).fill(user.password)
    await proof.getByRole('button', { name: t('auth.sendCode') }).click()
    await proof.getByLabel(t('fields.code')).fill(await codeFor(exchange.url, user.email))
    await page.getByText(t('safety.phraseSet'), { exact: true }).waitFor()
    await row.getByText(t('safety.on'), { exact: true }).waitFor()
    await see('set')

    const asked = await fetch(`${exchange.url}/app/v1/auth/code`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ purpose: 'reset', channel: 'email', to: user.email, lang: 'en' }),
    })
    assert.equal(asked.status, 202)
    await assertSoon(async () => (await newestMail(user.email)).startsWith('Your phrase: seven green bottles\n'))

    await row.click()
    await sheet.getByRole('button', { name: t('safety.remove') }).click()
    await page.getByText(t('safety.phraseRemoved'), { exact: true }).waitFor()
    await row.getByText(t('safety.on'), { exact: true }).waitFor({ state: 'detached' })
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })

/** Mail leaves after the answer. */
async function assertSoon(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((done) => setTimeout(done, 50))
}
