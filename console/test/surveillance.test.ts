/** Surveillance in a browser: the findings of a day that was traded for show. `CANDOR_PICTURES=folder` saves pictures. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import type { Millis } from '@candor/core/money/brand.ts'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { type Day, dayOf, shifted, spanOf } from '../../server/surveillance/days.ts'
import { limits } from '../../server/surveillance/read/reads.ts'
import { Reports } from '../../server/surveillance/reports.ts'
import { sights } from '../../web/test/sights.ts'
import { create, enrol, hire, type Member, startBrowser, visitor } from './member.ts'

let browser: Browser
let exchange: TestExchange
let rita: Member
let una: Member
let users: readonly TestUser[]
/** Before yesterday: over by now at any time of the day. */
const day: Day = shifted(dayOf(Date.now() as Millis), -2)
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'surveillance' })
  users = [await exchange.user(), await exchange.user(), await exchange.user()]
  await tradeForShow()
  assert.equal(await new Reports({ store: exchange.store, clock: Date.now, limits: { ...limits, pairs: 1, trades: 24 } }).make(day), 'made')
  const ann = await visitor(browser, exchange)
  await enrol(ann, (await create(exchange, 'ann@staff.example', 'Ann Archer', 'administrator')).token!)
  const ben = await visitor(browser, exchange)
  await hire(exchange, [ann], ben, ['ben@staff.example', 'Ben Baker', 'administrator'])
  rita = await visitor(browser, exchange)
  await hire(exchange, [ann, ben], rita, ['rita@staff.example', 'Rita Reed', 'risk'])
  una = await visitor(browser, exchange, 'narrow')
  await hire(exchange, [ann, ben], una, ['una@staff.example', 'Una Unger', 'auditor'])
})
after(async () => {
  await browser?.close()
  await exchange?.[Symbol.asyncDispose]()
})

/** Rows of the query tables, as if the three users had traded on that day. */
async function tradeForShow(): Promise<void> {
  const { from } = spanOf(day)
  const [one, other, third] = users.map(({ id }) => id)
  const run = (text: string, ...values: readonly unknown[]) => exchange.store.pool.query(text, [...values])
  await run(
    `insert into trades (market, trade_id, seq, at_ms, price, quantity, quote, taker_side, maker_order, taker_order, maker_user, taker_user, maker_fee, taker_fee)
     select 'BTCUSDT', 1000000 + n, n, $1::bigint + n * 60000, 60000, 0.5, 30000, case n % 2 when 0 then 'buy' else 'sell' end, 1000000 + n, 2000000 + n, $2, $3, 0, 0
     from generate_series(1, 24) n`,
    ...[from, one, other],
  )
  await run(
    `insert into options (id, user_id, client_id, market, direction, stake, profit_ppm, profit, accepted_at_ms, strike_from_ms, expires_at_ms, window_ms, gap_max_ms,
       guard_ppm, reference, result, payout, settled_at_ms)
     select 3000000 + n, $2, '', 'BTCUSDT', 'up', 50, 800000, 40, $1::bigint + n * 120000, $1, $1::bigint + n * 120000 + 60000, 1, 1, 1, 60000,
       case n % 20 when 0 then 'lose' else 'win' end, case n % 20 when 0 then 0 else 90 end, $1::bigint + n * 120000 + 60000
     from generate_series(1, 80) n`,
    ...[from, third],
  )
  await run(
    `update sessions set device_key = sha256('one browser'), created_at = $1::bigint + 3600000 where account in (select id from accounts where core_user = any($2))`,
    ...[from, [one, other]],
  )
}

test('UI-CONSOLE-060: the page of surveillance counts open findings in the side bar, and shows them by kind, day and state beside the reports', async () => {
  for (const { page } of [rita, una]) {
    await page.keyboard.press('g')
    await page.keyboard.press('v')
    await page.getByRole('heading', { name: 'Surveillance', level: 1 }).waitFor()
    const findings = page.getByRole('table', { name: 'Findings' })
    for (const name of ['Linked accounts', 'Round trips', 'Self-trades', 'Wins in Second'])
      await findings.getByRole('link', { name }).waitFor()
    const reports = page.getByRole('table', { name: 'Reports' })
    await reports.getByRole('link', { name: day }).waitFor()
    await reports.getByText('pairs of traders, trades of a pair').waitFor()
    await page.getByRole('link', { name: 'Surveillance' }).getByLabel('4 waiting').waitFor()
  }
  const wide = sights(rita.page, 'surveillance', 'en')
  const narrow = sights(una.page, 'surveillance-narrow', 'en')
  for (const one of [wide, narrow]) await one.see('list')
  const saved = rita.page.waitForEvent('download')
  await rita.page.getByRole('button', { name: 'CSV of Findings' }).click()
  assert.equal((await saved).suggestedFilename(), 'surveillance-findings.csv')
  assert.deepEqual([...wide.wrong, ...narrow.wrong, ...rita.complaints, ...una.complaints], [])
})

test('UI-CONSOLE-061: a finding says what was seen with figures, thresholds, customers and orders, and one member settles it with a reason', async () => {
  const { page } = rita
  const wide = sights(page, 'surveillance', 'en')
  await page.getByRole('table', { name: 'Findings' }).getByRole('link', { name: 'Wins in Second' }).click()
  await page.getByText(/won 76 of 80 orders of Second that did not overlap in time/).waitFor()
  await page.getByRole('table', { name: 'Accounts' }).getByRole('link', { name: users[2]!.uid }).waitFor()
  await wide.see('finding')
  await una.page.getByRole('table', { name: 'Findings' }).getByRole('link', { name: 'Round trips' }).click()
  await una.page.getByText('Compliance and risk settle findings.').waitFor()
  const narrow = sights(una.page, 'surveillance-narrow', 'en')
  await narrow.see('finding')
  await page.getByRole('button', { name: 'Escalate' }).click()
  await page.getByLabel('Reason').fill('The prices of the account came 2 s late; see case 12.')
  await wide.see('settle')
  const { width, height } = page.viewportSize()!
  await page.setViewportSize({ width: 1024, height: 768 })
  await wide.see('settle-narrow')
  await page.setViewportSize({ width, height })
  await page.getByRole('dialog').getByRole('button', { name: 'Escalate' }).click()
  await page.getByText('The finding is escalated.').waitFor()
  await page.getByText('“The prices of the account came 2 s late; see case 12.”').waitFor()
  await wide.see('settled')
  await page.getByRole('link', { name: 'Surveillance' }).getByLabel('3 waiting').waitFor()
  assert.deepEqual([...wide.wrong, ...narrow.wrong, ...rita.complaints, ...una.complaints], [])
})
