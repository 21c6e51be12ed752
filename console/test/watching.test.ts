/** The pages that only read, in a browser. `CANDOR_PICTURES=folder` saves pictures. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { startExchange, type TestExchange } from '../../server/main/test/exchange.ts'
import { sights } from '../../web/test/sights.ts'
import { create, enrol, hire, type Member, startBrowser, visitor } from './member.ts'

let browser: Browser
let exchange: TestExchange
let ann: Member
let rita: Member
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'watching', bots: true })
  ann = await visitor(browser, exchange)
  await enrol(ann, (await create(exchange, 'ann@staff.example', 'Ann Archer', 'administrator')).token!)
  const ben = await visitor(browser, exchange)
  await hire(exchange, [ann], ben, ['ben@staff.example', 'Ben Baker', 'administrator'])
  rita = await visitor(browser, exchange, 'narrow')
  await hire(exchange, [ann, ben], rita, ['rita@staff.example', 'Rita Reed', 'risk'])
})
after(async () => {
  await browser?.close()
  await exchange?.[Symbol.asyncDispose]()
})

/** Looks at a page in both sizes. */
async function look(name: string): Promise<readonly string[]> {
  const wide = sights(ann.page, 'watch', 'en')
  const narrow = sights(rita.page, 'watch-narrow', 'en')
  await wide.see(name)
  await narrow.see(name)
  return [...wide.wrong, ...narrow.wrong, ...ann.complaints, ...rita.complaints]
}

test('UI-CONSOLE-040: the risk page shows positions, funds and pools, says how old they are, and saves each table as a file', async () => {
  for (const { page } of [ann, rita]) {
    await page.keyboard.press('g')
    await page.keyboard.press('x')
    await page.getByRole('heading', { name: 'Risk', level: 1 }).waitFor()
    await page.getByRole('table', { name: 'Open interest' }).getByText('BTCUSDT').first().waitFor()
    await page.getByText(/up to seq [\d,]+ · read \d+ s ago/).waitFor()
  }
  const saved = ann.page.waitForEvent('download')
  await ann.page.getByRole('button', { name: 'CSV of Open interest' }).click()
  assert.equal((await saved).suggestedFilename(), 'risk-markets.csv')
  await ann.page.getByText('The file is saved.').waitFor()
  assert.deepEqual(await look('risk'), [])
})

test('UI-CONSOLE-041: the ledger page leads from the trial balance to accounts, to the lines of a command, and to the balance after it', async () => {
  const { page } = ann
  await page.keyboard.press('g')
  await page.keyboard.press('b')
  await page.getByText(/The accounts of each of \d+ assets sum to zero\./).waitFor()
  await page.getByRole('table', { name: 'Trial balance' }).waitFor()
  const wide = sights(page, 'watch', 'en')
  await wide.see('ledger')
  await page.getByRole('link', { name: 'outside:sandbox' }).first().click()
  await page.getByRole('heading', { name: 'Account outside:sandbox', level: 1 }).waitFor()
  const seq = await page.getByRole('table', { name: 'Postings' }).getByRole('link').first().textContent()
  await wide.see('ledger-account')
  await page.getByRole('table', { name: 'Postings' }).getByRole('link').first().click()
  await page.getByRole('heading', { name: /^Command /, level: 1 }).waitFor()
  await page
    .getByText(/Sum 0$/)
    .first()
    .waitFor()
  assert.equal(new URL(page.url()).pathname, `/console/ledger/command/${seq}`)
  await wide.see('ledger-command')
  await ann.go(`/ledger?seq=${seq}`)
  await page.getByText(/after command [\d,]+/).waitFor()
  await page.getByText(/The accounts of each of \d+ assets sum to zero\./).waitFor()
  assert.deepEqual([...wide.wrong, ...ann.complaints], [])
})

test('UI-CONSOLE-042: the journal page shows batches with their hashes and checks the chain of a range', async () => {
  const { page } = rita
  await page.keyboard.press('g')
  await page.keyboard.press('j')
  await page.getByRole('table', { name: 'Batches' }).waitFor()
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await page.getByText(/^\d+ batches checked in \d+ ms: every hash is right\./).waitFor()
  const { wrong, see } = sights(page, 'watch-narrow', 'en')
  await see('journal')
  assert.deepEqual([...wrong, ...rita.complaints], [])
})

test('UI-CONSOLE-043: the health page shows the processes, the price feeds, what waits and the space', async () => {
  const { page } = ann
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  const processes = page.getByRole('table', { name: 'Processes' })
  for (const name of ['gateway', 'engine', 'follower']) await processes.getByText(name, { exact: true }).waitFor()
  await page.getByText('takes commands').waitFor()
  await page.getByRole('table', { name: 'Largest tables' }).getByText('journal', { exact: true }).waitFor()
  const { wrong, see } = sights(page, 'watch', 'en')
  await see('health')
  assert.deepEqual([...wrong, ...ann.complaints], [])
})
