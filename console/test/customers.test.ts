/** Customers and frozen accounts in a browser. `CANDOR_PICTURES=folder` saves pictures. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { trust } from '../../server/app/firm/test/office.ts'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { sights } from '../../web/test/sights.ts'
import { create, enrol, hire, type Member, startBrowser, visitor } from './member.ts'

let browser: Browser
let exchange: TestExchange
let clara: Member
let dora: Member
let tess: Member
let user: TestUser
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'console-customers' })
  const ann = await visitor(browser, exchange)
  await enrol(ann, (await create(exchange, 'ann@staff.example', 'Ann Archer', 'administrator')).token!)
  const ben = await visitor(browser, exchange)
  await hire(exchange, [ann], ben, ['ben@staff.example', 'Ben Baker', 'administrator'])
  clara = await visitor(browser, exchange)
  await hire(exchange, [ann, ben], clara, ['clara@staff.example', 'Clara Clark', 'compliance'])
  dora = await visitor(browser, exchange, 'narrow')
  await hire(exchange, [ann, ben], dora, ['dora@staff.example', 'Dora Dunn', 'compliance'])
  tess = await visitor(browser, exchange)
  await hire(exchange, [ann, ben], tess, ['tess@staff.example', 'Tess Tailor', 'treasury'])
  user = await trader()
})
after(async () => {
  await browser?.close()
  await exchange?.[Symbol.asyncDispose]()
})

async function must(one: TestUser, path: string, body: object): Promise<void> {
  const answer = await one.call('POST', path, body)
  assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`)
}

/** Index prices of Bitcoin and Ether, once there are any. */
async function prices(one: TestUser): Promise<readonly number[]> {
  for (;;) {
    const { body } = await one.call('GET', '/perp/prices')
    const found = ['BTCUSDTPERP', 'ETHUSDTPERP'].map((symbol) => body.marks.find((mark: { symbol: string }) => mark.symbol === symbol))
    if (found.every((mark) => mark !== undefined && mark.isIndexGood)) return found.map(({ index }) => Math.floor(Number(index)))
    await sleep(100)
  }
}

/** A customer with balances, resting orders, a position and a loan. */
async function trader(): Promise<TestUser> {
  const [one, other] = [
    await exchange.user({ isCertified: true, funds: { USDT: '90000', BTC: '0.5', ETH: '4' } }),
    await exchange.user({ isCertified: true, funds: { USDT: '50000' } }),
  ]
  for (const each of [one, other])
    await must(each, '/transfer', { clientId: 'to-futures', asset: 'USDT', from: 'spot', to: 'perp', amount: '20000' })
  await must(one, '/transfer', { clientId: 'to-margin', asset: 'USDT', from: 'spot', to: 'margin-cross', amount: '6000' })
  await must(one, '/transfer', { clientId: 'to-second', asset: 'USDT', from: 'spot', to: 'option', amount: '1000' })
  const [bitcoin = 0, ether = 0] = await prices(one)
  const limit = { type: 'limit', timeInForce: 'GTC' }
  for (const below of [1, 2, 3])
    await must(one, '/spot/orders', {
      ...{
        ...limit,
        clientId: `rest-${below}`,
        symbol: 'BTCUSDT',
        side: 'buy',
        price: String(Math.floor(bitcoin * (1 - below / 100))),
        quantity: '0.05',
      },
    })
  const future = { ...limit, symbol: 'ETHUSDTPERP', price: String(ether), quantity: '2' }
  await must(other, '/perp/orders', { ...future, clientId: 'short', side: 'sell' })
  await must(one, '/perp/orders', { ...future, clientId: 'long', side: 'buy' })
  const lender = await exchange.user({ isCertified: true, funds: { USDT: '50000' } })
  await must(lender, '/lend/supply', { clientId: 'supply', asset: 'USDT', amount: '20000' })
  await must(one, '/margin/borrow', { clientId: 'loan', asset: 'USDT', amount: '4000' })
  return one
}

