/**
 * Notices: the bell, the list, its switches, and push messages. `CANDOR_LOCALES=en,de` chooses languages; `CANDOR_PICTURES=folder`
 * saves pictures.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { NoticeKind } from '@candor/core/protocol/wire/notices.ts'
import { noticeKinds } from '@candor/core/protocol/wire/notices.ts'
import type { Browser, Page } from 'playwright-core'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { addNotice } from '../../server/store/notices.ts'
import { langsOr, person, startBrowser } from './person.ts'
import { sights } from './sights.ts'

let browser: Browser
let exchange: TestExchange
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'notices', hasFeeds: false })
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

const day = 86_400_000
const values: Readonly<Record<string, string>> = {
  ...{ device: 'Chrome · Android', ip: '203.0.113.7', label: 'grid bot', url: 'https://hooks.example.com/candor-events' },
  ...{ symbol: 'BTCUSDT', side: 'sell', quantity: '0.01500', asset: 'BTC', stake: '10.00', payout: '18.50' },
}
const named: Readonly<Partial<Record<NoticeKind, readonly string[]>>> = {
  ...{
    'key-widened': ['label', 'device', 'ip'],
    'key-used': ['label', 'ip'],
    'webhook-created': ['url', 'device', 'ip'],
    'webhook-off': ['url'],
  },
  ...{ 'papers-verified': [], 'papers-rejected': [], 'papers-revoked': [], 'margin-warning': [], 'perp-warning': [] },
  ...{ 'perp-liquidated': ['symbol'], 'perp-deleveraged': ['symbol'], 'margin-liquidated': ['symbol'] },
  ...{ 'option-settled': ['symbol', 'stake', 'payout', 'asset'], 'order-filled': ['symbol', 'side', 'quantity', 'asset'] },
}

/** One notice of each kind, some of them of earlier days. */
async function fill(user: TestUser): Promise<void> {
  const { rows } = await exchange.store.pool.query<{ id: string }>('select id from accounts where core_user = $1', [user.id])
  const account = rows[0]!.id
  for (const kind of ['option-settled', 'order-filled'] as const)
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

for (const lang of langsOr('en', 'hk', 'de'))
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
    const bell = page.getByRole('link', { name: new RegExp(`^${RegExp.escape(t('shell.notices'))}`) })
    const count = (unread: number) => page.getByRole('link', { name: t('shell.unread_other', { count: unread }) })
    await count(noticeKinds.length).waitFor()
    await see('bell')
    await bell.click()
    await page.getByText(t('notices.kind.order-filled.title')).waitFor()
    await see('list')
    for (const kind of noticeKinds) await page.getByText(t(`notices.kind.${kind}.title`), { exact: true }).waitFor()
    await page.getByText(t('notices.sold', { market: 'BTC/USDT', quantity: lang === 'de' ? '0,01500' : '0.01500', asset: 'BTC' })).waitFor()
    await page.getByText('Chrome · Android · 203.0.113.7').first().waitFor()

    await page.getByText(t('notices.kind.key-used.title'), { exact: true }).click()
    await page.waitForURL(/#\/apikeys$/)
    await page.goBack()
    await page.getByText(t('notices.kind.order-filled.title')).waitFor()
    const unread = page.getByRole('img', { name: t('notices.unread'), exact: true })
    while ((await unread.count()) !== noticeKinds.length - 1) await page.waitForTimeout(50)
    await page.setViewportSize({ width: 320, height: 640 })
    await see('narrow')
    await page.getByRole('button', { name: t('notices.markAll') }).click()
    await page.getByRole('button', { name: t('notices.markAll') }).waitFor({ state: 'hidden' })
    assert.equal(await unread.count(), 0)
    await go('/me')
    await page.getByRole('link', { name: t('shell.notices'), exact: true }).waitFor()
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

test('NOTICE-SCREEN-002: the worker shows a push message, a tap on it opens the list, and only a tap asks for push messages', {
  timeout: 300_000,
}, async () => {
  const user = await exchange.user()
  const { page, context, t, go } = await person(browser, exchange.url, { user })
  await context.grantPermissions(['notifications'], { origin: exchange.url })
  await go('/market')
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  const payload = { title: 'Candor', body: 'A Futures position is being liquidated', tag: 'notice-7', url: '/#/notices', lang: 'en-GB' }
  const shown = () =>
    page.evaluate(async () => {
      const notifications = await (await navigator.serviceWorker.ready).getNotifications()
      return notifications.map(({ title, body, tag, lang }) => ({ title, body, tag, lang }))
    })
  await deliver(page, JSON.stringify(payload))
  while ((await shown()).length === 0) await page.waitForTimeout(50)
  await deliver(page, JSON.stringify(payload))
  const { url, ...visible } = payload
  assert.ok(url.startsWith('/'))
  assert.deepEqual(await shown(), [visible], 'a second try replaces the first')

  const [worker] = context.serviceWorkers()
  await worker!.evaluate(async () => {
    const scope = self as unknown as { registration: ServiceWorkerRegistration }
    const [notification] = await scope.registration.getNotifications()
    const Tap = Reflect.get(self, 'NotificationEvent') as new (type: string, init: object) => Event
    self.dispatchEvent(new Tap('notificationclick', { notification }))
  })
  await page.waitForURL(/#\/notices$/)
  while ((await shown()).length > 0) await page.waitForTimeout(50)

  await page.getByRole('button', { name: t('notices.settings') }).click()
  const sheet = page.getByRole('dialog')
  // This browser has no push service that could be reached.
  await sheet.getByRole('button', { name: t('notices.pushTurnOn') }).click()
  await sheet.getByText(t('notices.pushFailed')).waitFor()
  assert.equal((await user.call('GET', '/notices/push')).body.isOn, false)
  await context.close()

  const old = await person(browser, exchange.url, { user })
  await old.context.addInitScript(() => Reflect.deleteProperty(globalThis, 'PushManager'))
  await old.go('/notices')
  await old.page.getByRole('button', { name: t('notices.settings') }).click()
  await old.page.getByText(t('notices.pushUnsupported')).waitFor()
  assert.equal(await old.page.getByRole('button', { name: t('notices.pushTurnOn') }).count(), 0)
  await old.context.close()
})
