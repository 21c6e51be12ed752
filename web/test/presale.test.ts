/**
 * The practice presale of a sandbox on the phone, until after its end, on a clock that the test moves. `CANDOR_LOCALES=en,hk,de` chooses
 * languages; `CANDOR_PICTURES=folder` saves pictures.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { WirePresale, WirePresaleSubscriptions } from '@candor/core/protocol/wire/presale.ts'
import type { Browser } from 'playwright-core'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { type Lang, langsOr, languages, type Person, person, startBrowser } from './person.ts'
import { type Sights, sights } from './sights.ts'

/** A practice presale is open for 72 hours. */
const pastEndMs = 73 * 3_600_000
/** By this much the exchange's clock is ahead of the machine's. */
let aheadMs = 0
let browser: Browser
let exchange: TestExchange
before(async () => {
  browser = await startBrowser()
  const time = { wall: () => Date.now() + aheadMs, steady: () => performance.now() + aheadMs }
  exchange = await startExchange({ seed: 'presale', hasFeeds: false, time })
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

const button = ({ page, t }: Person, key: string) => page.getByRole('button', { name: t(key), exact: true })
const own = async (user: TestUser): Promise<WirePresaleSubscriptions['subscriptions']> =>
  (await user.call('GET', '/presales/subscriptions?lang=en')).body.subscriptions

async function firstPresale(lang: Lang): Promise<WirePresale> {
  const code = lang === 'hk-hans' ? 'hk' : lang
  for (;;) {
    const { presales } = (await (await fetch(`${exchange.url}/app/v1/presales?lang=${code}`)).json()) as { presales: WirePresale[] }
    if (presales.length === 2) return presales.find(({ number }) => number === 1)!
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** In the small window nothing is wider than the screen. */
async function fits({ page }: Person, see: () => Promise<void>): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 })
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth))
  await see()
  await page.setViewportSize({ width: 390, height: 844 })
}

