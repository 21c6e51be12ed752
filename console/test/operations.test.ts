/** Decisions about terms in a browser. `CANDOR_PICTURES=folder` saves pictures. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Browser, Page } from 'playwright-core'
import { practicePaper } from '../../server/main/first/paper.ts'
import { startExchange, type TestExchange } from '../../server/main/test/exchange.ts'
import { sights } from '../../web/test/sights.ts'
import { type Member, startBrowser, team } from './member.ts'

let browser: Browser
let exchange: TestExchange
let ann: Member
let ben: Member
let rob: Member
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'operations', hasFeeds: false })
  ;[ann, ben, rob] = await team(browser, exchange, ['rob@staff.example', 'Rob Reed', 'risk'])
})
after(async () => {
  await browser?.close()
  await exchange?.[Symbol.asyncDispose]()
})

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })

test('UI-CONSOLE-030: a member proposes new terms of a market by old and new values, and another approves them', async () => {
  const { wrong, see } = sights(rob.page, 'operations', 'en')
  await rob.go('/markets')
  await heading(rob.page, 'Markets').waitFor()
  await rob.page.getByRole('table', { name: 'Spot' }).getByRole('link', { name: 'BTCUSDT', exact: true }).waitFor()
  await see('markets')
  await rob.page.getByRole('table', { name: 'Spot' }).getByRole('link', { name: 'BTCUSDT', exact: true }).click()
  await heading(rob.page, 'BTCUSDT').waitFor()
  assert.equal(await button(rob.page, 'Propose').isDisabled(), true)
  await rob.page.getByLabel('Taker fee').fill('0.08x')
  assert.equal(await rob.page.getByLabel('Taker fee').getAttribute('aria-invalid'), 'true')
  await rob.page.getByLabel('Taker fee').fill('0.08')
  await rob.page.getByLabel('Smallest order value').fill('10')
  await rob.page.getByLabel('Reason').fill('The yearly review of fees')
  await rob.page.getByRole('heading', { name: '2 changes' }).waitFor()
  await see('market-form')
  await button(rob.page, 'Propose').click()
  await rob.page.getByText('Proposed. A second member must approve it.').waitFor()
  await rob.page.getByText('yours: somebody else must approve').waitFor()
  await see('market-proposed')

  await ben.go('/decisions')
  await ben.page.getByText('“The yearly review of fees”').waitFor()
  await ben.page.getByRole('navigation').getByLabel('1 waiting').waitFor()
  const narrow = sights(ben.page, 'operations-narrow', 'en')
  await narrow.see('decisions')
  await button(ben.page, /^Approve: Spot market BTCUSDT/).click()
  const ask = dialog(ben.page, 'Approve and carry out?')
  await ask.getByText('0.08 %').waitFor()
  await narrow.see('approve')
  await ask.getByRole('button', { name: 'Approve' }).click()
  await ben.page.getByText(/^Done with command \d+\.$/).waitFor()
  await ben.page.getByText('No decision waits.').waitFor()
  await rob.go('/decisions')
  await rob.page.getByRole('table', { name: 'Decided' }).getByText('ben@staff.example').waitFor()
  await see('decided')
  assert.deepEqual([wrong, narrow.wrong, rob.complaints, ben.complaints], [[], [], [], []])
})

test('UI-CONSOLE-013: J and K go through the rows of the tables, and Enter opens the row', async () => {
  const { page, complaints } = rob
  await rob.go('/markets')
  const rows = page.getByRole('table').getByRole('row')
  await rows.nth(3).waitFor()
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
  const names = await page
    .getByRole('table')
    .locator('tbody tr')
    .evaluateAll((list) => list.map((row) => row.querySelector('a')!.textContent))
  for (const name of names.slice(0, 3)) {
    await page.keyboard.press('j')
    assert.equal(await focused(), name)
  }
  await page.keyboard.press('k')
  assert.equal(await focused(), names[1])
  await sights(page, 'operations', 'en').see('rows-by-key')
  await page.keyboard.press('?')
  await dialog(page, 'Keyboard').getByText('Next row').waitFor()
  await page.keyboard.press('Escape')
  await dialog(page, 'Keyboard').waitFor({ state: 'detached' })
  await page.getByRole('table').getByRole('link', { name: names[1]!, exact: true }).first().focus()
  await page.keyboard.press('Enter')
  await heading(page, names[1]!).waitFor()
  assert.deepEqual(complaints, [])
})

test('UI-CONSOLE-012: the markets, the countries, the fees and the exposure of Second are files', async () => {
  const { page, complaints } = rob
  const file = async (path: string, name: string): Promise<string> => {
    await rob.go(path)
    const saved = page.waitForEvent('download')
    await button(page, `CSV of ${name}`).click()
    return readFile(await (await saved).path(), 'utf8')
  }
  assert.match(await file('/markets', 'markets-spot'), /^market,tick,lot,.*takerFeePpm.*\r\nBTCUSDT,0.1,0.00001,/)
  assert.match(await file('/countries', 'countries'), /^country,isLeverageOpen,isSecondOpen\r\n/)
  assert.match(await file('/fees', 'fees'), /^volumeMin,makerPpm,takerPpm\r\n0,/)
  assert.match(await file('/second', 'second-exposure'), /^market,isPaused,orders,stakes\r\nBTCUSDT,true,0,0\r\n/)
  assert.deepEqual(complaints, [])
})

test('UI-CONSOLE-031: one member halts a market with a reason, and a payment into the house fund is typed again by its approver', async () => {
  const { wrong, see } = sights(rob.page, 'operations', 'en')
  await rob.go('/markets')
  await rob.page.getByRole('table', { name: 'Spot' }).getByRole('button', { name: 'Halt: LTCUSDT' }).click()
  const halt = dialog(rob.page, 'Halt LTCUSDT now?')
  assert.equal(await halt.getByRole('button', { name: 'Halt' }).isDisabled(), true)
  await halt.getByLabel('Reason').fill('Strange prices at all venues')
  await see('halt')
  await halt.getByRole('button', { name: 'Halt' }).click()
  await rob.page.getByRole('table', { name: 'Spot' }).getByText('Halted').waitFor()

  const firm = await exchange.user({ funds: { USDT: '90000' } })
  const { refusal } = await exchange.link.submit({ type: 'user.house', user: firm.id as UserId, isHouse: true })
  assert.equal(refusal, undefined)
  await rob.go('/second')
  await heading(rob.page, 'Second').waitFor()
  await rob.page.getByLabel('Largest stake').fill('2000')
  await rob.page.getByLabel('UID of the firm’s account').fill(firm.uid)
  await rob.page.getByLabel('Amount in USDT').fill('40000')
  await rob.page.getByLabel('Reason').fill('More room for stakes')
  await see('second')
  await button(rob.page, 'Propose').click()
  await rob.page.getByText('Proposed. A second member must approve it.').waitFor()
  await ben.go('/second')
  await button(ben.page, 'Approve: Second').click()
  const ask = dialog(ben.page, 'Approve and carry out?')
  await ask.getByText('40,000 USDT into the house fund').waitFor()
  await ask.getByLabel('Type the amount again').fill('4000')
  await ask.getByRole('button', { name: 'Approve' }).click()
  await ask.getByText('This is not the proposed amount.').waitFor()
  await sights(ben.page, 'operations-narrow', 'en').see('payment')
  await ask.getByLabel('Type the amount again').fill('40000')
  await ask.getByRole('button', { name: 'Approve' }).click()
  await ben.page.getByText(/^Done with command \d+\.$/).waitFor()
  await ben.page.getByText('1,040,000 USDT').waitFor()
  assert.deepEqual([wrong, rob.complaints, ben.complaints], [[], [], []])
})

test('UI-CONSOLE-032: fees and countries are proposed in the same way, and a new market by a form of its own', async () => {
  const { wrong, see } = sights(ben.page, 'operations-narrow', 'en')
  await ben.go('/fees')
  await heading(ben.page, 'Fees').waitFor()
  // The fee schedule is above the terms of referral.
  await button(ben.page, 'Add a row').first().click()
  for (const [column, text] of [
    ['30-day volume from', '500000000'],
    ['Maker', '0.01'],
    ['Taker', '0.03'],
  ])
    await ben.page.getByLabel(`Tiers: ${column}, row 6`).fill(text!)
  await ben.page.getByLabel('Reason').first().fill('A tier for large makers')
  await see('fees')
  await button(ben.page, 'Propose').first().click()
  await ben.page.getByText('Proposed. A second member must approve it.').waitFor()
  await rob.go('/decisions?area=fees')
  await button(rob.page, 'Approve: Fee schedule').click()
  await dialog(rob.page, 'Approve and carry out?').getByRole('button', { name: 'Approve' }).click()
  await rob.page.getByText(/^Done with command \d+\.$/).waitFor()

  await ben.go('/countries')
  await heading(ben.page, 'Countries').waitFor()
  await button(ben.page, 'Add a country').click()
  const form = dialog(ben.page, 'Propose new terms')
  await form.getByRole('combobox', { name: 'Leverage above 2' }).click()
  await ben.page.getByRole('option', { name: 'on' }).click()
  await form.getByLabel('Licence or legal ground').fill('Licence 4711 of BaFin')
  await see('country')
  await form.getByRole('button', { name: 'Propose' }).click()
  await ben.page.getByText('“Licence 4711 of BaFin”').waitFor()
  await button(ben.page, /^Take back: Germany/).click()
  await dialog(ben.page, 'Decline this proposal?').getByLabel('Reason').fill('Not yet')
  await dialog(ben.page, 'Decline this proposal?').getByRole('button', { name: 'Decline' }).click()
  await ben.page.getByRole('region', { name: /Germany$/ }).waitFor({ state: 'detached' })

  await rob.go('/markets/new')
  await heading(rob.page, 'List a spot market').waitFor()
  for (const [label, text] of [
    ['Symbol', 'ATOMUSDT'],
    ['Coin', 'ATOM'],
    ['Decimal places of the coin', '6'],
    ['Step of prices', '0.001'],
    ['Step of quantities', '0.01'],
    ['Smallest quantity', '0.01'],
    ['Largest quantity', '100000'],
    ['Reason', 'Customers ask for it'],
  ])
    await rob.page.getByLabel(label!, { exact: true }).fill(text!)
  await sights(rob.page, 'operations', 'en').see('listing')
  await button(rob.page, 'Propose').click()
  await heading(rob.page, 'Markets').waitFor()
  await ben.go('/markets')
  await button(ben.page, /^Approve: New spot market ATOMUSDT/).click()
  await dialog(ben.page, 'Approve and carry out?').getByRole('button', { name: 'Approve' }).click()
  await ben.page.getByRole('table', { name: 'Spot' }).getByRole('link', { name: 'ATOMUSDT', exact: true }).waitFor()
  assert.deepEqual([wrong, rob.complaints, ben.complaints], [[], [], []])
})

test('CONSOLE-PRESALE-008: a member prepares a presale with a whitepaper, another reads both and opens it, and two cancel it', async () => {
  const { wrong, see } = sights(rob.page, 'operations', 'en')
  const { page } = rob
  await rob.go('/presales')
  await page.getByRole('link', { name: 'Prepare a presale' }).click()
  await heading(page, 'Prepare a presale').waitFor()
  await page.getByRole('combobox', { name: 'Token' }).click()
  await page.getByRole('option', { name: 'PRACT', exact: true }).click()
  await page.getByLabel('Name of the token').fill('Practice Token')
  await page.getByLabel('All tokens that exist').fill('10,000,000')
  assert.equal(await button(page, 'Keep these texts').isDisabled(), true)
  for (const field of ['Overview', 'The project', 'Who gets the tokens', 'Use of the money', 'Risks'])
    await page.getByLabel(field, { exact: true }).fill(`${field}, in words`)
  await page.getByLabel('Title', { exact: true }).fill('Third round')
  // A language that is begun must be written to the end.
  await page.getByRole('tab', { name: 'German' }).click()
  await page.getByLabel('Title', { exact: true }).fill('Dritte Runde')
  await page.getByText('Not written to the end: German.').waitFor()
  await page.getByLabel('Title', { exact: true }).fill('')
  await page.getByText('Written: English.').waitFor()
  await see('presale-texts')
  await button(page, 'Keep these texts').click()
  await heading(page, 'Third round').waitFor()

  // The same file again, after an upload that failed.
  const paper = { name: 'paper.pdf', mimeType: 'application/pdf', buffer: practicePaper() }
  await page.route('**/presales/papers', (route) => route.abort())
  await page.getByLabel('Choose a PDF').setInputFiles(paper)
  await page.getByText(/^The exchange does not answer/).waitFor()
  assert.equal(await page.getByLabel('Choose a PDF').inputValue(), '')
  await page.unroute('**/presales/papers')
  await page.getByLabel('Choose a PDF').setInputFiles(paper)
  await page.getByText('The whitepaper is kept.').waitFor()
  const terms: Readonly<Record<string, string>> = {
    'Price: this sum': '0.05',
    'Tokens on sale': '1000000',
    'Most tokens for one customer': '100000',
    'Smallest first subscription': '10',
    'Most that one customer subscribes': '1000',
  }
  for (const [name, value] of Object.entries(terms)) await page.getByLabel(name, { exact: true }).fill(value)
  await page.getByLabel('Reason').fill('A third round, smaller')
  await see('presale-terms')
  await button(page, 'Propose').click()
  await page.getByText('yours: somebody else must approve').waitFor()

  const other = sights(ben.page, 'operations-narrow', 'en')
  const approve = async (): Promise<void> => {
    await button(ben.page, /^Approve: /).click()
    await dialog(ben.page, 'Approve and carry out?').getByRole('button', { name: 'Approve' }).click()
  }
  await ben.go('/presales')
  await ben.page.getByText('“A third round, smaller”').waitFor()
  await button(ben.page, /^Read the texts /).click()
  await dialog(ben.page, 'Third round').getByText('Overview, in words').waitFor()
  await other.see('presale-read')
  await dialog(ben.page, 'Third round').getByRole('button', { name: 'Close' }).click()
  const saved = ben.page.waitForEvent('download')
  await button(ben.page, /^Save the whitepaper /).click()
  assert.deepEqual(await readFile(await (await saved).path()), practicePaper())
  await approve()
  await ben.page.getByText(/^Done with command \d+\.$/).waitFor()
  const row = (of: Page) => of.getByRole('row').filter({ hasText: 'Third round' })
  await row(ben.page).getByText('Opens soon').waitFor()
  await other.see('presale-open')

  await rob.go('/presales')
  await button(page, 'Cancel: Third round').click()
  const ask = dialog(page, 'Propose to cancel “Third round”?')
  await ask.getByLabel('Reason').fill('The project has ended')
  await ask.getByRole('button', { name: 'Propose' }).click()
  await page.getByText('Proposed. Nothing is refunded before a second member approves.').waitFor()
  await row(page).getByText('Opens soon').waitFor()
  await ben.go('/presales')
  await ben.page.getByText('“The project has ended”').waitFor()
  await approve()
  await row(ben.page).getByText('Cancelled').waitFor()
  assert.equal(await button(ben.page, 'Cancel: Third round').count(), 0)
  assert.deepEqual([wrong, other.wrong, rob.complaints, ben.complaints], [[], [], [], []])
})

