/**
 * Notices: the bell, the list, its switches, and push messages. `CANDOR_LOCALES=en,de` chooses languages; `CANDOR_PICTURES=folder`
 * saves pictures.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type NoticeKind, noticeKinds } from '@candor/core/protocol/wire/notices.ts'
import type { Browser, Page, WebSocketRoute } from 'playwright-core'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { type PushService, startPushService } from '../../server/notices/test/push-service.ts'
import { addNotice } from '../../server/store/notices.ts'
import { langsOr, person, startBrowser } from './person.ts'
import { pointsAtNotices } from './pointed.ts'
import { lendPush } from './push.ts'
import { sights } from './sights.ts'

let browser: Browser
let exchange: TestExchange
let service: PushService
before(async () => {
  browser = await startBrowser()
  service = await startPushService()
  exchange = await startExchange({ seed: 'notices', hasFeeds: false, settings: { hasLoopbackPush: true } })
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})

const day = 86_400_000
const values: Readonly<Record<string, string>> = {
  ...{ device: 'Chrome · Android', ip: '203.0.113.7', label: 'grid bot', url: 'https://hooks.example.com/candor-events' },
  ...{ firm: 'Acme Capital', number: '7', ticket: 'K7QX-2M4P-9RTV', condition: 'above', value: '70000.5', note: 'sell some' },
  ...{ symbol: 'BTCUSDT', side: 'sell', quantity: '0.01500', asset: 'BTC', amount: '-12.50', stake: '10.00', payout: '18.50' },
  ...{ rest: 'no-level', whole: '0.02000', order: 'twap', end: 'done' },
}
const named: Readonly<Partial<Record<NoticeKind, readonly string[]>>> = {
  ...{
    'key-widened': ['label', 'device', 'ip'],
    'key-used': ['label', 'ip'],
    'webhook-created': ['url', 'device', 'ip'],
    'webhook-off': ['url'],
  },
  ...{ 'papers-verified': [], 'papers-rejected': [], 'papers-revoked': [], 'margin-warning': [], 'futures-warning': [] },
  ...{
    'funds-posted': ['asset', 'amount'],
    'futures-liquidated': ['symbol'],
    'futures-deleveraged': ['symbol'],
    'margin-liquidated': ['symbol'],
  },
  ...{ 'support-answered': ['ticket'], 'price-alert': ['symbol', 'condition', 'value', 'note'] },
  ...{ 'firm-waiting': ['firm', 'number'], 'firm-decided': ['firm', 'number'], 'firm-invited': ['firm'] },
  ...{ 'firm-changed': ['firm'], 'firm-ended': ['firm'], 'firm-answered': ['firm'], 'signal-refused': ['label'] },
  ...{ 'second-settled': ['symbol', 'stake', 'payout', 'asset'], 'order-filled': ['symbol', 'side', 'quantity', 'asset'] },
  ...{ 'order-ended': ['symbol', 'rest'], 'algo-ended': ['symbol', 'side', 'quantity', 'whole', 'asset', 'order', 'end'] },
}

async function accountOf(user: TestUser): Promise<string> {
  const { rows } = await exchange.store.pool.query<{ id: string }>('select id from accounts where core_user = $1', [user.id])
  return rows[0]!.id
}

/** One notice of each kind, some of them of earlier days. */
async function fill(user: TestUser): Promise<void> {
  const account = await accountOf(user)
  for (const [index, kind] of noticeKinds.entries()) {
    const own = Object.fromEntries((named[kind] ?? ['device', 'ip']).map((name) => [name, values[name]!]))
    const at = Date.now() - Math.max(0, 12 - index) * 4 * 3_600_000 - (index < 4 ? day : 0)
    await addNotice(exchange.store.db, { account, kind, values: own, event: `e${index}`, at })
  }
}

const unreadOf = async (user: TestUser): Promise<number> => (await user.call('GET', '/notices/unread')).body.unread

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((next) => setTimeout(next, 50))
}