test('UI-PRESALE-010: visitors see a presale and are led to the login and back to it', { timeout: 120_000 }, async () => {
  const someone = await person(browser, exchange.url)
  const { page, t, go, complaints, context } = someone
  const { title } = await firstPresale('en')
  await go('/sellList')
  await page.getByRole('link', { name: new RegExp(`${RegExp.escape(title)}.*${RegExp.escape(t('presale.eligible.visitor'))}`) }).click()
  await page.getByRole('heading', { name: t('presale.useOfFunds'), exact: true }).waitFor()
  await page.getByRole('link', { name: t('presale.login'), exact: true }).click()
  await page.waitForURL(/#\/login\?next=%2FsellDetail%3Fid%3D1$/)
  await go('/Sellrecord')
  await page.getByText(t('presale.mineLogin')).waitFor()
  await go('/sellDetail?id=99')
  await page.getByText(t('refusals.PRESALE_UNKNOWN')).waitFor()
  assert.deepEqual(complaints, [])
  await context.close()
})

for (const lang of langsOr('de'))
  test(`UI-PRESALE-011: in ${lang}, a customer finds a presale, checks its whitepaper, subscribes once over a lost answer, and sees locked and released tokens`, {
    timeout: 300_000,
  }, async () => {
    const user = await exchange.user({ funds: { USDT: '1000' } })
    const someone = await person(browser, exchange.url, { lang, user })
    const looks = sights(someone.page, 'presale', lang)
    await finds(someone, looks)
    await checksPaper(someone)
    await subscribes(someone, looks)
    const [mine] = await own(user)
    assert.deepEqual([mine?.amount, mine?.state], ['100', 'subscribing'])
    aheadMs += pastEndMs
    // The exchange's own timer does not know that its clock was moved.
    assert.equal((await exchange.link.submit({ type: 'clock.tick' })).refusal, undefined)
    await seesTokens(someone, looks, user)
    assert.deepEqual([...looks.wrong, ...someone.complaints], [])
    await someone.context.close()
  })

/** From the profile to the list and to the presale that has begun. */
async function finds(someone: Person, { see }: Sights): Promise<void> {
  const { page, t, go, format } = someone
  const { title } = await firstPresale(langOf(someone))
  await go('/me')
  await page.getByRole('link', { name: t('me.presales'), exact: true }).click()
  await page.getByRole('heading', { name: t('presale.group.upcoming'), exact: true }).waitFor()
  await page.getByText(t('presale.eligible.no'), { exact: true }).first().waitFor()
  await fits(someone, () => see('list-small'))
  await page.getByRole('heading', { name: title, exact: true }).click()
  await page.getByRole('heading', { name: t('presale.calculator'), exact: true }).waitFor()
  await page.getByLabel(`${t('presale.amount')} (USDT)`, { exact: true }).fill('100')
  // 100 USDT at 0.05, of nearly nothing subscribed.
  await page
    .getByText(t('presale.about', { sum: format.number('2000') }))
    .first()
    .waitFor()
  await page.getByText(t('presale.by.sum')).waitFor()
  await see('detail')
}

/** The file is saved only if it has the hash. */
async function checksPaper(someone: Person): Promise<void> {
  const { page, t } = someone
  const saved: string[] = []
  page.on('download', (download) => saved.push(download.suggestedFilename()))
  await page.route('**/presales/papers/*', (route) => route.fulfill({ contentType: 'application/pdf', body: '%PDF another' }))
  await button(someone, 'presale.paperGet').click()
  await page.getByText(t('presale.paperOther')).waitFor()
  assert.deepEqual(saved, [])
  await page.unroute('**/presales/papers/*')
  const coming = page.waitForEvent('download')
  await button(someone, 'presale.paperGet').click()
  await page.getByText(t('presale.paperSame')).waitFor()
  assert.equal((await coming).suggestedFilename(), 'PRACT-whitepaper.pdf')
}

/** Verifies, chooses a sum, reads the confirmation, and sends it twice because the first answer is lost. */
async function subscribes(someone: Person, { see }: Sights): Promise<void> {
  const { page, t, format } = someone
  const sent: string[] = []
  await page.route('**/presales/1/subscriptions', async (route) => {
    sent.push(route.request().postDataJSON().clientId)
    if (sent.length > 1) return route.continue()
    await route.fetch()
    return route.abort()
  })
  await button(someone, 'presale.join').click()
  await button(someone, 'certify.certify').click()
  const sheet = page.getByRole('dialog', { name: t('presale.joinTitle', { token: 'PRACT' }) })
  const amount = sheet.getByLabel(`${t('presale.amount')} (USDT)`, { exact: true })
  assert.equal(await amount.inputValue(), '100', 'the sum of the calculator')
  await button(someone, 'presale.maximum').click()
  assert.equal(await amount.inputValue(), format.field('1000'))
  await amount.fill('5')
  await sheet.getByText(t('presale.tooSmall', { min: `${format.number('10')} USDT` })).waitFor()
  await amount.fill('1000.01')
  await sheet.getByText(t('refusals.INSUFFICIENT_BALANCE')).waitFor()
  await amount.fill('100')
  await button(someone, 'common.next').click()
  const confirmation = page.getByRole('dialog', { name: t('presale.confirmTitle') })
  for (const key of ['presale.final', 'presale.refund.rest', 'presale.useOfFunds', 'presale.lastRelease'])
    await confirmation.getByText(t(key), { exact: true }).waitFor()
  await fits(someone, () => see('confirm-small'))
  await button(someone, 'presale.confirm').dblclick()
  await confirmation.getByText(t('common.unreachable')).waitFor()
  assert.equal(sent.length, 1, 'two taps send once')
  await button(someone, 'presale.confirm').click()
  await page.getByText(t('presale.youSubscribed')).waitFor()
  assert.deepEqual([sent.length, new Set(sent).size], [2, 1])
  await see('done')
  await page
    .getByRole('dialog')
    .getByRole('link', { name: t('presale.mine'), exact: true })
    .click()
  await page.getByText(t('presale.standing.subscribing'), { exact: true }).waitFor()
  await page.getByText(`${format.usdt('100')} USDT`, { exact: true }).waitFor()
}

/** The presale is over, and a fifth is free since its end. */
async function seesTokens(someone: Person, { see }: Sights, user: TestUser): Promise<void> {
  const { page, t, go, format } = someone
  for (;;) {
    const [mine] = await own(user)
    if (mine?.released === '400') break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  await page.reload()
  await page.getByText(t('presale.standing.locked'), { exact: true }).first().waitFor()
  // With all places of the coin.
  const tokens = (whole: string): RegExp => new RegExp(`^${format.number(Number(whole))}([.,]0+)? PRACT$`)
  await page.getByText(tokens('400')).first().waitFor()
  await page.getByText(tokens('1600')).first().waitFor()
  await fits(someone, () => see('locked'))
  await button(someone, 'presale.releases').click()
  await page.getByRole('dialog').getByRole('listitem').nth(30).waitFor()
  await see('releases')
  await go('/sellDetail?id=1')
  await page.getByText(t('presale.state.locked'), { exact: true }).first().waitFor()
  assert.equal(await button(someone, 'presale.joinMore').count(), 0)
}

function langOf({ tag }: Person): Lang {
  return (Object.keys(languages) as Lang[]).find((lang) => languages[lang] === tag)!
}
