/** Changes of terms and announcements. `CANDOR_LOCALES=en,de` chooses languages; `CANDOR_PICTURES=folder` saves pictures. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { startExchange, type TestExchange } from '../../server/main/test/exchange.ts'
import { langsOr, person, startBrowser } from './person.ts'
import { sights } from './sights.ts'

let browser: Browser
let exchange: TestExchange
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'news', hasFeeds: false })
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

const rows = (text: string, ...values: unknown[]) => exchange.store.pool.query(text, values)
const member = '00000000-0000-4000-8000-000000000001'
const langs = ['en', 'hk', 'ca', 'de', 'fr', 'it', 'pt']

/** Decisions and an announcement as members of the staff would have made them. */
async function fill(): Promise<void> {
  const tables = ['staff', 'operations', 'announcements']
  for (const table of tables) await rows(`alter table ${table} disable trigger all`)
  await rows(
    "insert into staff (id, email, name, role, state, password, created_at) values ($1, 'x@staff.example', 'X', 'risk', 'active', 'x', 1)",
    member,
  )
  const now = Date.now()
  const decided = [
    [
      'markets',
      'spot',
      'BTCUSDT',
      { takerFeePpm: 900, notionalMin: '10', isTrading: true },
      { takerFeePpm: 1_000, notionalMin: '5', isTrading: false },
      null,
    ],
    ['countries', 'country', 'DE', { isLeverageOpen: true }, { isLeverageOpen: false }, null],
    [
      'house',
      'second',
      '',
      { stakeMax: '2000', strikeDelayMs: 1_500, rates: [{ seconds: 30, profitPpm: 800_000 }] },
      { stakeMax: '1000', strikeDelayMs: 1_000, rates: [] },
      { uid: '1', amount: '40000' },
    ],
    [
      'fees',
      'fees',
      '',
      {
        tiers: [
          { volumeMin: '0', makerPpm: 900, takerPpm: 1_000 },
          { volumeMin: '1000000', makerPpm: 800, takerPpm: 900 },
        ],
      },
      { tiers: [{ volumeMin: '0', makerPpm: 1_000, takerPpm: 1_000 }] },
      null,
    ],
  ] as const
  for (const [at, [area, kind, subject, terms, base, payment]] of decided.entries())
    await rows(
      `insert into operations (area, kind, subject, terms, base, payment, reason, is_closing, proposed_by, proposer, proposed_at, expires_at,
        state, decided_by, approver, decided_at, done_at, seq)
        values ($1, $2, $3, $4, $5, $6, 'secret reason', false, $7, 1, 1, $8, 'approved', $9, 2, $10, $10, $11)`,
      ...[area, kind, subject, JSON.stringify(terms), JSON.stringify(base), payment === null ? null : JSON.stringify(payment)],
      ...[member, now + 1, '00000000-0000-4000-8000-000000000002', now - 1_000, 1_000 + at],
    )
  const texts = Object.fromEntries(langs.map((lang) => [lang, { title: `Maintenance (${lang})`, text: 'Ten minutes.\nOrders stay.' }]))
  await rows(
    'insert into announcements (texts, shown_from, shown_until, published_by, published_at) values ($1, $2, $3, $4, $2)',
    ...[JSON.stringify(texts), now - 1_000, now + 86_400_000, member],
  )
  for (const table of tables) await rows(`alter table ${table} enable trigger all`)
}

for (const lang of langsOr('hk'))
  test(`UI-CHANGES-001: in ${lang}, everybody reads changed terms from the page about the exchange, without names or reasons`, {
    timeout: 300_000,
  }, async () => {
    const { page, context, t, go, complaints } = await person(browser, exchange.url, { lang })
    const { wrong, see } = sights(page, 'news', lang)
    const isEmpty = (await rows('select 1 from operations')).rowCount === 0
    if (isEmpty) {
      await go('/changes')
      await page.getByText(t('about.news.empty')).waitFor()
      await fill()
    }
    await go('/about')
    await page.getByRole('link', { name: t('about.changes') }).click()
    await page.getByRole('heading', { name: t('about.news.kinds.spot', { subject: 'BTCUSDT' }) }).waitFor()
    await page.getByText(t('about.news.names.takerFeePpm'), { exact: true }).waitFor()
    await page.getByRole('heading', { name: t('about.news.kinds.second') }).waitFor()
    await see('changes')
    const text = await page.locator('body').innerText()
    assert.doesNotMatch(text, /secret|staff\.example|news\.\w/)
    await page.setViewportSize({ width: 320, height: 640 })
    await see('changes-small')
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })

for (const lang of langsOr('de'))
  test(`UI-NEWS-001: in ${lang}, home shows the newest announcement until the reader hides it, and the list keeps it`, {
    timeout: 300_000,
  }, async () => {
    const { page, context, t, go, complaints } = await person(browser, exchange.url, { lang })
    const { wrong, see } = sights(page, 'news', lang)
    if ((await rows('select 1 from announcements')).rowCount === 0) await fill()
    const title = `Maintenance (${lang})`
    await go('/')
    const strip = page.getByRole('complementary', { name: t('home.newest') })
    await strip.getByText(title).waitFor()
    await see('strip')
    await strip.getByRole('link').click()
    await page.getByRole('heading', { name: title }).waitFor()
    await see('announcements')
    await go('/')
    await strip.getByRole('button', { name: t('home.dismiss') }).click()
    await strip.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    assert.equal(await strip.count(), 0)
    await go('/announcements')
    await page.getByRole('heading', { name: title }).waitFor()
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })
