/** The page for developers. `CANDOR_PICTURES=folder` saves pictures. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { startExchange, type TestExchange } from '../../server/main/test/exchange.ts'
import { violations } from './axe.ts'
import { startBrowser } from './person.ts'

const pictures = process.env.CANDOR_PICTURES
let browser: Browser
let exchange: TestExchange
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'docs', hasFeeds: false })
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

for (const colorScheme of ['dark', 'light'] as const)
  test(`API-DOCS-007: the page for developers works on a phone, ${colorScheme}: requests run with and without a key, are signed in the browser, and nothing is stored`, {
    timeout: 300_000,
  }, async (t) => {
    const user = await exchange.user({ funds: { USDT: '1000' } })
    const { body } = await user.call('POST', '/keys', { label: 'docs', scopes: ['read', 'trade'], ips: [], password: user.password })
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, colorScheme })
    t.after(() => context.close())
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on(
      'request',
      (request) => new URL(request.url()).origin !== exchange.url && !request.url().startsWith('data:') && complaints.push(request.url()),
    )
    const wrong: string[] = []
    const see = async (name: string, part = 'header'): Promise<void> => {
      wrong.push(...(await violations(page, [part])).map((one) => `${name}: ${one}`))
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390, name)
      if (pictures !== undefined) await page.screenshot({ path: `${pictures}/docs-${name}-${colorScheme}.png` })
    }
    const open = async (id: string) => {
      const details = page.locator(`[id="${id}"]`)
      await details.locator('> summary').click()
      await details.evaluate((element) => element.scrollIntoView())
      return details
    }
    await page.goto(`${exchange.url}/docs`)
    await page.locator('.operation').first().waitFor()
    await see('start', 'body')

    const info = await open('GET-/api/v3/depth')
    await info.getByRole('button', { name: 'Send' }).click()
    await info.getByText(/^200 .* weight used this minute \d+$/).waitFor()
    assert.match(await info.locator('.outcome pre').innerText(), /"lastUpdateId": \d/)
    await see('public', '.operation[open]')

    const account = await open('GET-/api/v3/account')
    await account.getByRole('button', { name: 'Send' }).click()
    await account.getByText('Enter a key above first.').waitFor()
    await page.getByText('Key for signed requests').click()
    await page.getByLabel('Key', { exact: true }).fill(body.key.key)
    await page.getByLabel(/^Secret/).fill(body.secret)
    await account.getByRole('button', { name: 'Send' }).click()
    await account.getByText(/^200 /).waitFor()
    assert.match(await account.locator('.outcome pre').innerText(), /"free": "1000"/)
    await account.getByRole('button', { name: 'TypeScript' }).click()
    assert.match(await account.locator('.samples pre').innerText(), /program\.account\.spotAccount\(\{ omitZeroBalances: true \}\)/)
    await see('signed', '.operation[open]')
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]))
    assert.equal(kept.includes(body.secret) || kept.includes(body.key.key), false)

    await page.getByLabel('Search').fill('cancelreplace')
    assert.deepEqual(await page.locator('.operation:visible .path').allInnerTexts(), ['/api/v3/order/cancelReplace'])
    const replace = await open('POST-/api/v3/order/cancelReplace')
    await replace.getByRole('button', { name: 'ccxt' }).click()
    assert.match(await replace.locator('.samples pre').innerText(), /exchange\.request\('order\/cancelReplace', 'private', 'POST'/)
    await replace.getByText('Errors').click()
    await see('route', '.operation[open]')

    await page.getByLabel('Search').fill('')
    await page.getByRole('link', { name: 'For the app' }).click()
    const config = await open('GET-/app/v1/config')
    await config.getByRole('button', { name: 'Send' }).click()
    await config.getByText(/^200 /).waitFor()
    await see('app', '.operation[open]')
    assert.deepEqual([wrong, complaints], [[], []])
  })