test('UI-CONSOLE-033: an announcement is published only in all seven languages, with a preview of each, and withdrawn', async () => {
  const { wrong, see } = sights(ann.page, 'announcements', 'en')
  await ann.go('/announcements')
  await button(ann.page, 'Write an announcement').click()
  const languages = ann.page.getByRole('tab')
  assert.equal(await languages.count(), 7)
  for (let at = 0; at < 7; at++) {
    assert.equal(await button(ann.page, 'Publish').isDisabled(), true)
    await languages.nth(at).click()
    await ann.page.getByLabel('Title').fill(`Maintenance ${at}`)
    await ann.page.getByLabel('Text', { exact: true }).fill('The exchange rests for ten minutes.\nOrders stay.')
  }
  await ann.page.getByText('All languages are written.').waitFor()
  await see('write')
  await button(ann.page, 'Publish').click()
  await dialog(ann.page, 'Publish in all languages?').getByRole('button', { name: 'Publish' }).click()
  await ann.page.getByText('On home', { exact: true }).waitFor()
  await see('list')
  const { announcements } = (await (await fetch(`${exchange.url}/app/v1/announcements?lang=de`)).json()) as {
    announcements: { title: string }[]
  }
  assert.deepEqual(
    announcements.map(({ title }) => title),
    ['Maintenance 3'],
  )
  await button(ann.page, 'Withdraw: Maintenance 0').click()
  await dialog(ann.page, /Withdraw/)
    .getByRole('button', { name: 'Withdraw' })
    .click()
  await ann.page.getByText('Withdrawn', { exact: true }).waitFor()
  assert.deepEqual([wrong, ann.complaints], [[], []])
})
