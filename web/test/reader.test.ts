/**
 * An order with the keyboard and a screen reader alone, in Spot and in Futures, as `docs/accessibility.md` describes it: by roles and
 * names, with the announcements and the focus after each step.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { violations } from './axe.ts'
import { open } from './checklist-walk.ts'
import { ownIndex } from './own-world.ts'
import { type Lang, langsOr, type Person, person, startBrowser } from './person.ts'
import { listen, type Reader, reader } from './reader.ts'
import { pictured } from './sights.ts'

let browser: Browser
let exchange: TestExchange
let ticks: ReturnType<typeof setInterval>
const { index } = ownIndex(() => exchange)
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'reader', hasFeeds: false })
  await index({ btc: 60_000, eth: 3_000 })
  ticks = setInterval(() => void index(), 500)
  const maker = await exchange.user({ funds: { USDT: '2000000', BTC: '30' }, class: 'bench', isCertified: true })
  await done(maker, '/transfer', { clientId: 'in', asset: 'USDT', from: 'spot', to: 'perp', amount: '500000' })
  for (const [product, symbol] of [
    ['spot', 'BTCUSDT'],
    ['perp', 'BTCUSDTPERP'],
  ] as const) {
    for (const [side, price] of [
      ['buy', '59970'],
      ['sell', '60030'],
    ] as const)
      await done(maker, `/${product}/orders`, { clientId: `${product}-${side}`, symbol, side, type: 'limit', price, quantity: '3' })
  }
})
after(async () => {
  clearInterval(ticks)
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

async function done(user: TestUser, path: string, body: object): Promise<void> {
  const { status, body: answer } = await user.call('POST', path, body)
  assert.ok(status < 300, `${path}: ${JSON.stringify(answer)}`)
}

const customer = (): Promise<TestUser> => exchange.user({ funds: { USDT: '9000', BTC: '0.1' }, isCertified: true })

type Listener = Person & Reader

/** Someone who opens a path with the keyboard, and hears it. */
async function listener(lang: Lang, user: TestUser, path: string): Promise<Listener> {
  const someone = await person(browser, exchange.url, { lang, user })
  await listen(someone.context)
  await someone.go(path)
  await someone.page.waitForFunction(() => document.querySelector('main .skeleton') === null)
  return { ...someone, ...reader(someone.page) }
}

/** Whether these stand in the list in this order, each a role and the beginning of a name. */
function inOrder(path: readonly string[], wanted: readonly string[]): void {
  let at = 0
  for (const one of wanted) {
    const found = path.findIndex((line, n) => n >= at && line.startsWith(one))
    assert.ok(found >= 0, `${one} is not in its place:\n${path.join('\n')}`)
    at = found + 1
  }
}

/** Of phones that are small, short or turned, and of a tablet. */
const sizes = [
  [320, 568],
  [768, 1024],
  [390, 664],
  [844, 390],
] as const
const screens = ['/', '/market', '/spot', '/contract', '/Second', '/lever', '/contractkline', '/entrust', '/property', '/me', '/setting']

test('UI-READER-005: the main screens have no accessibility faults and fit on small, short and turned phones and on tablets', {
  timeout: 180_000,
}, async () => {
  const { page, context, complaints } = await listener('en', await customer(), '/')
  const wrong: string[] = []
  for (const [n, path] of screens.entries()) {
    await open(page, path)
    for (const [at, [width, height]] of sizes.entries()) {
      await page.setViewportSize({ width, height })
      const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      if (over > 0) wrong.push(`${path} ${width}×${height}: ${over} px too wide`)
      // Screens take turns, because each check takes half a second.
      if (at % 2 === n % 2) wrong.push(...(await violations(page)).map((line) => `${path} ${width}×${height}: ${line}`))
      await pictured(page, `size-${path.slice(1)}-${width}`)
    }
  }
  assert.deepEqual(wrong, [])
  assert.deepEqual(complaints, [])
  await context.close()
})

test('UI-READER-004: the first message of a page is announced', { timeout: 120_000 }, async () => {
  const { page, context, t, tabsTo, hears } = await listener('en', await customer(), '/property')
  await tabsTo('button', t('assets.faucet', { asset: 'USDT' }))
  await page.keyboard.press('Enter')
  await hears(t('assets.faucetDone', { asset: 'USDT' }))
  await context.close()
})

/** Chooses a kind of order in its sheet, with the keyboard; the focus returns to the button that opened it. */
async function choosesKind({ page, t, tabsTo }: Listener, from: string, to: string): Promise<void> {
  await tabsTo('button', t(`trade.kind.${from}`))
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await tabsTo('radio', new RegExp(`^${t(`trade.kind.${to}`)}`))
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page
    .getByRole('button', { name: t(`trade.kind.${to}`), exact: true })
    .and(page.locator(':focus'))
    .waitFor()
}

/** Types into the field in focus, in place of what is there. */
async function types(page: Listener['page'], text: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(text)
}

