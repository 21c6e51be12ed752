/**
 * A user's journey to a first order of Second: verify, read the warning, answer the questions, transfer money, place the order, wait,
 * read the result and check it against the public tape. On a real exchange, in real Chromium; in one language, or in those of
 * `CANDOR_LOCALES=en,hk,ca,de,fr,it,pt`.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { usualLayout } from '../app/preferences/layout.ts'
import { codeFor, langsOr, type Person, person, startBrowser } from './person.ts'
import { sharesResult } from './results.ts'
import { violations } from './axe.ts'
import { pictured } from './sights.ts'

const right: Readonly<Record<string, number>> = { q1: 0, q2: 1, q3: 2, q4: 0, q5: 1 }

let browser: Browser
let exchange: TestExchange
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: '17' })
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

describe('from nothing to a checked order', () => {
  for (const lang of langsOr('en')) {
    test(`UI-SECOND-020: in ${lang}, a user verifies, is admitted, places an order, sees it settle, and the check confirms the result`, {
      timeout: 360_000,
    }, async () => {
      const user = await exchange.user({ funds: { USDT: '500' } })
      const someone = await person(browser, exchange.url, { lang, user })
      try {
        await someone.go('/Second?symbol=BTCUSDT')
        await certifies(someone)
        await isAdmitted(someone)
        await movesMoney(someone)
        await opens(someone, user)
        await settles(someone)
        await verifies(someone, user)
        await continues(someone, user)
        assert.deepEqual(someone.complaints, [])
      } catch (error) {
        await someone.page.screenshot({ path: `${process.env.TMPDIR ?? '/tmp'}/candor-second-${lang}.png` })
        throw error
      } finally {
        await someone.context.close()
      }
    })
  }
})

type Place = { readonly top: number; readonly bottom: number }
type Measured = { readonly message: Place; readonly ofSides: readonly Place[] }

test('UI-SECOND-021: the desk, its sheets and the records have no accessibility faults, dark and light', {
  timeout: 300_000,
}, async () => {
  const user = await ready()
  const wrong: string[] = []
  for (const theme of ['dark', 'light'] as const) {
    const { page, context, t, go } = await person(browser, exchange.url, { user, theme })
    const tap = (name: string) => page.getByRole('button', { name, exact: true }).click()
    const looks = async (name: string): Promise<void> => {
      wrong.push(...(await violations(page)).map((line) => `${theme} ${name}: ${line}`))
    }
    const sheet = async (name: string, open: () => Promise<void>): Promise<void> => {
      await open()
      await page.getByRole('dialog').waitFor()
      await looks(name)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    }
    await go('/Second?symbol=BTCUSDT')
    const up = page.getByRole('button', { name: new RegExp(`^${t('option.side.up')}`) })
    await up.and(page.locator(':enabled')).waitFor()
    await looks('desk')
    await sheet('rules', () => tap(t('option.rules')))
    await sheet('limits', () => tap(t('option.limits')))
    await sheet('pairs', () => tap(t('option.choosePair', { pair: 'BTC/USDT' })))
    await sheet('transfer', () => tap(t('option.transfer')))
    await sheet('stake', () => page.getByRole('button', { name: new RegExp(`^${t('option.stake')}: `) }).click())
    await sheet('confirm', () => up.click())
    await go('/optionentrust')
    await page.getByRole('tab', { name: t('settled.tab.history') }).click()
    await looks('records')
    await sheet('filter', () => tap(t('settled.filter')))
    await context.close()
  }
  assert.deepEqual(wrong, [])
})

test('UI-SECOND-053: the message about an order covers none of the buttons that place the next one', { timeout: 180_000 }, async () => {
  const user = await ready()
  const { page, context, t, go } = await person(browser, exchange.url, { user })
  await go('/Second?symbol=BTCUSDT')
  const sides = (['up', 'down'] as const).map((side) => t(`option.side.${side}`))
  const up = page.getByRole('button', { name: new RegExp(`^${sides[0]!}`) })
  await up.and(page.locator(':enabled')).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('settled.place'), exact: true })
    .click()
  // Both are measured at the same moment: the message goes by itself.
  const measured = await page.waitForFunction((names) => {
    const place = (element: Element | undefined) => element?.getBoundingClientRect().toJSON()
    const message = [...document.querySelectorAll('.toast')].at(-1)
    const buttons = [...document.querySelectorAll('main button')]
    const ofSides = names.map((name) => place(buttons.find(({ textContent }) => textContent.startsWith(name))))
    return message === undefined || document.querySelector('dialog[open]') !== null ? false : { message: place(message), ofSides }
  }, sides)
  const { message, ofSides } = (await measured.jsonValue()) as Measured
  for (const side of ofSides) assert.ok(message.bottom <= side.top || message.top >= side.bottom, JSON.stringify({ message, side }))
  await context.close()
})

test('UI-SECOND-022: a break needs a proof, stops new orders immediately and shows its end', { timeout: 180_000 }, async () => {
  const user = await ready()
  const { page, context, t, go } = await person(browser, exchange.url, { user })
  await go('/Second?symbol=BTCUSDT')
  await page.getByRole('button', { name: t('option.limits'), exact: true }).click()
  await page.getByRole('button', { name: t('admission.limit.start'), exact: true }).click()
  const confirm = page.getByRole('dialog').last()
  await confirm
    .getByRole('button', { name: t('admission.limit.start'), exact: true })
    .last()
    .click()
  const proof = page.getByRole('dialog', { name: t('proof.title') })
  await proof.getByLabel(t('auth.password'), { exact: true }).fill(user.password)
  await proof.getByRole('button', { name: t('auth.sendCode') }).click()
  await pictured(page, 'second-break-proof')
  await proof.getByLabel(t('fields.code')).fill(await codeFor(exchange.url, user.email))
  await page.getByText(t('admission.limit.started')).waitFor()
  await page.keyboard.press('Escape')
  await page.getByText(t('option.gate.coolingOff', { time: '|' }).split('|')[0] ?? '').waitFor()
  assert.equal(await page.getByRole('button', { name: new RegExp(`^${t('option.side.up')}`) }).isDisabled(), true)
  await context.close()
})

test('UI-SECOND-023: a visitor sees index, rates and odds, and is asked to log in only for the order', { timeout: 180_000 }, async () => {
  const { page, context, t, go, complaints } = await person(browser, exchange.url)
  await go('/Second')
  await page.getByRole('radio', { name: t('option.rateOf', { duration: t('option.minutes', { n: 2 }), rate: '84%' }) }).click()
  await page.getByText(t('option.breakEven', { share: '54.3%' })).waitFor()
  await page.getByText('+4.20 USDT').waitFor()
  // The line begins with what the tape had before the screen was open.
  const chart = page.getByRole('img', { name: new RegExp(`^${t('option.chartSays', { pair: 'BTC/USDT', price: '|' }).split('|')[0]}`) })
  await page.waitForFunction(
    (path) => Number(path?.getAttribute('d')?.split('L').length) > 40,
    await chart.locator('path').nth(1).elementHandle(),
  )
  const login = page.getByRole('region', { name: t('option.ticket') }).getByRole('link', { name: t('trade.login') })
  assert.match((await login.getAttribute('href')) ?? '', /^#\/login\?next=\/Second/)
  await context.close()
  assert.deepEqual(complaints, [])
})

describe('caps on running stakes', () => {
  for (const lang of langsOr('en')) {
    test(`UI-SECOND-032: in ${lang}, after stakes in one direction only the other is offered, and a smaller stake enables the first again; only the first order of a visit is confirmed`, {
      timeout: 180_000,
    }, async () => {
      const user = await ready('4000')
      for (const [n, stake] of ['1000', '1000', '900'].entries()) {
        const order = { clientId: `up-${n}`, symbol: 'BTCUSDT', direction: 'up', stake, seconds: 900 }
        const { status, body } = await user.call('POST', '/option/orders', order)
        assert.ok(status < 300, JSON.stringify(body))
      }
      // This customer wants no confirmation.
      const layout = { revision: 0, value: { ...usualLayout, unasked: ['option'] } }
      assert.equal((await user.call('PUT', '/preferences/layout', layout)).status, 200)
      const { page, context, t, go, format, complaints } = await person(browser, exchange.url, { lang, user })
      const side = (direction: 'up' | 'down') => page.getByRole('button', { name: new RegExp(`^${t(`option.side.${direction}`)}`) })
      const chip = (sum: string) => page.getByRole('button', { name: format.number(sum), exact: true })
      await go('/Second?symbol=BTCUSDT')
      await page.getByText(t('option.left', { up: format.usdt('100'), down: format.usdt('2100'), currency: 'USDT' })).waitFor()
      await side('up').and(page.locator(':enabled')).waitFor()
      await chip('250').click()
      await side('up').and(page.locator(':disabled')).waitFor()
      await side('up')
        .getByText(t('option.most', { sum: '100' }))
        .waitFor()
      await side('down').and(page.locator(':enabled')).waitFor()
      await pictured(page, `second-left-${lang}`)
      await chip('100').click()
      await side('up').and(page.locator(':enabled')).click()
      const sheet = page.getByRole('dialog')
      await sheet.getByRole('button', { name: t('settled.place'), exact: true }).click()
      await page.getByText(t('option.left', { up: format.usdt('0'), down: format.usdt('2000'), currency: 'USDT' })).waitFor()
      await side('up').and(page.locator(':disabled')).waitFor()
      await side('down').and(page.locator(':enabled')).click()
      await page.getByText(t('option.left', { up: format.usdt('0'), down: format.usdt('1900'), currency: 'USDT' })).waitFor()
      assert.equal(await sheet.count(), 0)
      assert.deepEqual(await violations(page), [])
      await context.close()
      assert.deepEqual(complaints, [])
    })
  }
})

test('UI-SECOND-033: when the guard is used up the ticket says until when, and offers none', { timeout: 180_000 }, async () => {
  const user = await ready()
  const { page, context, t, go, complaints } = await person(browser, exchange.url, { user })
  // Price jumps that void three orders can't be produced here, so the answer is changed instead.
  await context.route('**/app/v1/option/me', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), isGuardSpent: true } })
  })
  await go('/Second?symbol=BTCUSDT')
  await page.getByText(t('refusals.GUARD_LIMIT')).waitFor()
  assert.equal(await page.getByRole('radiogroup', { name: t('option.guard') }).count(), 0)
  const up = page.getByRole('button', { name: new RegExp(`^${t('option.side.up')}`) })
  await up.and(page.locator(':enabled')).waitFor()
  assert.deepEqual(await violations(page), [])
  await page.getByText(t('refusals.GUARD_LIMIT')).scrollIntoViewIfNeeded()
  await pictured(page, 'second-guard-en')
  await context.close()
  assert.deepEqual(complaints, [])
})

