/** Transfers and loans that this page did not make: over the app, in the list of notices, and their way back. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { ownTime } from './own-world.ts'
import { langsOr, person, startBrowser } from './person.ts'
import { pointsAtNotices } from './pointed.ts'
import { sights } from './sights.ts'

const time = ownTime()
let browser: Browser
let exchange: TestExchange
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'moves', hasFeeds: false, time })
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

const minuteMs = 60_000
const asked = async (user: TestUser, path: string, body: object): Promise<void> => {
  const answer = await user.call('POST', path, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
}
const unreadOf = async (user: TestUser): Promise<number> => (await user.call('GET', '/notices/unread')).body.unread
const spotOf = async (user: TestUser): Promise<string> =>
  JSON.stringify((await user.call('GET', '/balances')).body.accounts.find(({ kind }: { kind: string }) => kind === 'spot').balances)

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((next) => setTimeout(next, 50))
}

/** Entries of one minute of the exchange's clock are joined. */
function newMinute(): void {
  time.ahead += minuteMs - (time.wall() % minuteMs)
}

/** What others do so soon after a deed of the page is taken for its own. */
const echoed = (page: Page) => page.waitForTimeout(2_100)

for (const lang of langsOr('de'))
  test(`NOTICE-BANNER-006: in ${lang}, a transfer made elsewhere is told with its way back, which counts once, and the list keeps transfers and loans`, {
    timeout: 120_000,
  }, async () => {
    const user = await exchange.user({ funds: { USDT: '1000' }, isCertified: true })
    const { page, context, t, go, format, complaints } = await person(browser, exchange.url, { lang, user })
    const { wrong, see } = sights(page, 'moves', lang)
    const banner = page.locator('[data-notice]')
    await pointsAtNotices(page)
    await user.call('POST', '/notices/read', { upTo: 1e12 })
    const before = await spotOf(user)
    const sum = (amount: string) => ({ amount: `${format.usdt(amount)} USDT` })
    const heard = page.waitForEvent('websocket', (socket) => socket.url().endsWith('/stream'))
    await go('/me')
    await (await heard).waitForEvent('framereceived')
    await asked(user, '/transfer', { clientId: 'm', asset: 'USDT', from: 'spot', to: 'margin-cross', amount: '100' })
    await banner.getByText(t('notices.moved.transfer', sum('100'))).waitFor()
    await banner.getByRole('button', { name: t('notices.view') }).waitFor()
    await until(async () => (await unreadOf(user)) > 0)
    await page.setViewportSize({ width: 320, height: 640 })
    await see('undo')
    await page.setViewportSize({ width: 390, height: 844 })
    const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/transfer'))
    await banner.getByRole('button', { name: t('accounts.move.undo'), exact: true }).click()
    await page.getByText(t('accounts.move.undone', sum('100'))).waitFor()
    assert.equal(await spotOf(user), before)
    await asked(user, '/transfer', (await sent).postDataJSON())
    assert.equal(await spotOf(user), before, 'another device undoes it')

    await echoed(page)
    await asked(user, '/margin/borrow', { clientId: 'b', asset: 'USDT', amount: '50' })
    await banner.getByText(t('notices.moved.borrow', sum('50'))).waitFor()
    assert.equal(await banner.getByRole('button', { name: t('accounts.move.undo'), exact: true }).count(), 0)
    await asked(user, '/margin/repay', { clientId: 'r', asset: 'USDT', amount: '20' })
    await banner.getByText(t('notices.movedCount_other', { count: 2 })).waitFor()
    await banner.getByRole('button', { name: t('common.close') }).click()
    newMinute()
    for (const [number, amount] of ['1', '2.5', '3'].entries())
      await asked(user, '/transfer', { clientId: `n${number}`, asset: 'USDT', from: 'spot', to: 'perp', amount })
    await banner.getByText(t('notices.movedCount_other', { count: 3 })).waitFor()
    await banner.getByRole('button', { name: t('common.close') }).click()
    await until(async () => (await unreadOf(user)) >= 4)
    await go('/notices')
    const list = page.locator('main')
    await list.getByText(`${t('notices.moved.borrow', sum('50'))} · ${t('accounts.name.margin-cross')}`).waitFor()
    await list.getByText(`${t('notices.moved.repay', sum('20'))} · ${t('accounts.name.margin-cross')}`).waitFor()
    await list.getByText(t('notices.kind.coins-moved.text', { times: '3', sum: sum('6.5').amount })).waitFor()
    await see('list')
    await list.getByText(t('notices.kind.loan-taken.title'), { exact: true }).click()
    await page.waitForURL(/#\/lever\?tab=loans$/)
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })

test('NOTICE-BANNER-008: what the page itself transferred counts as read there, its way back too', { timeout: 120_000 }, async () => {
  const user = await exchange.user({ funds: { USDT: '1000' }, isCertified: true })
  const { page, context, t, go, format, complaints } = await person(browser, exchange.url, { user })
  const sum = (amount: string) => ({ amount: `${format.usdt(amount)} USDT` })
  newMinute()
  const heard = page.waitForEvent('websocket', (socket) => socket.url().endsWith('/stream'))
  await go('/transfer')
  await (await heard).waitForEvent('framereceived')
  const entry = async () => {
    const { notices } = (await user.call('GET', '/notices')).body
    return notices.find(({ kind }: { kind: string }) => kind === 'coins-moved')
  }
  await page.getByLabel(new RegExp(`^${t('margin.amount')}`)).fill('30')
  await page.getByRole('button', { name: t('accounts.move.now'), exact: true }).click()
  await page.getByText(t('accounts.move.done', sum('30'))).waitFor()
  await page.getByRole('button', { name: t('accounts.move.undo'), exact: true }).click()
  await page.getByText(t('accounts.move.undone', sum('30'))).waitFor()
  await until(async () => (await entry())?.values.count === '2' && (await entry()).readAt !== undefined)
  assert.equal(await page.locator('[data-notice] .toast').count(), 0)

  // One by somebody else in the same minute leaves the entry unread.
  await echoed(page)
  await asked(user, '/transfer', { clientId: 'o', asset: 'USDT', from: 'spot', to: 'perp', amount: '5' })
  await until(async () => (await entry()).values.count === '3')
  assert.equal((await entry()).readAt, undefined)
  assert.deepEqual(complaints, [])
  await context.close()
})
