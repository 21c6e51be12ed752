/** Invitations on the phone. `CANDOR_LOCALES=en,hk,de` chooses languages; `CANDOR_PICTURES=folder` saves pictures. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { AssetId, UserId } from '@candor/core/protocol/ids.ts'
import type { Units } from '@candor/core/money/brand.ts'
import type { WireReferral, WireReferralEarnings } from '@candor/core/protocol/wire/referral/referral.ts'
import type { Browser } from 'playwright-core'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { ownIndex } from './own-world.ts'
import { langsOr, type Person, person, startBrowser } from './person.ts'
import { sights } from './sights.ts'

let browser: Browser
let exchange: TestExchange
let inviter: TestUser
const { index } = ownIndex(() => exchange)
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'referral', hasFeeds: false })
  await index({ btc: 60_000, eth: 3_000 })
  inviter = await exchange.user({ isCertified: true })
  const maker = await exchange.user({ funds: { USDT: '100000' }, class: 'bench' })
  const resting = { clientId: randomUUID(), symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '60000', quantity: '1' }
  assert.equal((await maker.call('POST', '/spot/orders', resting)).status, 200)
  await sellsByInvitation()
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

/** An invited person, known to the core alone, sells a whole BTC for 60,000 USDT. */
async function sellsByInvitation(): Promise<void> {
  const { submit } = exchange.link
  const { user } = await submit({ type: 'user.open', requestId: 'invited', class: 'retail', referrer: inviter.id })
  await submit({ type: 'user.certify', user, isCertified: true })
  await submit({ type: 'funds.faucet', user, clientId: 'coins', asset: 2 as AssetId, amount: 1e8 as Units })
  const [market] = (await exchange.link.ask.listing()).markets.filter(({ symbol }) => symbol === 'BTCUSDT')
  const order = {
    type: 'spot.place',
    user: user as UserId,
    clientId: 'sale',
    market: market!.id,
    side: 'sell',
    orderType: 'market',
  } as const
  const lots = Math.round(1e8 / market!.basePerLot)
  const sold = await submit({ ...order, timeInForce: 'IOC', isPostOnly: false, selfTrade: 'expire-taker', lots } as Parameters<
    typeof submit
  >[0])
  assert.equal(sold.refusal, undefined)
}

/** Commission of the inviter once the tables have it. */
async function earnings(): Promise<WireReferralEarnings> {
  for (;;) {
    const found = (await inviter.call('GET', '/referral/earnings')).body as WireReferralEarnings
    if (Number(found.total) > 0) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const referralOf = async (): Promise<WireReferral> => (await inviter.call('GET', '/referral')).body

/** Nothing is wider than the smallest screen. */
async function fits({ page }: Person, see: () => Promise<void>): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 })
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth))
  await see()
  await page.setViewportSize({ width: 390, height: 844 })
}

for (const lang of langsOr('de')) {
  test(`UI-REFERRAL-010: in ${lang}, an inviter finds code, link, poster, tier, counts and commission at /join`, {
    timeout: 300_000,
  }, async () => {
    const { code } = await referralOf()
    const earned = await earnings()
    const someone = await person(browser, exchange.url, { lang, user: inviter })
    const { page, t, go, format, complaints, context } = someone
    const { wrong, see } = sights(page, 'referral', lang)
    await go('/me')
    await page.getByRole('link', { name: t('me.invitation') }).click()
    await page.getByText(t('referral.headline', { share: format.percent('20', 0) })).waitFor()
    await page.getByText(code, { exact: true }).waitFor()
    await page.getByText(`${exchange.url}/#/join?code=${code}`).waitFor()
    await page
      .getByText(`${format.number(earned.total, 2, 2)} USDT`)
      .first()
      .waitFor()
    assert.deepEqual(await page.locator('dd').allTextContents(), ['1', '1', '1'])
    await page.getByRole('slider', { name: t('referral.byDay') }).press('ArrowLeft')
    await see('own')
    await fits(someone, () => see('own-small'))
    await page.getByRole('button', { name: t('referral.poster') }).click()
    const poster = page.getByRole('img', { name: t('referral.posterLabel', { code }) })
    await poster.waitFor()
    await see('poster')
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: t('referral.save') }).click()
    assert.equal((await saving).suggestedFilename(), 'candor-invitation.png')
    assert.deepEqual([complaints, wrong], [[], []])
    await context.close()
  })

  test(`UI-REFERRAL-011: in ${lang}, a visitor with an invitation sees who invites and registers with the code filled in`, {
    timeout: 300_000,
  }, async () => {
    const { code } = await referralOf()
    const someone = await person(browser, exchange.url, { lang })
    const { page, t, go, complaints, context } = someone
    const { wrong, see } = sights(page, 'referral', lang)
    await go('/join?code=NOBODYS1')
    await page.getByText(t('referral.unknownCode')).waitFor()
    await see('unknown')
    await go(`/join?code=${code.toLowerCase()}`)
    const name = `u•••${inviter.email.split('@')[0]!.slice(-1)}`
    await page.getByText(t('referral.invitesYou', { inviter: name })).waitFor()
    await see('landing')
    await fits(someone, () => see('landing-small'))
    await page.getByRole('link', { name: t('common.register') }).click()
    await page.getByText(t('auth.invitedBy', { inviter: name })).waitFor()
    assert.equal(await page.getByLabel(t('auth.invitation')).inputValue(), code)
    await see('register')
    assert.deepEqual([complaints, wrong], [[], []])
    await context.close()
  })
}