/** Creates a verified and admitted user with money in the Second account. */
async function ready(amount = '200'): Promise<TestUser> {
  const user = await exchange.user({ funds: { USDT: String(Math.max(500, Number(amount))) } })
  for (const [path, body] of [
    ['/sandbox/certify', undefined],
    ['/option/knowledge', { answers: right }],
    ['/transfer', { clientId: 'in', asset: 'USDT', from: 'spot', to: 'option', amount }],
  ] as const) {
    const { status, body: answer } = await user.call('POST', path, body)
    assert.ok(status < 300, `${path}: ${JSON.stringify(answer)}`)
  }
  return user
}

async function certifies({ page, t }: Person): Promise<void> {
  await page.getByRole('button', { name: t('option.gate.certify') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('certify.certify'), exact: true })
    .click()
}

/** Passes the admission: the questions come directly, and wrong answers are refused without naming the wrong one. */
async function isAdmitted({ page, t }: Person): Promise<void> {
  const sheet = page.getByRole('dialog', { name: t('admission.admit.title') })
  await sheet.getByText(t('admission.admit.warning')).waitFor()
  const on = sheet.getByRole('button', { name: t('admission.admit.toQuestions') })
  assert.equal(await on.isDisabled(), true)
  await sheet.getByRole('checkbox').check()
  await on.click()

  const questions = page.getByRole('dialog', { name: t('admission.admit.questions') })
  const submit = questions.getByRole('button', { name: t('admission.admit.submit') })
  await questions.getByText(t('admission.knowledge.q1')).waitFor()
  await submit.click()
  await questions.getByText(t('admission.admit.missing')).waitFor()
  for (const id of Object.keys(right)) await questions.getByLabel(t(`admission.knowledge.${id}a0`), { exact: true }).check()
  await submit.click()
  await questions.getByText(t('refusals.KNOWLEDGE_WRONG')).waitFor()
  for (const [id, answer] of Object.entries(right)) {
    await questions.getByLabel(t(`admission.knowledge.${id}a${answer}`), { exact: true }).check()
  }
  await submit.click()

  const limit = page.getByRole('dialog', { name: t('admission.admit.limitTitle') })
  await limit.getByRole('textbox').fill('40')
  await limit.getByRole('button', { name: t('admission.admit.startWith') }).click()
  await page.getByText(t('admission.admit.done')).waitFor()
}