test('UI-CONSOLE-020: the search of the header finds a customer by UID, and the list by filters and by an exact address', async () => {
  const { page, complaints } = clara
  const { wrong, see } = sights(page, 'console', 'en')
  await page.keyboard.press('/')
  await page.keyboard.type(user.uid)
  await page.getByRole('option', { name: `Find “${user.uid}”` }).click()
  await page.getByText('by UID').waitFor()
  await page.getByLabel(/^UID, mail address/).fill(user.email)
  await page.getByRole('button', { name: 'Find', exact: true }).click()
  await page.getByText('by mail address').waitFor()
  assert.equal(await page.getByText(user.email).count(), 1, 'the address is shown as it was typed, and masked in the row')
  await page.getByLabel(/^UID, mail address/).fill('nobody@example.com')
  await page.keyboard.press('Enter')
  await page.getByText('Nobody is found.').waitFor()
  await page.keyboard.press('Escape')
  await clara.go('/customers')
  const table = page.getByRole('table', { name: 'Customers' })
  await table.getByRole('link', { name: user.uid }).waitFor()
  await see('customers')
  await page.getByRole('combobox', { name: 'State' }).click()
  await page.getByRole('option', { name: 'Frozen' }).click()
  await page.getByText('No customer matches.').waitFor()
  assert.match(page.url(), /state=frozen/)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  assert.equal((await saved).suggestedFilename(), 'customers.csv')
  assert.deepEqual([wrong, complaints], [[], []])
})

test('UI-CONSOLE-021: a customer’s page has facts, money, login and timeline; addresses show after a reason, and notes are written', async () => {
  const { page, complaints } = clara
  const { wrong, see } = sights(page, 'console', 'en')
  await clara.go(`/customers/${user.uid}`)
  await page.getByRole('heading', { name: `Customer ${user.uid}` }).waitFor()
  for (const name of ['Balances', 'Open orders', 'Positions', 'Loans'])
    await page.getByRole('table', { name }).getByRole('row').nth(1).waitFor()
  await page.getByText('Staked in running orders').waitFor()
  assert.equal(await page.getByText(user.email).count(), 0)
  await page.keyboard.press('n')
  await page.getByRole('dialog').getByLabel('Note').fill('Called about a transfer')
  await page.getByRole('dialog').getByRole('button', { name: 'Write' }).click()
  await page.getByText('Called about a transfer').waitFor()
  await page.getByText('Note written').waitFor()
  await see('customer')
  await page.getByRole('button', { name: 'Reveal, with a reason' }).click()
  await page.getByLabel('Reason').fill('A call back')
  await see('customer-reveal')
  await page.getByRole('dialog').getByRole('button', { name: 'Reveal' }).click()
  await page.getByText(user.email).waitFor()
  await page.getByText('“A call back”').waitFor()
  await page.getByRole('button', { name: 'Hide again' }).click()
  await page.getByText(user.email).waitFor({ state: 'detached' })
  assert.deepEqual([wrong, complaints], [[], []])
})

test('UI-CONSOLE-022: one member freezes an account by the key F, and two open it again at the page of frozen accounts', async () => {
  const { page, complaints } = clara
  const wide = sights(page, 'console', 'en')
  const narrow = sights(dora.page, 'console-narrow', 'en')
  await clara.go(`/customers/${user.uid}`)
  await page.getByRole('heading', { name: `Customer ${user.uid}` }).waitFor()
  await page.keyboard.press('f')
  const freeze = page.getByRole('dialog', { name: /^Freeze the account/ })
  await freeze.getByLabel('Reason').fill('The owner called: a lost phone')
  await freeze.getByRole('button', { name: 'Freeze' }).click()
  await page.getByText(`The account of customer ${user.uid} is frozen.`).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('f')
  await page.getByRole('button', { name: `Propose to open ${user.uid}` }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('The owner came by')
  await page.getByRole('dialog').getByRole('button', { name: 'Propose to open' }).click()
  await page.getByText('yours: somebody else must sign').waitFor()
  await wide.see('freezes')

  await dora.go(`/customers/${user.uid}`)
  await dora.page.getByRole('table', { name: 'Balances' }).waitFor()
  await narrow.see('customer')
  await dora.go('/freezes')
  await dora.page.getByText(`Four eyes: open the account of customer ${user.uid} again?`).waitFor()
  await narrow.see('freezes')
  await dora.page
    .getByRole('button', { name: `Sign opening ${user.uid}` })
    .first()
    .click()
  await dora.page.getByRole('dialog').getByRole('button', { name: 'Sign opening' }).click()
  await dora.page.getByText('No account is frozen.').waitFor()
  assert.deepEqual([wide.wrong, narrow.wrong, complaints, dora.complaints], [[], [], [], []])
})

test('UI-CONSOLE-023: a role sees only the actions that are its own, and a page of another role says so', async () => {
  const { page } = tess
  await tess.go(`/customers/${user.uid}`)
  await page.getByRole('heading', { name: `Customer ${user.uid}` }).waitFor()
  for (const name of ['Note', 'Freeze', 'Add', 'Reveal, with a reason'])
    assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name)
  await tess.go('/freezes')
  await page.getByText('Your role does not open this page').waitFor()
})

