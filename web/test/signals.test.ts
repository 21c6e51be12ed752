/**
 * Signal addresses of API keys: made with the password, shown once, tried, called, switched off. `CANDOR_LOCALES=en,de` chooses
 * languages; `CANDOR_PICTURES=folder` saves pictures.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import type { Browser } from 'playwright-core'
import { startExchange, type TestExchange } from '../../server/main/test/exchange.ts'
import { programOf } from '../../server/programs/test/program.ts'
import { langsOr, person, startBrowser } from './person.ts'
import { sights } from './sights.ts'

let browser: Browser
let exchange: TestExchange
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'signals', hasFeeds: false })
  const prices = [1, 2].map((market) => ({ market, price: market === 1 ? 6e12 : 3e11, sources: 4, isGood: true }))
  await exchange.link.submit(commandOf({ type: 'index.tick', prices }))
  const maker = await programOf(exchange.url, await exchange.user({ funds: { BTC: '2' } }))
  const order = { symbol: 'BTCUSDT', side: 'SELL', type: 'LIMIT', timeInForce: 'GTC', quantity: '1', price: '60000' }
  await maker.done('POST', '/api/v3/order', order)
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

for (const lang of langsOr('de'))
  test(`UI-SIGNAL-001: in ${lang}, a signal address is made with the password and shown once, an alert is tried, its calls are listed as plain text, and it is switched off`, {
    timeout: 240_000,
  }, async () => {
    const user = await exchange.user({ funds: { USDT: '1000' } })
    await programOf(exchange.url, user)
    const { page, context, t, go, complaints } = await person(browser, exchange.url, { lang, user })
    const { wrong, see } = sights(page, 'signals', lang)
    await go('/apikeys')
    await page.getByRole('button', { name: /test/ }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('button', { name: new RegExp(RegExp.escape(t('apikeys.signals'))) }).click()
    await sheet.getByText(t('signals.never')).waitFor()
    await see('never')
    const turnOn = sheet.getByRole('button', { name: t('signals.turnOn') })
    await turnOn.click()
    await sheet.getByLabel(t('signals.markets'), { exact: true }).waitFor()
    await turnOn.click()
    await sheet.getByText(t('signals.marketsWrong')).waitFor()
    await see('missing')
    await sheet.getByRole('radio', { name: t('signals.formatOwn') }).click()
    await see('own')
    await sheet.getByRole('radio', { name: 'TradingView' }).click()
    await sheet.getByLabel(t('signals.markets'), { exact: true }).fill('btcusdt')
    await sheet.getByLabel(t('apikeys.password'), { exact: true }).fill(user.password)
    await turnOn.click()
    await sheet.getByText(t('signals.addressOnce')).waitFor()
    const address = (await sheet.locator('code').textContent()) ?? ''
    await see('made')
    assert.match(address, /\/hooks\/v1\/[A-Za-z0-9_-]{43}$/)
    await sheet.getByRole('button', { name: t('apikeys.saved') }).click()

    await sheet.getByText(t('signals.isOn')).waitFor()
    assert.ok(!(await page.content()).includes(address), 'the address is gone from the page')
    const trial = sheet.getByRole('button', { name: t('signals.trialSend'), exact: true })
    await trial.click()
    await sheet.getByRole('status').filter({ hasText: '60' }).waitFor()
    await sheet.getByLabel(t('signals.trial')).fill('{"symbol":"BTCUSDT","side":"buy","quantity":"1"}')
    await trial.click()
    await sheet.getByText(t('refusals.SIGNAL_SIZE')).waitFor()
    await see('tried')

    const script = '<img src=x onerror="document.title=`stolen`">'
    for (const alert of [{ symbol: 'BTCUSDT', side: 'buy', quantity: '0.001' }, script]) {
      const body = typeof alert === 'string' ? alert : JSON.stringify(alert)
      const { status } = await fetch(address, { method: 'POST', body })
      assert.equal(status, typeof alert === 'string' ? 400 : 200)
    }
    await sheet.getByText(t('signals.placed')).waitFor()
    await sheet.getByText(t('signals.refused'), { exact: true }).click()
    await sheet.getByText(script).waitFor()
    await see('log')
    assert.notEqual(await page.title(), 'stolen')

    await sheet.getByRole('button', { name: t('signals.turnOff') }).click()
    const question = page.getByRole('dialog', { name: t('signals.offAsk') })
    await question.getByText(t('signals.offHint')).waitFor()
    await see('off')
    await question.getByRole('button', { name: t('signals.turnOff') }).click()
    await sheet.getByText(t('signals.isOff')).first().waitFor()
    assert.equal((await fetch(address, { method: 'POST', body: '{}' })).status, 404)
    assert.deepEqual([...wrong, ...complaints], [])
    await context.close()
  })