/** Nothing complains about the suggested stake while the account is empty; the button fills it and becomes the order's. */
async function movesMoney({ page, t }: Person): Promise<void> {
  const fill = page.getByRole('button', { name: t('first.transfer', { asset: 'USDT' }), exact: true })
  await fill.waitFor()
  assert.equal(await page.getByRole('alert').count(), 0)
  await fill.click()
  const sheet = page.getByRole('dialog', { name: t('accounts.move.title') })
  await sheet.getByLabel(new RegExp(`^${t('margin.amount')} `)).fill('100')
  await sheet.getByRole('button', { name: t('accounts.move.now') }).click()
  await sheet.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: new RegExp(`^${t('option.side.up')}`) }).waitFor()
}

async function opens({ page, t }: Person, user: TestUser): Promise<void> {
  const ticket = page.getByRole('region', { name: t('option.ticket') })
  await ticket.getByRole('radio').first().click()
  await ticket.getByRole('button', { name: '50', exact: true }).click()
  // The user's limit of 40 applies before anything is sent.
  await ticket.getByText(t('refusals.LOSS_LIMIT')).waitFor()
  await ticket.getByRole('button', { name: '10', exact: true }).click()
  await page.evaluate(() => {
    const said: string[] = []
    Object.assign(globalThis, { said })
    new MutationObserver(() => {
      for (const element of document.querySelectorAll('p[role=status].sr-only')) {
        const text = element.textContent ?? ''
        if (text !== '' && said.at(-1) !== text) said.push(text)
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  await ticket.getByRole('button', { name: new RegExp(`^${t('option.side.up')}`) }).click()
  // Two taps send one order.
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('settled.place'), exact: true })
    .dblclick()
  await page.getByText(t('settled.accepted')).waitFor()
  const { body } = await user.call('GET', '/option/orders/open')
  assert.equal(body.orders.length, 1)
  assert.equal(body.orders[0].stake, '10')
  const row = page.getByRole('tabpanel').getByRole('listitem')
  await row.getByText(new RegExp(`^${t('option.opening')} \\d`)).waitFor()
  assert.equal(await row.count(), 1)
}

/** The settlement is shown calmly: one sheet, no automatic next order, and at most three announcements. */
async function settles({ page, t }: Person): Promise<void> {
  const again = page.getByRole('dialog').getByRole('button', { name: t('settled.again') })
  await again.waitFor({ timeout: 180_000 })
  assert.equal(await again.evaluate((element) => element === document.activeElement), false)
  const said = await page.evaluate(() => (globalThis as unknown as { said: readonly string[] }).said)
  assert.deepEqual(said, [t('settled.announce10', { pair: 'BTCUSDT' }), t('settled.announce0', { pair: 'BTCUSDT' })])
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('common.done'), exact: true })
    .click()
  await page.getByText(t('settled.noneRunning')).waitFor()
}

async function verifies(someone: Person, user: TestUser): Promise<void> {
  const { page, t, go } = someone
  await go('/optionentrust')
  await page.getByRole('tab', { name: t('settled.tab.history') }).click()
  const row = page.getByRole('tabpanel').getByRole('listitem')
  await row.first().getByRole('button').click()
  const { body } = await user.call('GET', '/option/orders/history')
  assert.equal(body.items.length, 1)
  const order = body.items[0]
  const sheet = page.getByRole('dialog')
  await sheet.getByText(t(`option.result.${order.result}`), { exact: true }).waitFor()
  const share = sheet.getByRole('button', { name: t('orders.shareResult') })
  await sharesResult(someone, () => share.click(), `BTC/USDT, ${t(`option.side.${order.direction}`)}`)
  await sheet.getByRole('button', { name: t('settled.verify'), exact: true }).click()
  await sheet.getByText(t('settled.verdict.equal'), { exact: true }).waitFor({ timeout: 60_000 })
  assert.equal(await sheet.getByText(t('settled.differs'), { exact: true }).count(), 0)
  const file = await page.request.get(
    `${exchange.url}${await sheet.getByRole('link', { name: t('settled.download') }).getAttribute('href')}`,
  )
  const [head = '', ...lines] = (await file.text()).trim().split('\n')
  assert.match((JSON.parse(head) as { before: string }).before, /^[0-9a-f]{64}$/)
  assert.ok(lines.some((line) => (JSON.parse(line) as { tick: number }).tick === order.strikeTick))
}

/** From the details that are open, the ticket is filled in like the settled order and asks; nothing is sent before the confirmation. */
async function continues({ page, t, go }: Person, user: TestUser): Promise<void> {
  const isNothingSent = async (): Promise<void> => assert.deepEqual((await user.call('GET', '/option/orders/open')).body.orders, [])
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: t('common.back'), exact: true }).click()
  await sheet.getByRole('button', { name: t('settled.again'), exact: true }).click()
  await page.waitForFunction(() => location.hash === '#/Second?symbol=BTCUSDT')
  const asked = page.getByRole('dialog', { name: t('settled.sidePair.up', { pair: 'BTC/USDT' }) })
  await asked.getByText('10.00 USDT', { exact: true }).first().waitFor()
  await isNothingSent()
  await asked.getByRole('button', { name: t('common.cancel'), exact: true }).click()
  await asked.waitFor({ state: 'hidden' })
  const ticket = page.getByRole('region', { name: t('option.ticket') })
  await ticket.getByRole('button', { name: new RegExp(`^${t('option.stake')}: 10 `) }).waitFor()
  await isNothingSent()
  await go('/optionentrust?tab=history')
  const again = page.getByRole('tabpanel').getByRole('link', { name: new RegExp(`^${t('settled.again')}: BTC/USDT`) })
  assert.match((await again.getAttribute('href')) ?? '', /^#\/Second\?symbol=BTCUSDT&again=\d+$/)
}
