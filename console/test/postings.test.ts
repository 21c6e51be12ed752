/** Postings by hand, and a new Futures market, in a browser. `CANDOR_PICTURES=folder` saves pictures. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startExchange, type TestExchange } from '../../server/main/test/exchange.ts'
import { sights } from '../../web/test/sights.ts'
import { type Member, startBrowser, team } from './member.ts'

let browser: Browser
let exchange: TestExchange
let ann: Member
let ben: Member
let tom: Member
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'postings', hasFeeds: false })
  ;[ann, ben, tom] = await team(browser, exchange, ['tom@staff.example', 'Tom Trent', 'treasury'])
})
after(async () => {
  await browser?.close()
  await exchange?.[Symbol.asyncDispose]()
})

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

/** Chooses an option of a labelled choice. */
async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('UI-CONSOLE-034: a posting is proposed by one member and approved by another who types the sum; the customer is told', async () => {
  const customer = await exchange.user({ funds: { USDT: '100' } })
  const { wrong, see } = sights(tom.page, 'postings', 'en')
  const { page } = tom
  await tom.go('/postings')
  await page.getByRole('heading', { name: 'Propose a posting' }).waitFor()
  assert.equal(await button(page, 'Propose').isDisabled(), true)
  await choose(page, 'From', 'Fees')
  await choose(page, 'To', 'A customer')
  await page.getByLabel('UID of the customer').fill('1')
  await page.getByLabel('Amount').fill('2x')
  assert.equal(await page.getByLabel('Amount').getAttribute('aria-invalid'), 'true')
  await choose(page, 'From', 'A customer')
  await choose(page, 'To', 'Fees')
  await page.getByLabel('UID of the customer').fill(customer.uid)
  await page.getByLabel('Amount').fill('25.5')
  await page.getByLabel('Reason').fill('A deposit that was credited twice')
  await page.getByText('You can propose postings worth 100,000 of 100,000 USDT until midnight UTC.').waitFor()
  await see('form')
  await button(page, 'Propose').click()
  await page.getByText('Proposed. A second member must approve it.').waitFor()
  await page.getByText('yours: somebody else must approve').waitFor()
  await page.getByText('You can propose postings worth 99,974.5 of 100,000 USDT until midnight UTC.').waitFor()
  await see('proposed')

  const narrow = sights(ben.page, 'postings-narrow', 'en')
  await ben.go('/postings')
  await button(ben.page, /^Approve: Posting/).click()
  const ask = dialog(ben.page, 'Approve and carry out?')
  await ask.getByLabel('Type the amount again').fill('255')
  await ask.getByRole('button', { name: 'Approve' }).click()
  await ask.getByRole('alert').waitFor()
  await narrow.see('differs')
  await ask.getByLabel('Type the amount again').fill('25.5')
  await ask.getByRole('button', { name: 'Approve' }).click()
  await ben.page.getByText(/^Done with command \d+\.$/).waitFor()
  await ben.page.getByRole('table', { name: 'Decided' }).getByText('tom@staff.example').waitFor()
  await narrow.see('decided')
  for (;;) {
    const { notices } = (await customer.call('GET', '/notices')).body
    const told = notices.find(({ kind }: { kind: string }) => kind === 'funds-posted')
    if (told === undefined) continue
    assert.deepEqual(told.values, { asset: 'USDT', amount: '-25.500000' })
    break
  }
  assert.deepEqual([wrong, narrow.wrong, tom.complaints], [[], [], []])
})

test('UI-CONSOLE-035: a Futures market is proposed with words about what is wrong, and opens once another member approves', async () => {
  const { page } = ann
  const { wrong, see } = sights(page, 'postings', 'en')
  const listed = async (): Promise<readonly { kind: string; subject: string; assets: readonly string[] }[]> =>
    page.evaluate(async () => (await (await fetch('/console/v1/terms/markets')).json()).markets)
  const source = (await listed()).find(({ kind, assets }) => kind === 'spot' && assets[1] === 'USDT')!
  const symbol = `${source.subject}NEW`
  await ann.go('/markets/new-futures')
  await page.getByLabel('Symbol').fill(source.subject)
  await page.getByLabel('Index of').fill(source.subject)
  await page.getByLabel('Smallest quantity').fill('1')
  await page.getByLabel('Largest quantity').fill('100')
  await page.getByText(`${source.subject} is listed already.`).waitFor()
  await see('futures-wrong')
  await page.getByLabel('Symbol').fill(symbol)
  await page.getByLabel('Reason').fill('Asked for by customers')
  await see('futures')
  await button(page, 'Propose').click()
  await page.getByText('Proposed. A second member must approve it.').waitFor()
  await ben.go('/decisions')
  await button(ben.page, new RegExp(`^Approve: .*${symbol}`)).click()
  await dialog(ben.page, 'Approve and carry out?').getByRole('button', { name: 'Approve' }).click()
  await ben.page.getByText(/^Done with command \d+\.$/).waitFor()
  assert.ok((await listed()).some(({ kind, subject }) => kind === 'futures' && subject === symbol))
  assert.deepEqual(wrong, [])
})