test('UI-CONSOLE-024: a member declares their own customer account, which is then marked on its page', async () => {
  const { page, complaints } = tess
  const { wrong, see } = sights(page, 'console', 'en')
  const own = await exchange.user()
  await tess.go('/me')
  await page.getByText('You have not said yet').waitFor()
  await page.getByRole('button', { name: 'Declare' }).click()
  await page.getByLabel('UID of your account').fill(own.uid)
  await page.getByRole('dialog').getByRole('button', { name: 'Declare' }).click()
  await page.getByText(`Customer ${own.uid} is you.`).waitFor()
  await see('me')
  await tess.go(`/customers/${own.uid}`)
  await page.getByText('of tess@staff.example').waitFor()
  assert.deepEqual([wrong, complaints], [[], []])
})

test('FIRM-OFFICE-001: compliance accepts a firm after its reason, everybody there reads its parts, and two set what it has by contract', async () => {
  const { page, complaints } = clara
  const wide = sights(page, 'console', 'en')
  const narrow = sights(dora.page, 'console-narrow', 'en')
  const owner = await exchange.user({ isCertified: true })
  await trust(exchange, owner.uid)
  const form = { name: 'Acme Capital', registration: 'HRB 4711', country: 'DE', label: 'Olivia Owner' }
  const made = await owner.call('POST', '/firms', form)
  assert.equal(made.status, 201)

  await clara.go('/firms')
  await page.getByRole('button', { name: 'Accept: Acme Capital' }).click()
  const ask = page.getByRole('dialog', { name: 'Accept Acme Capital?' })
  assert.equal(await ask.getByRole('button', { name: 'Accept' }).isDisabled(), true)
  await ask.getByLabel('Reason').fill('The register of Berlin confirms it')
  await wide.see('firm-accept')
  await ask.getByRole('button', { name: 'Accept' }).click()
  await page.getByText('The firm is accepted.').waitFor()
  const row = page.getByRole('row').filter({ hasText: 'HRB 4711' })
  await row.getByText('Active').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Accept: Acme Capital' }).count(), 0)
  await row.getByRole('link', { name: 'Acme Capital' }).click()
  await page.getByRole('heading', { name: 'Acme Capital', level: 1 }).waitFor()
  const table = (name: string) => page.getByRole('table', { name, exact: true })
  await table('Accounts').getByText('Main account').waitFor()
  await table('Members').getByRole('row').filter({ hasText: 'Olivia Owner' }).getByText('Owner', { exact: true }).waitFor()
  await page.getByText('Withdrawals of any value').waitFor()
  await page.getByText('One person').first().waitFor()
  await table('Log').getByText('firm-accepted').waitFor()

  await page.getByRole('button', { name: 'Change', exact: true }).click()
  const terms = page.getByRole('dialog', { name: /Acme Capital$/ })
  await terms.getByLabel('Fee tier, at least').fill('2')
  await terms.getByLabel('Withdrawals on a UTC day').fill('2000000')
  await terms.getByLabel('Reason').fill('Contract of November')
  await wide.see('firm-terms')
  await terms.getByRole('button', { name: 'Propose' }).click()
  await page.getByText('yours: somebody else must approve').waitFor()
  await wide.see('firm')
  await dora.go('/firms')
  await dora.page.getByText('“Contract of November”').waitFor()
  await narrow.see('firms')
  await dora.page.getByRole('button', { name: /^Approve: / }).click()
  await dora.page.getByRole('dialog', { name: 'Approve and carry out?' }).getByRole('button', { name: 'Approve' }).click()
  await dora.page.getByText(/^Done with command \d+\.$/).waitFor()
  const { body } = await owner.call('GET', `/firms/${made.body.id}`)
  assert.deepEqual(body.terms, { tier: 2, withdrawMax: '2000000' })
  assert.deepEqual([wide.wrong, narrow.wrong, complaints, dora.complaints], [[], [], [], []])
})

test('CONSOLE-WATCH-010: a list of which the file lacks rows says so when the file is saved', async () => {
  const { page, complaints } = clara
  await exchange.store.pool.query(
    `insert into accounts (id, uid, email, password, password_changed_at, lang, invitation_code, class, created_at, referrer_user)
     select gen_random_uuid(), (900000000 + n)::text, 'f' || n || '@example.com', '', 0, 'en', 900000000 + n, 'bench', n, 0 from generate_series(1, 10001) n`,
  )
  await clara.go('/customers?class=bench')
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  await saved
  await page.getByText('Only the newest 10,000 rows are in the file.').waitFor()
  assert.deepEqual(complaints, [])
})
