/**
 * Own limits, breaks and the reality check. `CANDOR_LOCALES=en,de` chooses languages; `CANDOR_PICTURES=folder` saves pictures.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Locator } from 'playwright-core'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { codeFor, langsOr, type Person, person, startBrowser } from './person.ts'
import { sights } from './sights.ts'

let browser: Browser
let exchange: TestExchange
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'limits' })
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

const named = (text: string): RegExp => new RegExp(RegExp.escape(text))
const sql = (text: string, values: readonly unknown[] = []) => exchange.store.pool.query(text, [...values])
/** Every width that phones have, the narrowest too. */
const small = { width: 320, height: 640 }
const usual = { width: 390, height: 844 }

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

const rowOf = ({ page, t }: Person, key: string): Locator => page.getByRole('button', { name: named(t(key)) }).first()

for (const lang of langsOr('en'))
  test(`UI-LIMITS-001: in ${lang}, a limit is set, lowered and removed; the removal waits and is confirmed`, {
    timeout: 240_000,
  }, async () => {
    const user = await exchange.user()
    const someone = await person(browser, exchange.url, { lang, user })
    const { page, context, t, go, complaints, format } = someone
    const { wrong, see } = sights(page, 'limits', lang)
    await go('/me')
    await page.getByRole('link', { name: named(t('me.limitsHint')) }).click()
    const row = rowOf(someone, 'limits.lossDay')
    await row.getByText(t('limits.none')).waitFor()
    await see('none')
    const sheet = page.getByRole('dialog', { name: t('limits.lossDay') })
    const set = async (amount: string): Promise<void> => {
      await row.click()
      await sheet.getByLabel(t('limits.amount')).fill(amount)
      await sheet.getByRole('button', { name: t('limits.save') }).click()
      await sheet.waitFor({ state: 'detached' })
      await row.getByText(`${format.number(amount, 2, 2)}\u00a0USDT`).waitFor()
    }
    await set('100')
    await set('50')
    await row.click()
    await sheet.getByLabel(t('limits.amount')).fill('80')
    await sheet.getByText(t('limits.raiseNote')).waitFor()
    await see('raise')
    await page.setViewportSize(small)
    await fits(someone)
    await see('raise-small')
    await page.setViewportSize(usual)
    await sheet.getByRole('button', { name: t('limits.remove') }).click()
    await row.getByText(t('limits.waiting')).waitFor()
    await row.click()
    const confirm = sheet.getByRole('button', { name: t('limits.confirm') })
    assert.equal(await confirm.isDisabled(), true)
    await see('waiting')
    await sql("update own_limits set next_at = $2 where account = (select id from accounts where uid = $1) and kind = 'loss-day'", [
      user.uid,
      Date.now() - 1,
    ])
    await page.reload()
    await row.click()
    await see('ready')
    await confirm.click()
    await row.getByText(t('limits.none')).waitFor()
    await page.setViewportSize(small)
    await fits(someone)
    await see('small')
    assert.deepEqual([complaints, wrong], [[], []])
    await context.close()
  })

