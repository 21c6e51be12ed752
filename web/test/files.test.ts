/** Tests what a person sees when a file of the build does not load: that of a screen, of a sheet, or of a part of a form. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { hasBook, type Person, person, startBrowser } from './person.ts'

const desk = '/contract?symbol=BTCUSDTPERP'

let browser: Browser
let exchange: TestExchange
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: '3', bots: true })
  await hasBook(exchange)
})
after(async () => {
  await exchange[Symbol.asyncDispose]()
  await browser.close()
})

test('UI-FILE-001: a screen whose file failed to load says so, and loads with the first retry that can succeed', async () => {
  const { someone, files } = await withoutFiles()
  const { page, t, go, context } = someone
  await go('/market')
  await marked(page)
  files.block(/chart-/)
  await page.evaluate(() => location.assign('#/contractkline'))
  const failed = page.getByText(t('shell.screenFailed'))
  const retry = page.getByRole('button', { name: t('common.retry') })
  await failed.waitFor()

  const asked = page.waitForEvent('requestfailed', (request) => request.url().includes('/assets/chart-'))
  await retry.click()
  await asked
  await idle(page)
  assert.ok(await failed.isVisible(), 'without the file the message stays')

  files.block()
  await retry.click()
  await page.getByRole('heading', { name: 'BTC/USDT' }).waitFor()
  assert.match(page.url(), /#\/contractkline/)
  assert.ok(await isMarked(page), 'the page was not reloaded')
  await context.close()
})

const missing = { 'its own file': /sheet-/, 'a file that it imports': /form-/, 'its texts': /accounts-/ }
for (const [what, names] of Object.entries(missing))
  test(`UI-FILE-002: a sheet without ${what} says so in its place and can be closed, and its retry keeps what was typed`, async () => {
    const { someone, files } = await withoutFiles(await exchange.user({ funds: { USDT: '5000' } }))
    const { page, t, go, context } = someone
    files.block(names)
    await go(desk)
    await marked(page)
    await sizeOf(someone).fill('0.0123')
    const open = ticketOf(someone).getByRole('button', { name: t('perp.transferIn') })
    const failed = page.getByRole('dialog', { name: t('shell.partFailed') })
    await open.click()
    await failed.waitFor()
    await page.keyboard.press('Escape')
    await failed.waitFor({ state: 'hidden' })
    await sizeOf(someone).fill('0.0456')
    await open.click()
    await failed.waitFor()
    const asked = page.waitForEvent('requestfailed', (request) => names.test(request.url()))
    await failed.getByRole('button', { name: t('common.retry') }).click()
    await asked
    await idle(page)
    assert.ok(await failed.isVisible(), 'without the file the message stays')

    files.block()
    await failed.getByRole('button', { name: t('common.retry') }).click()
    await page.getByRole('dialog', { name: t('accounts.move.title') }).waitFor()
    assert.equal(await failed.count(), 0)
    assert.equal(await sizeOf(someone).inputValue(), '0.0456', 'what was typed is still there')
    assert.ok(await isMarked(page), 'the page was not reloaded')
    await context.close()
  })

test('UI-FILE-002: a part of a form says in its place that it could not be loaded, and loads with its retry', async () => {
  const { someone, files } = await withoutFiles(await exchange.user({ funds: { USDT: '5000' } }))
  const { page, t, go, context } = someone
  files.block(/more-fields-/)
  await go(desk)
  await sizeOf(someone).fill('0.0123')
  await ticketOf(someone)
    .getByRole('checkbox', { name: t('perp.exits') })
    .check()
  const failed = ticketOf(someone)
    .getByRole('alert')
    .filter({ hasText: t('shell.partFailed') })
  await failed.waitFor()
  await sizeOf(someone).fill('0.0456')
  files.block()
  await failed.getByRole('button', { name: t('common.retry') }).click()
  await ticketOf(someone)
    .getByLabel(new RegExp(`^${t('perp.takeProfit')}`))
    .first()
    .waitFor()
  assert.equal(await failed.count(), 0)
  assert.equal(await sizeOf(someone).inputValue(), '0.0456')
  assert.equal(await page.getByText(t('shell.screenFailed')).count(), 0)
  await context.close()
})

test('UI-FILE-002: a sheet whose file failed to load before anybody opened it is silent, and loads when it is opened', async () => {
  const { someone, files } = await withoutFiles(await exchange.user({ funds: { USDT: '5000' } }))
  const { page, t, go, context } = someone
  files.block(/sheets-/)
  const asked = page.waitForEvent('requestfailed', (request) => request.url().includes('/assets/sheets-'))
  await go(desk)
  await asked
  await sizeOf(someone).fill('0.0123')
  assert.equal(await page.getByText(t('shell.partFailed')).isVisible(), false)
  files.block()
  await ticketOf(someone)
    .getByRole('button', { name: new RegExp(`^${t('perp.leverage')}`) })
    .click()
  await page.getByRole('slider', { name: t('perp.leverage') }).waitFor()
  assert.equal(await sizeOf(someone).inputValue(), '0.0123')
  await context.close()
})

test('UI-FILE-003: a retry reloads the page for a file that is gone, or whose failure the browser keeps, once the server answers', async () => {
  const { someone, files } = await withoutFiles()
  const { page, t, go, context } = someone
  await go('/market')
  await marked(page)
  files.block(/chart-/, 404)
  await page.evaluate(() => location.assign('#/contractkline'))
  const failed = page.getByText(t('shell.screenFailed'))
  const retry = page.getByRole('button', { name: t('common.retry') })
  await failed.waitFor()
  await retry.click()
  await page.waitForFunction(() => !('marked' in globalThis))

  // The reloaded page asks for the file itself, and the browser keeps that failure.
  await failed.waitFor()
  await marked(page)
  files.block(/chart-/)
  const asked = page.waitForEvent('requestfailed', (request) => request.url().includes('/assets/chart-'))
  await retry.click()
  await asked
  await idle(page)
  assert.ok(await isMarked(page), 'without an answer the page stays')
  files.block()
  await retry.click()
  await page.getByRole('heading', { name: 'BTC/USDT' }).waitFor()
  assert.equal(await isMarked(page), false)
  await context.close()
})

test('UI-FILE-004: a screen is shown whose file comes between its outline and the work that React does after it', async () => {
  const { page, t, context } = await person(browser, exchange.url)
  // As on a busy phone: what is to run after the outline waits.
  await context.addInitScript(() => {
    const post = MessagePort.prototype.postMessage as (this: MessagePort, ...given: unknown[]) => void
    MessagePort.prototype.postMessage = function (this: MessagePort, ...given: unknown[]) {
      if (document.querySelector('main .skeleton') === null) post.apply(this, given)
      else setTimeout(() => post.apply(this, given), 300)
    }
  })
  let release: () => void = () => undefined
  const isOutlined = new Promise<void>((resolve) => (release = resolve))
  await context.route(/\/assets\/market-[^/]*\.js$/, async (route) => {
    await isOutlined
    await route.continue()
  })
  await page.goto(`${exchange.url}/#/market`)
  await page.locator('main .skeleton').first().waitFor({ state: 'attached' })
  release()
  await page.getByRole('heading', { name: t('market.title') }).waitFor()
  await context.close()
})

/** Opens the app in a browser whose requests for files can be blocked. It has no service worker, because that keeps all files. */
async function withoutFiles(user?: TestUser) {
  const someone = await person(browser, exchange.url, user === undefined ? {} : { user })
  let blocked: { readonly names: RegExp; readonly status: number | undefined } | undefined
  await someone.context.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'serviceWorker'))
  await someone.context.route('**/assets/*.js', (route) => {
    if (blocked === undefined || !blocked.names.test(new URL(route.request().url()).pathname)) return route.continue()
    return blocked.status === undefined ? route.abort() : route.fulfill({ status: blocked.status })
  })
  /** Blocks the files with these names, and no others. Without a status they get no answer. */
  const block = (names?: RegExp, status?: number): void => {
    blocked = names === undefined ? undefined : { names: new RegExp(`/assets/${names.source}`), status }
  }
  return { someone, files: { block } }
}

function ticketOf({ page, t }: Person): Locator {
  return page.getByRole('region', { name: t('trade.ticket') })
}

/** The size of an order of Futures. */
function sizeOf(someone: Person): Locator {
  return ticketOf(someone)
    .getByLabel(new RegExp(`^${someone.t('trade.size')} `))
    .first()
}

/** A retry asks twice for a file, so the first failed request is not its end. */
async function idle(page: Page): Promise<void> {
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
}

/** Marks the page; a reload removes the mark. */
async function marked(page: Page): Promise<void> {
  await page.evaluate(() => Object.assign(globalThis, { marked: true }))
}

async function isMarked(page: Page): Promise<boolean> {
  return page.evaluate(() => 'marked' in globalThis)
}