/** A push message as the browser's push service would hand it to the worker. */
async function deliver(page: Page, data: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const found = registrations.find(({ scopeURL }) => scopeURL.startsWith(exchange.url))
      if (found !== undefined) resolve(found.registrationId)
    }),
  )
  await session.send('ServiceWorker.enable')
  await session.send('ServiceWorker.deliverPushMessage', { origin: exchange.url, registrationId: await registered, data })
  await session.detach()
}

for (const lang of langsOr('de'))
  test(`NOTICE-SCREEN-001: in ${lang}, the bell counts unread notices, the list leads to their screens, and switches are kept, without accessibility faults`, {
    timeout: 300_000,
  }, async () => {
    const user = await exchange.user()
    const { page, context, t, go, complaints } = await person(browser, exchange.url, { lang, user })
    const [list, { wrong, see }] = [page.locator('main'), sights(page, 'notices', lang)]
    await user.call('POST', '/notices/read', { upTo: 1e12 })
    await exchange.store.pool.query('delete from notices where account = (select id from accounts where core_user = $1)', [user.id])
    await go('/notices')
    await page.getByText(t('notices.empty')).waitFor()
    await see('empty')
    await fill(user)

    await go('/')
    const bell = page.getByRole('link', { name: new RegExp(`^${RegExp.escape(t('notices.title'))}`) })
    const count = (unread: number) => page.getByRole('link', { name: t('notices.unreadCount_other', { count: unread }) })
    await count(noticeKinds.length).waitFor()
    await see('bell')
    await bell.click()
    await page.getByText(t('notices.kind.order-filled.title')).waitFor()
    await see('list')
    // There are more kinds than one page of the list shows: what was not shown stays unread.
    await until(async () => (await unreadOf(user)) === noticeKinds.length - 50)
    await until(async () => (await page.getByRole('img', { name: t('notices.unread'), exact: true }).count()) === 50)
    await page.getByRole('button', { name: t('notices.markAll') }).click()
    await page.getByRole('button', { name: t('notices.markAll') }).waitFor({ state: 'detached' })
    await until(async () => (await unreadOf(user)) === 0)
    const earlier = page.getByRole('button', { name: t('notices.earlier') })
    await earlier.click()
    await see('all')
    for (const kind of noticeKinds) await list.getByText(t(`notices.kind.${kind}.title`), { exact: true }).waitFor()
    await page.getByText('Chrome · Android · 203.0.113.7').first().waitFor()
    await page.getByText(t('notices.kind.order-ended.text', { market: 'BTC/USDT', why: t('orders.reason.no-level') })).waitFor()
    const [quantity, whole] = ['0.01500', '0.02000'].map((text) => (lang === 'de' ? text.replace('.', ',') : text)) as [string, string]
    const sold = { market: 'BTC/USDT', quantity, whole, asset: 'BTC', why: t('algo.end.done') }
    for (const text of ['notices.sold', 'notices.soldInParts'] as const) await page.getByText(t(text, sold)).waitFor()
    await page.getByRole('button', { name: t('notices.trading'), exact: true }).click()
    await list.getByText(t('notices.kind.key-used.title'), { exact: true }).waitFor({ state: 'detached' })
    await page.getByText(t('notices.kind.order-ended.title'), { exact: true }).waitFor()
    await see('trading')
    await page.getByRole('button', { name: t('notices.all'), exact: true }).click()

    await list.getByText(t('notices.kind.key-used.title'), { exact: true }).click()
    await page.waitForURL(/#\/apikeys$/)
    await page.goBack()
    await page.getByText(t('notices.kind.order-filled.title')).waitFor()
    await page.setViewportSize({ width: 320, height: 640 })
    await see('narrow')
    await go('/me')
    await page.getByRole('link', { name: t('notices.title'), exact: true }).waitFor()
    await page.setViewportSize({ width: 390, height: 844 })

    await go('/notices')
    await page.getByRole('button', { name: t('notices.settings') }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByText(t('notices.pushDenied')).waitFor()
    await see('settings')
    const warning = sheet.getByRole('group', { name: t('notices.kind.margin-warning.title') })
    assert.equal(
      await sheet
        .getByRole('group', { name: t('notices.kind.new-device.title') })
        .getByRole('switch')
        .count(),
      1,
    )
    const mail = warning.getByRole('switch', { name: t('notices.mail') })
    assert.equal(await mail.getAttribute('aria-checked'), 'true')
    await mail.click()
    await warning.getByRole('switch', { name: t('notices.mail'), checked: false }).waitFor()
    await page.setViewportSize({ width: 320, height: 640 })
    await see('settings-narrow')
    const kept = async () => (await user.call('GET', '/notices/preferences')).body.preferences as { kind: string; channels: string[] }[]
    await until(async () => String((await kept()).find(({ kind }) => kind === 'margin-warning')?.channels) === 'inbox,push')
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })

for (const lang of langsOr('de'))
  test(`NOTICE-BANNER-005: in ${lang}, an order that somebody fills is told at the top of any screen, View opens it, and the bell keeps it for all devices`, {
    timeout: 300_000,
  }, async () => {
    const user = await exchange.user({ funds: { USDT: '1000' } })
    const other = await exchange.user({ funds: { BTC: '10' } })
    await user.call('POST', '/notices/read', { upTo: 1e12 })
    const [phone, tablet] = [await person(browser, exchange.url, { lang, user }), await person(browser, exchange.url, { lang, user })]
    const { page, t, go, format } = phone
    const { wrong, see } = sights(page, 'banner', lang)
    const banner = page.locator('[data-notice]')
    await pointsAtNotices(page)
    const sockets: WebSocketRoute[] = []
    let isDown = false
    await page.routeWebSocket(/\/app\/v1\/stream/, (socket) => {
      if (isDown) return void socket.close()
      socket.connectToServer()
      sockets.push(socket)
    })
    let placed = 0
    const rest = async (quantity: string): Promise<void> => {
      const order = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '100', quantity, timeInForce: 'GTC' }
      const { status, body } = await user.call('POST', '/spot/orders', { clientId: `r${++placed}`, ...order })
      assert.equal(status, 200, JSON.stringify(body))
    }
    const fill = async (quantity: string): Promise<void> => {
      const order = { symbol: 'BTCUSDT', side: 'sell', type: 'limit', price: '100', quantity, timeInForce: 'IOC' }
      assert.equal((await other.call('POST', '/spot/orders', { clientId: `f${++placed}`, ...order })).status, 200)
    }
    /** An order is told when it is filled later than 1.5 s after it was placed, by the exchange's clock. */
    const rested = () => page.waitForTimeout(1_700)

    await rest('0.15')
    await go('/me')
    await page.getByRole('link', { name: t('notices.title'), exact: true }).waitFor()
    while (sockets.length === 0) await page.waitForTimeout(50)
    await rested()
    await fill('0.15')
    await banner.getByText(`BTC/USDT · ${t('orders.bought', { quantity: `${format.exact('0.15000')} BTC` })}`).waitFor()
    await see('one')
    const view = banner.getByRole('button', { name: t('notices.view') })
    await view.click()
    await page.waitForURL(/#\/entrust\?product=spot&tab=history&order=/)
    await page.getByRole('dialog').getByText('BTC/USDT').first().waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL(/#\/entrust\?product=spot&tab=history$/)

    for (let order = 0; order < 20; order++) await rest('0.1')
    await go('/spot')
    await page.setViewportSize({ width: 320, height: 640 })
    await page.getByRole('region', { name: t('trade.ticket') }).waitFor()
    await rested()
    await fill('2')
    await banner.getByText(t('notices.filledCount_other', { count: 20 })).waitFor()
    assert.equal(await banner.locator('.toast').count(), 1)
    const [top, bottom] = await banner.evaluate((node) => [node.getBoundingClientRect().top, node.getBoundingClientRect().bottom])
    assert.ok(top! >= 0 && bottom! < 200, `${top}–${bottom}`)
    await see('many-narrow')
    const box = (await banner.locator('.toast').boundingBox())!
    await page.mouse.move(box.x + 40, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + 40, box.y - 30)
    await page.mouse.up()
    await banner.locator('.toast').waitFor({ state: 'detached' })
    await page.setViewportSize({ width: 390, height: 844 })

    // What happens while the socket is down is told once, when it is back.
    await rest('0.12')
    await rested()
    isDown = true
    for (const socket of sockets.splice(0)) await socket.close()
    await fill('0.12')
    isDown = false
    const late = banner.getByText(`BTC/USDT · ${t('orders.bought', { quantity: `${format.exact('0.12000')} BTC` })}`)
    await late.waitFor()
    await banner.getByRole('button', { name: t('common.close') }).click()
    await late.waitFor({ state: 'detached' })
    assert.equal(await banner.locator('.toast').count(), 0)

    // The order that View opened counts as read.
    const count = ({ page: on }: typeof phone, unread: number) =>
      on.getByRole('link', { name: t('notices.unreadCount_other', { count: unread }) })
    await go('/me')
    await count(phone, 21).waitFor()
    await page.reload()
    await count(phone, 21).waitFor()
    await tablet.go('/notices')
    await tablet.page.getByRole('button', { name: t('notices.markAll') }).click()
    await tablet.page.getByRole('button', { name: t('notices.markAll') }).waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('link', { name: t('notices.title'), exact: true }).waitFor()
    assert.deepEqual([wrong, phone.complaints, tablet.complaints], [[], [], []])
    await phone.context.close()
    await tablet.context.close()
  })

test('NOTICE-SCREEN-003: entries that the list showed for two seconds count as read, their marks stay until it is loaded again', {
  timeout: 120_000,
}, async () => {
  const user = await exchange.user()
  await user.call('POST', '/notices/read', { upTo: 1e12 })
  await addNotice(exchange.store.db, { account: await accountOf(user), kind: 'papers-verified', values: {}, event: 's', at: Date.now() })
  const { page, context, t, go } = await person(browser, exchange.url, { user })
  const mark = page.getByRole('img', { name: t('notices.unread'), exact: true })
  await go('/notices')
  await mark.first().waitFor()
  await page.getByRole('button', { name: t('notices.trading'), exact: true }).click()
  await until(async () => (await unreadOf(user)) === 1)
  await page.getByRole('button', { name: t('notices.all'), exact: true }).click()
  await until(async () => (await unreadOf(user)) === 0)
  assert.equal(await mark.count(), 1)
  await page.reload()
  await page.getByText(t('notices.kind.papers-verified.title')).waitFor()
  await mark.first().waitFor({ state: 'detached' })
  await context.close()
})

test('NOTICE-BANNER-006: transfers and loans made elsewhere are told at the top, own ones can be undone', {
  timeout: 120_000,
}, async () => {
  const user = await exchange.user({ funds: { USDT: '1000' }, isCertified: true })
  const { page, context, t, go, format, complaints } = await person(browser, exchange.url, { user })
  const banner = page.locator('[data-notice]')
  await pointsAtNotices(page)
  const sum = (amount: string) => ({ amount: `${format.usdt(amount)} USDT` })
  const move = { clientId: 'm', asset: 'USDT', from: 'spot', to: 'margin-cross', amount: '100' }
  const heard = page.waitForEvent('websocket', (socket) => socket.url().endsWith('/stream'))
  await go('/me')
  await (await heard).waitForEvent('framereceived')
  assert.equal((await user.call('POST', '/transfer', move)).status, 200)
  await banner.getByText(t('notices.moved.transfer', sum('100'))).waitFor()
  await banner.getByText(`${t('accounts.name.spot')} → ${t('accounts.name.margin-cross')}`).waitFor()
  assert.equal((await user.call('POST', '/margin/borrow', { clientId: 'b', asset: 'USDT', amount: '50' })).status, 200)
  await banner.getByText(t('notices.movedCount_other', { count: 2 })).waitFor()
  await banner.getByRole('button', { name: t('common.close') }).click()

  const spot = async () => (await user.call('GET', '/balances')).body.accounts.find(({ kind }: any) => kind === 'spot')
  const before = JSON.stringify(await spot())
  await go('/transfer')
  await page.getByLabel(new RegExp(`^${t('margin.amount')}`)).fill('30')
  await page.getByRole('button', { name: t('accounts.move.now'), exact: true }).click()
  await page.getByText(t('accounts.move.done', sum('30'))).waitFor()
  await page.getByRole('button', { name: t('accounts.move.undo'), exact: true }).click()
  await page.getByText(t('accounts.move.undone', sum('30'))).waitFor()
  assert.equal(JSON.stringify(await spot()), before)
  assert.equal(await banner.locator('.toast').count(), 0)
  assert.deepEqual(complaints, [])
  await context.close()
})

test('NOTICE-SCREEN-002: only a tap asks for push messages; the worker shows one, and a tap on it opens the list', {
  timeout: 300_000,
}, async () => {
  const user = await exchange.user()
  const { page, context, t, go, complaints } = await person(browser, exchange.url, { user })
  const { target } = service.browser()
  await context.addInitScript(lendPush, target)
  await go('/notices')
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  const sheet = page.getByRole('dialog')
  const open = () => page.getByRole('button', { name: t('notices.settings') }).click()
  const asked = () => page.evaluate(() => (globalThis as unknown as { asked: number }).asked)
  await open()
  await sheet.getByText(t('notices.pushHint')).waitFor()
  assert.equal(await asked(), 0)
  await sheet.getByRole('button', { name: t('notices.pushTurnOn') }).click()
  await sheet.getByText(t('notices.pushIsOn')).waitFor()
  assert.equal(await asked(), 1)

  const [worker] = context.serviceWorkers()
  await worker!.evaluate(() => {
    const shown: object[] = []
    Object.assign(self, { shown })
    ServiceWorkerRegistration.prototype.showNotification = async (title, options) => void shown.push({ title, ...options })
  })
  const shown = () => worker!.evaluate(() => (self as unknown as { shown: object[] }).shown)
  await addNotice(exchange.store.db, { account: await accountOf(user), kind: 'futures-liquidated', values: {}, event: 'p', at: Date.now() })
  const [told] = await service.until(1)
  await go('/market')
  await deliver(page, JSON.stringify(told!.payload))
  while ((await shown()).length === 0) await page.waitForTimeout(50)
  const { url, ...visible } = told!.payload
  assert.deepEqual(await shown(), [{ ...visible, icon: '/icons/icon-192.png', data: { url } }])
  assert.equal(visible.body, 'A Futures position is being liquidated')

  await worker!.evaluate(
    (data) => {
      const tap = Object.assign(new Event('notificationclick'), {
        notification: { data, close: () => undefined },
        waitUntil: (work: Promise<unknown>) => void work.catch(() => undefined),
      })
      self.dispatchEvent(tap)
    },
    { url },
  )
  await page.waitForURL(/#\/notices$/)
  await page.getByText(t('notices.kind.futures-liquidated.title')).waitFor()
  await open()
  await sheet.getByRole('button', { name: t('notices.pushTurnOff') }).click()
  await sheet.getByRole('button', { name: t('notices.pushTurnOn') }).waitFor()
  assert.equal((await user.call('GET', '/notices/push')).body.isOn, false)
  assert.deepEqual(complaints, [])
  await context.close()
})

test('NOTICE-SCREEN-002: the screen says when the browser lacks push messages, or its push service fails', {
  timeout: 300_000,
}, async () => {
  const user = await exchange.user()
  const old = await person(browser, exchange.url, { user })
  await old.context.addInitScript(() => Reflect.deleteProperty(globalThis, 'PushManager'))
  await old.go('/notices')
  await old.page.getByRole('button', { name: old.t('notices.settings') }).click()
  await old.page.getByText(old.t('notices.pushUnsupported')).waitFor()
  assert.equal(await old.page.getByRole('button', { name: old.t('notices.pushTurnOn') }).count(), 0)
  await old.context.close()

  const cut = await person(browser, exchange.url, { user })
  await cut.context.addInitScript(lendPush, service.browser().target)
  await cut.context.addInitScript(() => {
    PushManager.prototype.subscribe = () => Promise.reject(new DOMException('push service not available', 'AbortError'))
  })
  await cut.go('/notices')
  await cut.page.getByRole('button', { name: cut.t('notices.settings') }).click()
  await cut.page.getByRole('button', { name: cut.t('notices.pushTurnOn') }).click()
  await cut.page.getByText(cut.t('notices.pushFailed')).waitFor()
  await cut.context.close()
})
