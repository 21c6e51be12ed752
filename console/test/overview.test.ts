/** The first page in a browser. `CANDOR_PICTURES=folder` saves pictures. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { startExchange, type TestExchange } from '../../server/main/test/exchange.ts'
import { sights } from '../../web/test/sights.ts'
import { create, enrol, hire, type Member, startBrowser, visitor } from './member.ts'

const hour = 3_600_000
let browser: Browser
let exchange: TestExchange
let ann: Member
let rita: Member
let clara: Member
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'overview' })
  ann = await visitor(browser, exchange)
  await enrol(ann, (await create(exchange, 'ann@staff.example', 'Ann Archer', 'administrator')).token!)
  const ben = await visitor(browser, exchange)
  await hire(exchange, [ann], ben, ['ben@staff.example', 'Ben Baker', 'administrator'])
  rita = await visitor(browser, exchange, 'narrow')
  await hire(exchange, [ann, ben], rita, ['rita@staff.example', 'Rita Reed', 'risk'])
  clara = await visitor(browser, exchange)
  await hire(exchange, [ann, ben], clara, ['clara@staff.example', 'Clara Cole', 'compliance'])
  await trade()
})
after(async () => {
  await browser?.close()
  await exchange?.[Symbol.asyncDispose]()
})

/** Hours of nine days, as the follower writes them: more at some hours than at others, and a little more each day. */
async function trade(): Promise<void> {
  const now = Date.now()
  const hours = `select at, 1 + sin(at / ${hour} % 24 / 3.8) ^ 2 + at / ${hour} % 5 / 4.0 + n / 1440.0 as level
    from (select n, ${now - (now % hour)}::bigint - (216 - n) * ${hour}::bigint as at from generate_series(1, 216) n) found`
  await exchange.store.pool.query(`
    with hours as (${hours}), volumes as (
      insert into volume_hours select at, round((240000 * level)::numeric, 2) from hours
      on conflict (hour) do update set usdt = volume_hours.usdt + excluded.usdt
    ), sums as (
      insert into figure_hours
      select at, round((180 * level)::numeric, 2), round((5200 * level)::numeric, 2), round((900 * level)::numeric, 2),
        round(((level - 2.1) * 60)::numeric, 2) from hours on conflict do nothing
    )
    insert into trader_days select at - at % 86400000, 900000 + at / ${hour} % 24 * 100 + n, at from hours, generate_series(1, (12 * level)::int) n
    on conflict do nothing`)
}

test('CONSOLE-OVERVIEW-008: the page reads down from what waits to exposure, with one filled button at most, at both sizes', async () => {
  for (const { page } of [ann, rita]) {
    await page.reload()
    await page.getByRole('region', { name: 'What is wrong' }).waitFor()
    const order = ['What is wrong', 'Checks', 'Figures', 'Funds and pools', 'Exposure']
    for (const name of order) await page.getByRole('region', { name }).waitFor()
    const tops = await Promise.all(order.map(async (name) => (await page.getByRole('region', { name }).boundingBox())!.y))
    assert.deepEqual(
      tops,
      tops.toSorted((a, b) => a - b),
    )
    await page
      .getByRole('region', { name: 'Checks' })
      .getByText(/zero in \d+ of \d+ assets/)
      .waitFor()
    await page.getByRole('table', { name: 'Exposure' }).getByText('BTCUSDTPERP').waitFor()
    assert.ok((await page.locator('.button.filled').count()) <= 1)
  }
  const [wide, narrow] = [sights(ann.page, 'overview', 'en'), sights(rita.page, 'overview-narrow', 'en')]
  await wide.see('page')
  await narrow.see('page')
  assert.deepEqual([...wide.wrong, ...narrow.wrong, ...ann.complaints, ...rita.complaints], [])
})

test('CONSOLE-OVERVIEW-009: figures are of today, 7 or 30 days, say what they are compared with, and are saved as a file', async () => {
  const { page } = ann
  const figures = page.getByRole('region', { name: 'Figures' })
  const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' }).format(Date.now())
  await figures.getByText(new RegExp(`^dashed: last ${weekday} · compared up to \\d\\d:00 UTC$`)).waitFor()
  await page.getByRole('button', { name: '7 d' }).click()
  await figures.getByText(/^dashed: the 7 days before · /).waitFor()
  assert.equal(await page.getByRole('button', { name: '7 d' }).getAttribute('aria-pressed'), 'true')
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV', exact: true }).click()
  assert.equal((await saved).suggestedFilename(), 'overview-figures.csv')
  const wide = sights(page, 'overview', 'en')
  await wide.see('week')
  await page.getByRole('button', { name: 'Today' }).click()
  assert.deepEqual([...wide.wrong, ...ann.complaints], [])
})

test('CONSOLE-OVERVIEW-010: what is wrong leads to the page where it is dealt with', async () => {
  const { page } = ann
  const status = await page.evaluate(async () => {
    const wish = { kind: 'spot', subject: 'ETHUSDT', reason: 'a test of the overview' }
    const headers = { 'content-type': 'application/json' }
    return (await fetch('/console/v1/terms/markets/close', { method: 'POST', headers, body: JSON.stringify(wish) })).status
  })
  assert.equal(status, 200)
  const wrong = page.getByRole('region', { name: 'What is wrong' })
  await wrong.getByText('ETHUSDT is halted').waitFor()
  const wide = sights(page, 'overview', 'en')
  await wide.see('wrong')
  await wrong.getByRole('link', { name: 'Open: ETHUSDT is halted' }).click()
  await page.getByRole('heading', { name: 'ETHUSDT', level: 1 }).waitFor()
  assert.deepEqual([...wide.wrong, ...ann.complaints], [])
})

test('CONSOLE-OVERVIEW-011: a role sees only the parts that it may read', async () => {
  const { page } = clara
  await page.reload()
  await page.getByRole('region', { name: 'Identity' }).waitFor()
  await page.getByRole('region', { name: 'Lost factors' }).waitFor()
  for (const name of ['What is wrong', 'Checks', 'Figures', 'Funds and pools', 'Exposure', 'Second signatures'])
    assert.equal(await page.getByRole('region', { name }).count(), 0, name)
  assert.equal(await page.getByRole('button', { name: '7 d' }).count(), 0)
  const wide = sights(page, 'overview', 'en')
  await wide.see('compliance')
  assert.deepEqual([...wide.wrong, ...clara.complaints], [])
})
