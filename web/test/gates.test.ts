/**
 * Gates of the app: the country of residence, at the registration or later, and consent to a changed agreement.
 * `CANDOR_LOCALES=en,de` chooses languages; `CANDOR_PICTURES=folder` saves pictures.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { startExchange, type TestExchange } from '../../server/main/test/exchange.ts'
import { choosesResidence, codeFor, langsOr, person, startBrowser } from './person.ts'
import { sights } from './sights.ts'

let browser: Browser
let exchange: TestExchange
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'gates', hasFeeds: false, settings: { unservedCountries: ['KP'] } })
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

const small = { width: 320, height: 640 }

for (const lang of langsOr('de'))
  test(`UI-GATE-002: in ${lang}, the registration presets the country of a phone number, and names a country that is not served`, {
    timeout: 240_000,
  }, async () => {
    const someone = await person(browser, exchange.url, { lang })
    const { page, context, t, go, complaints, tag } = someone
    const { wrong, see } = sights(page, 'gate-register', lang)
    const nameOf = (country: string): string => new Intl.DisplayNames([tag], { type: 'region' }).of(country)!
    await go('/register')
    await page.getByLabel(t('common.contact')).fill('+41 79 123 45 67')
    const field = page.getByRole('button', { name: new RegExp(RegExp.escape(t('gates.residence'))) })
    assert.match(await field.innerText(), new RegExp(RegExp.escape(nameOf('CH'))))
    await field.click()
    const list = page.getByRole('dialog', { name: t('gates.residence') })
    await list.getByLabel(t('gates.searchCountry')).fill(nameOf('KP'))
    await see('list')
    await list.getByRole('radio', { name: nameOf('KP') }).click()
    await page.getByText(t('gates.unserved', { country: nameOf('KP') })).waitFor()
    await see('unserved')
    await page.setViewportSize(small)
    await see('unserved-small')
    await page.getByRole('button', { name: t('auth.sendCode') }).click()
    assert.equal(await page.locator('input[autocomplete="one-time-code"]').count(), 0)
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })

for (const lang of langsOr('de'))
  test(`UI-FORM-001: in ${lang}, an incomplete or refused registration moves the focus to the first wrong field, which says why`, {
    timeout: 240_000,
  }, async () => {
    const someone = await person(browser, exchange.url, { lang })
    const { page, context, t, go, complaints } = someone
    const { wrong, see } = sights(page, 'form', lang)
    await page.setViewportSize(small)
    const email = `form${Date.now()}@test.example`
    const said = (): Promise<string> =>
      page.evaluate(() => {
        const below = document.activeElement?.getAttribute('aria-describedby') ?? ''
        return document.getElementById(below)?.textContent ?? ''
      })
    const saysAtFocus = async (text: string): Promise<void> => {
      await page.getByText(text).waitFor()
      await page.waitForFunction((wanted) => {
        const below = document.activeElement?.getAttribute('aria-describedby') ?? ''
        return document.getElementById(below)?.textContent?.includes(wanted)
      }, text)
      assert.ok((await said()).includes(text))
    }
    await go('/register')
    await page.getByRole('button', { name: t('auth.sendCode') }).click()
    await saysAtFocus(t('auth.contactInvalid'))
    await page.getByLabel(t('common.contact')).fill(email)
    await page.getByRole('button', { name: t('auth.sendCode') }).click()
    await saysAtFocus(t('gates.residenceMissing'))
    await choosesResidence(someone, 'FR')
    await page.getByRole('button', { name: t('auth.sendCode') }).click()
    const code = page.getByLabel(t('fields.code'))
    await code.waitFor()
    const create = page.getByRole('button', { name: t('auth.createAccount') })
    await create.click()
    await saysAtFocus(t('auth.codeMissing'))
    const right = await codeFor(exchange.url, email)
    await code.fill(right === '000000' ? '000001' : '000000')
    const passwords = page.locator('input[autocomplete="new-password"]')
    for (const at of [0, 1]) await passwords.nth(at).fill('password1')
    for (const box of await page.getByRole('checkbox').all()) await box.check()
    await create.click()
    await saysAtFocus(t('refusals.PASSWORD_COMMON'))
    await see('common-small')
    for (const at of [0, 1]) await passwords.nth(at).fill('a long enough secret 7')
    await create.click()
    await saysAtFocus(t('refusals.CODE_WRONG'))
    await see('code-small')
    await code.fill(right)
    await create.click()
    await page.getByText(t('auth.welcome')).waitFor()
    await see('welcome-small')
    await page.getByRole('button', { name: new RegExp(RegExp.escape(t('auth.stepSecure'))) }).click()
    await page.getByText(t('safety.level1')).waitFor()
    // A person with an account is not asked to sign up again.
    await page.goBack()
    await page.waitForFunction(() => location.hash === '#/')
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })

for (const lang of langsOr('fr'))
  test(`UI-GATE-003: in ${lang}, an account without a country is asked for it, and can’t put it off on a desk with leverage`, {
    timeout: 240_000,
  }, async () => {
    const user = await exchange.user()
    await exchange.store.pool.query('update accounts set residence = null, declared_at = null where email = $1', [user.email])
    const someone = await person(browser, exchange.url, { lang, user })
    const { page, context, t, go, complaints } = someone
    const { wrong, see } = sights(page, 'gate-residence', lang)
    await go('/')
    const sheet = page.getByRole('dialog', { name: t('gates.residenceTitle') })
    await sheet.waitFor()
    await see('sheet')
    await sheet.getByRole('button', { name: t('gates.later') }).click()
    await sheet.waitFor({ state: 'detached' })
    await page.goto(`${exchange.url}/#/Second`)
    await sheet.waitFor()
    await page.keyboard.press('Escape')
    await sheet.getByRole('button', { name: t('gates.continue') }).click()
    await sheet.getByText(t('gates.residenceMissing')).waitFor()
    await sheet.getByText(t('gates.ofAgeMissing')).waitFor()
    await page.setViewportSize(small)
    await see('missing-small')
    await page.setViewportSize({ width: 390, height: 844 })
    await sheet.getByRole('button', { name: t('gates.later') }).click()
    await page.waitForURL(/#\/spot/)
    await page.goto(`${exchange.url}/#/contract`)
    await sheet.waitFor()
    await choosesResidence(someone, 'FR')
    await sheet.getByRole('checkbox').check()
    await see('filled')
    await sheet.getByRole('button', { name: t('gates.continue') }).click()
    await sheet.waitFor({ state: 'detached' })
    assert.equal((await user.call('GET', '/me')).body.residence, 'FR')
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })

for (const lang of langsOr('it'))
  test(`UI-GATE-004: in ${lang}, a changed agreement is accepted before anything else, or the customer logs out`, {
    timeout: 240_000,
  }, async () => {
    const user = await exchange.user()
    await exchange.store.pool.query(
      `insert into agreements (account, version, accepted_at) select id, '1', 1 from accounts where email = $1`,
      [user.email],
    )
    const someone = await person(browser, exchange.url, { lang, user })
    const { page, context, t, go, complaints } = someone
    const { wrong, see } = sights(page, 'gate-agreement', lang)
    await go('/')
    const sheet = page.getByRole('dialog', { name: t('gates.agreementTitle') })
    await sheet.getByText(t('agreement.intro')).waitFor()
    await page.keyboard.press('Escape')
    await see('sheet')
    await page.setViewportSize(small)
    await see('sheet-small')
    await sheet.getByRole('button', { name: t('gates.accept') }).click()
    await sheet.waitFor({ state: 'detached' })
    assert.deepEqual((await user.call('GET', '/me')).body.due, [])
    await exchange.store.pool.query(`delete from agreements where version <> '1'`)
    await page.reload()
    await sheet.getByRole('button', { name: t('gates.logout') }).click()
    await sheet.waitFor({ state: 'detached' })
    assert.equal((await user.call('GET', '/me')).status, 401)
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })
