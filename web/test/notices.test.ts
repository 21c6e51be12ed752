/**
 * Notices: the bell, the list, its switches, and push messages. `CANDOR_LOCALES=en,de` chooses languages; `CANDOR_PICTURES=folder`
 * saves pictures.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type NoticeKind, noticeKinds, type WirePushTarget } from '@candor/core/protocol/wire/notices.ts'
import type { Browser, Page, WebSocketRoute } from 'playwright-core'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { type PushService, startPushService } from '../../server/notices/test/push-service.ts'
import { addNotice } from '../../server/store/notices.ts'
import { langsOr, person, startBrowser } from './person.ts'
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
  ...{ firm: 'Acme Capital', number: '7' },
  ...{ ticket: 'K7QX-2M4P-9RTV', condition: 'above', value: '70000.5', note: 'sell some' },
  ...{ symbol: 'BTCUSDT', side: 'sell', quantity: '0.01500', asset: 'BTC', amount: '-12.50', stake: '10.00', payout: '18.50' },
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
  ...{ 'firm-waiting': ['firm', 'number'], 'firm-decided': ['firm', 'number'] },
  ...{ 'firm-invited': ['firm'], 'firm-changed': ['firm'], 'firm-ended': ['firm'], 'firm-answered': ['firm'] },
  ...{ 'second-settled': ['symbol', 'stake', 'payout', 'asset'], 'order-filled': ['symbol', 'side', 'quantity', 'asset'] },
}

async function accountOf(user: TestUser): Promise<string> {
  const { rows } = await exchange.store.pool.query<{ id: string }>('select id from accounts where core_user = $1', [user.id])
  return rows[0]!.id
}

/** One notice of each kind, some of them of earlier days. */
async function fill(user: TestUser): Promise<void> {
  const account = await accountOf(user)
  for (const kind of ['second-settled', 'order-filled'] as const)
    await user.call('PATCH', '/notices/preferences', { kind, channel: 'inbox', isOn: true })
  for (const [index, kind] of noticeKinds.entries()) {
    const own = Object.fromEntries((named[kind] ?? ['device', 'ip']).map((name) => [name, values[name]!]))
    const at = Date.now() - Math.max(0, 12 - index) * 4 * 3_600_000 - (index < 4 ? day : 0)
    await addNotice(exchange.store.db, { account, kind, values: own, event: `e${index}`, at })
  }
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
    const { wrong, see } = sights(page, 'notices', lang)
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
    // There are more kinds than one page of the list shows.
    const earlier = page.getByRole('button', { name: t('notices.earlier') })
    await earlier.click()
    await see('all')
    for (const kind of noticeKinds) await page.getByText(t(`notices.kind.${kind}.title`), { exact: true }).waitFor()
    await page.getByText(t('notices.sold', { market: 'BTC/USDT', quantity: lang === 'de' ? '0,01500' : '0.01500', asset: 'BTC' })).waitFor()
    await page.getByText('Chrome · Android · 203.0.113.7').first().waitFor()

    await page.getByText(t('notices.kind.key-used.title'), { exact: true }).click()
    await page.waitForURL(/#\/apikeys$/)
    await page.goBack()
    await page.getByText(t('notices.kind.order-filled.title')).waitFor()
    const unread = page.getByRole('img', { name: t('notices.unread'), exact: true })
    while ((await unread.count()) !== noticeKinds.length - 1) {
      if (await earlier.isVisible()) await earlier.click()
      await page.waitForTimeout(50)
    }
    await page.setViewportSize({ width: 320, height: 640 })
    await see('narrow')
    await page.getByRole('button', { name: t('notices.markAll') }).click()
    await unread.first().waitFor({ state: 'detached' })
    await page.getByRole('button', { name: t('notices.markAll') }).waitFor({ state: 'detached' })
    await go('/me')
    await page.getByRole('link', { name: t('notices.title'), exact: true }).waitFor()
    assert.deepEqual((await user.call('GET', '/notices/unread')).body, { unread: 0 })
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
    const { preferences } = (await user.call('GET', '/notices/preferences')).body as { preferences: { kind: string; channels: string[] }[] }
    assert.deepEqual(preferences.find(({ kind }) => kind === 'margin-warning')?.channels, ['inbox', 'push'])
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })

for (const lang of langsOr('de'))
  test(`NOTICE-BANNER-005: in ${lang}, an order that somebody fills is told at the top of any screen, View opens it, and the bell keeps it for all devices`, {
    timeout: 300_000,
  }, async () => {
    const user = await exchange.user({ funds: { USDT: '1000' } })
    const other = await exchange.user({ funds: { BTC: '10' } })
    await user.call('PATCH', '/notices/preferences', { kind: 'order-filled', channel: 'inbox', isOn: true })
    await user.call('POST', '/notices/read', { upTo: 1e12 })
    const [phone, tablet] = [await person(browser, exchange.url, { lang, user }), await person(browser, exchange.url, { lang, user })]
    const { page, t, go, format } = phone
    const { wrong, see } = sights(page, 'banner', lang)
    const banner = page.locator('[data-notice]')
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
    // It stays while somebody points at it.
    await banner.locator('.toast').hover()
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
    await banner.locator('.toast').hover()
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

    const count = ({ page: on }: typeof phone, unread: number) =>
      on.getByRole('link', { name: t('notices.unreadCount_other', { count: unread }) })
    await go('/me')
    await count(phone, 22).waitFor()
    await page.reload()
    await count(phone, 22).waitFor()
    await tablet.go('/notices')
    await tablet.page.getByRole('button', { name: t('notices.markAll') }).click()
    await tablet.page.getByRole('button', { name: t('notices.markAll') }).waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('link', { name: t('notices.title'), exact: true }).waitFor()
    assert.deepEqual([wrong, phone.complaints, tablet.complaints], [[], [], []])
    await phone.context.close()
    await tablet.context.close()
  })

/** Stands in for the browser's push service and its question, which a browser without a screen lacks. `asked` counts questions. */
function lendPush({ endpoint, keys }: WirePushTarget): void {
  let current: object | null = null
  const page = globalThis as unknown as { asked: number }
  page.asked = 0
  Object.defineProperty(Notification, 'permission', { get: () => (page.asked === 0 ? 'default' : 'granted') })
  Notification.requestPermission = async () => {
    page.asked++
    return 'granted'
  }
  const lent = {
    getSubscription: async () => current,
    subscribe: async (options: { readonly applicationServerKey: Uint8Array; readonly userVisibleOnly: boolean }) => {
      if (!options.userVisibleOnly) throw new DOMException('only visible messages', 'NotAllowedError')
      const unsubscribe = async () => {
        current = null
        return true
      }
      current = { endpoint, options: { applicationServerKey: options.applicationServerKey.buffer }, toJSON: () => ({ keys }), unsubscribe }
      return current
    },
  }
  Object.assign(PushManager.prototype, lent)
}

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