for (const lang of langsOr('en', 'de')) {
  test(`UI-READER-001: in ${lang}, the Spot desk is read from its heading to the orders, and nothing on it is without a name`, {
    timeout: 120_000,
  }, async () => {
    const { page, context, t, path, nameless } = await listener(lang, await customer(), '/spot?symbol=BTCUSDT')
    assert.match(await page.title(), new RegExp(`^${t('trade.spot')} `))
    inOrder(await path(), [
      'main',
      `navigation "${t('trade.desks')}"`,
      `heading "${t('trade.spot')}"`,
      `button "${t('trade.choosePair', { pair: 'BTC/USDT' })}"`,
      `region "${t('trade.ticket')}"`,
      `radiogroup "${t('trade.side')}"`,
      `button "${t('trade.kind.limit')}"`,
      `textbox "${t('trade.price')} (USDT)"`,
      `textbox "${t('trade.quantity')} (BTC)"`,
      `button "${t('trade.buyCoin', { coin: 'BTC' })}"`,
      `region "${t('trade.book')}"`,
      `tablist "${t('orders.panel')}"`,
      `tabpanel "${t('orders.tab.orders')}"`,
      `navigation "${t('shell.tabs')}"`,
    ])
    assert.deepEqual(await nameless(), [])
    await context.close()
  })

  test(`UI-READER-002: in ${lang}, a Spot order is placed, filled and cancelled with the keyboard, each step is announced, and the focus stays`, {
    timeout: 180_000,
  }, async () => {
    const someone = await listener(lang, await customer(), '/spot?symbol=BTCUSDT')
    const { page, context, t, format, tabsTo, hears, focused, complaints } = someone
    const price = `${t('trade.price')} (USDT)`
    const buy = t('trade.buyCoin', { coin: 'BTC' })
    const passed = [
      ...(await tabsTo('radio', t('trade.buy'))),
      ...(await tabsTo('textbox', price)),
      ...(await tabsTo('textbox', `${t('trade.quantity')} (BTC)`)),
    ]
    inOrder(passed, [
      `radio "${t('trade.buy')}"`,
      `button "${t('trade.kind.limit')}"`,
      `button "${t('trade.options')}"`,
      `textbox "${price}"`,
    ])

    // The first wrong field takes the focus, and says what is wrong.
    await tabsTo('button', buy)
    await page.keyboard.press('Enter')
    await hears(t('orders.wrong.amount'))
    assert.equal(await focused(), `textbox "${t('trade.quantity')} (BTC)"`)
    await types(page, '0.01')
    await page.keyboard.press('Shift+Tab')
    while ((await focused()) !== `textbox "${price}"`) await page.keyboard.press('Shift+Tab')
    await types(page, '59000')
    await tabsTo('button', buy)
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: buy })
    await dialog.waitFor()
    assert.ok(await dialog.evaluate((element) => element.contains(document.activeElement)))
    await tabsTo('button', t('trade.confirm'))
    await page.keyboard.press('Enter')
    await hears(t('orders.placed'))
    await page.getByRole('button', { name: buy }).and(page.locator(':focus')).waitFor()

    await tabsTo('tab', `${t('orders.open')} 1`)
    await tabsTo('button', t('orders.change'))
    await tabsTo('button', t('orders.cancel'))
    await page.keyboard.press('Enter')
    await hears(t('orders.cancelled'))
    await page
      .getByRole('tab', { name: t('orders.open'), exact: true })
      .and(page.locator(':focus'))
      .waitFor()

    await choosesKind(someone, 'limit', 'market')
    await tabsTo('textbox', `${t('trade.quantity')} (BTC)`)
    await types(page, '0.01')
    await tabsTo('button', buy)
    await page.keyboard.press('Enter')
    await tabsTo('button', t('trade.confirm'))
    await page.keyboard.press('Enter')
    await hears(t('orders.bought', { quantity: `${format.number('0.01', 5, 5)} BTC` }))
    await page.getByRole('button', { name: buy }).and(page.locator(':focus')).waitFor()
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test(`UI-READER-003: in ${lang}, a Futures position is opened with exits, read, and closed with the keyboard, and each step is announced`, {
    timeout: 180_000,
  }, async () => {
    const user = await customer()
    await done(user, '/transfer', { clientId: 'in', asset: 'USDT', from: 'spot', to: 'perp', amount: '5000' })
    const someone = await listener(lang, user, '/contract?symbol=BTCUSDTPERP')
    const { page, context, t, format, path, nameless, tabsTo, hears, complaints } = someone
    assert.deepEqual(await nameless(), [])
    await choosesKind(someone, 'limit', 'market')
    await tabsTo('textbox', `${t('trade.size')} (BTC)`)
    await types(page, '0.01')
    await tabsTo('checkbox', t('perp.exits'))
    await page.keyboard.press('Space')
    await tabsTo('textbox', `${t('perp.takeProfit')} (USDT)`)
    await types(page, '66000')
    await tabsTo('textbox', `${t('perp.stopLoss')} (USDT)`)
    await types(page, '57000')
    await tabsTo('button', t('perp.buyLong'))
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await tabsTo('button', t('trade.confirm'))
    await page.keyboard.press('Enter')
    await hears(t('orders.bought', { quantity: `${format.number('0.01', 5, 5)} BTC` }))
    await page
      .getByRole('button', { name: t('perp.buyLong') })
      .and(page.locator(':focus'))
      .waitFor()

    const panel = page.getByRole('tabpanel', { name: t('positions.positions') })
    await panel.getByRole('article').waitFor()
    inOrder(await path(panel), ['tabpanel', 'article', `button "${t('perp.exits')}"`, `button "${t('perp.close')}"`])
    await tabsTo('tab', `${t('positions.positions')} 1`)
    await tabsTo('button', t('perp.exits'))
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: t('positions.exitsTitle', { pair: 'BTC/USDT' }) }).waitFor()
    await page.keyboard.press('Escape')
    await panel
      .getByRole('button', { name: t('perp.exits') })
      .and(page.locator(':focus'))
      .waitFor()
    await tabsTo('button', t('perp.close'))
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    const quantity = `${format.number('0.01', 5)} BTC`
    await tabsTo('button', t('positions.closeNow', { quantity }))
    await page.keyboard.press('Enter')
    await hears(t('positions.closed', { quantity }))
    await page
      .getByRole('tab', { name: t('positions.positions'), exact: true })
      .and(page.locator(':focus'))
      .waitFor()
    assert.deepEqual(complaints, [])
    await context.close()
  })
}
