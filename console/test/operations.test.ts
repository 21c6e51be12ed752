/** Decisions about terms in a browser. `CANDOR_PICTURES=folder` saves pictures. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startExchange, type TestExchange } from '../../server/main/test/exchange.ts'
import { sights } from '../../web/test/sights.ts'
import { create, enrol, hire, type Member, startBrowser, tokenTo, visitor } from './member.ts'

let browser: Browser
let exchange: TestExchange
let ann: Member
let ben: Member
let rob: Member
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'operations', hasFeeds: false })
  const { token } = await create(exchange, 'ann@staff.example', 'Ann Archer', 'administrator')
  ann = await visitor(browser, exchange)
  await enrol(ann, token!)
  ben = await visitor(browser, exchange, 'narrow')
  const { proposal } = await create(exchange, 'ben@staff.example', 'Ben Baker', 'administrator')
  await ann.page.evaluate(async (id) => fetch(`/console/v1/staff/proposals/${id}/approve`, { method: 'POST' }), proposal)
  await enrol(ben, await tokenTo(exchange, 'ben@staff.example'))
  rob = await visitor(browser, exchange)
  await hire(exchange, [ann, ben], rob, ['rob@staff.example', 'Rob Reed', 'risk'])
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