for (const lang of langsOr('de'))
  test(`UI-LIMITS-003: in ${lang}, a break needs a length, a word and a proof, and then stands on the screen`, {
    timeout: 240_000,
  }, async () => {
    const user = await exchange.user()
    const someone = await person(browser, exchange.url, { lang, user })
    const { page, context, t, go, complaints } = someone
    const { wrong, see } = sights(page, 'limits-rest', lang)
    await go('/limits')
    for (const key of ['limits.exclusion', 'limits.coolOff'] as const) {
      await rowOf(someone, key).click()
      const sheet = page.getByRole('dialog', { name: t(key) })
      const start = sheet.getByRole('button', { name: t('limits.start') })
      assert.equal(await start.isDisabled(), true)
      assert.equal(await sheet.locator('[aria-pressed=true]').count(), 0)
      if (key === 'limits.exclusion') {
        await page.setViewportSize(small)
        await fits(someone)
        await see('exclusion-small')
        await page.setViewportSize(usual)
        await page.keyboard.press('Escape')
        await sheet.waitFor({ state: 'detached' })
        continue
      }
      await sheet.locator('[aria-pressed]').first().click()
      assert.equal(await start.isDisabled(), true)
      await sheet.getByRole('checkbox').click()
      await see('sheet')
      await start.click()
    }
    await prove(someone, user)
    // The sheet, which says so too, may still be closing.
    const stays = page.locator('section[role=status]').getByText(t('limits.stays'))
    await stays.waitFor()
    const { y, height } = (await stays.boundingBox())!
    assert.ok(y >= 0 && y + height <= usual.height, `what holds now is at ${y}`)
    await see('resting')
    const order = await user.call('POST', '/spot/orders', { clientId: 'r1', symbol: 'BTCUSDT', side: 'buy', type: 'market', spend: '10' })
    assert.equal(order.body.code, 'RESTING')
    const { until } = (await user.call('GET', '/limits')).body.rest
    assert.ok(Math.abs(Date.now() + order.body.retryAfter * 1_000 - until) < 60_000)
    assert.deepEqual([complaints, wrong], [[], []])
    await context.close()
  })

for (const lang of langsOr('fr'))
  test(`UI-LIMITS-004: in ${lang}, the reality check shows time and result, with two exits of the same size`, {
    timeout: 240_000,
  }, async () => {
    const user = await exchange.user()
    assert.equal((await user.call('PUT', '/limits/check', { minutes: 15 })).status, 204)
    const someone = await person(browser, exchange.url, { lang, user })
    const { page, context, t, go, complaints } = someone
    const { wrong, see } = sights(page, 'limits-check', lang)
    await context.addInitScript((uid) => sessionStorage.setItem('minutes', JSON.stringify({ uid, minutes: 15, checked: 0 })), user.uid)
    await go('/me')
    const sheet = page.getByRole('dialog', { name: t('limits.checkTitle') })
    await sheet.getByText(t('limits.minutes', { value: 15 })).waitFor()
    const sizes = await Promise.all(
      ['limits.checkGoOn', 'limits.checkBreak'].map(async (key) => sheet.getByRole('button', { name: t(key) }).boundingBox()),
    )
    assert.deepEqual([sizes[0]!.width, sizes[0]!.height], [sizes[1]!.width, sizes[1]!.height])
    await see('sheet')
    await page.setViewportSize(small)
    await fits(someone)
    await see('sheet-small')
    await sheet.getByRole('button', { name: t('limits.checkBreak') }).click()
    await page.getByRole('heading', { name: t('limits.title') }).waitFor()
    assert.deepEqual([complaints, wrong], [[], []])
    await context.close()
  })

for (const lang of langsOr('hk'))
  test(`UI-LIMITS-005: in ${lang}, the share of losing accounts stands on the page and in the warning before the first use`, {
    timeout: 240_000,
  }, async () => {
    const user = await exchange.user()
    const someone = await person(browser, exchange.url, { lang, user })
    const { page, context, t, go, complaints } = someone
    const { wrong, see } = sights(page, 'limits-figures', lang)
    await go('/limits')
    await page.getByText(t('limits.tooFew', { product: t('limits.perp') }), { exact: true }).waitFor()
    const today = Date.now() - (Date.now() % 86_400_000)
    await sql(
      `insert into loss_figures values ($1, 'perp', 200, 151), ($1, 'margin', 90, 70), ($1, 'option', 29, 20)
       on conflict (day_ms, product) do update set accounts = excluded.accounts, losers = excluded.losers`,
      [today],
    )
    await page.reload()
    await page.getByText(/200/).first().waitFor()
    await page.getByText(t('limits.tooFew', { product: t('limits.option') })).waitFor()
    await see('page')
    await go('/Second')
    await page.getByRole('button', { name: t('option.gate.certify') }).click()
    const sheet = page.getByRole('dialog', { name: t('certify.title') })
    await sheet.getByText(/200/).waitFor()
    await see('certify')
    assert.deepEqual([complaints, wrong], [[], []])
    await context.close()
  })
