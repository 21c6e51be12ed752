/** An exchange with something to show on every screen, and a customer who has used all of it. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Days, Millis, Ppm, Units } from '@candor/core/money/brand.ts'
import type { PresaleTerms } from '@candor/core/protocol/command/presale.ts'
import type { AssetId, NetworkNumber, PresaleNumber } from '@candor/core/protocol/ids.ts'
import { langs } from '@candor/core/protocol/locales.ts'
import type { PresaleDetails } from '@candor/core/protocol/wire/console/presale.ts'
import { acceptFirm, trust } from '../../server/app/firm/test/office.ts'
import { ChainsFolder } from '../../server/chains/test/chains-folder.ts'
import { practiceTexts } from '../../server/main/first/presale-texts.ts'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { PresaleTexts } from '../../server/presales/presales.ts'
import { hasBook, trade } from './person.ts'

export type World = AsyncDisposable & {
  readonly exchange: TestExchange
  /** Has balances, orders and fills of every product, records, requests and keys. */
  readonly customer: TestUser
  /** Is not verified, and has begun to describe a document. */
  readonly newcomer: TestUser
  /** The number of a presale that the customer took part in, and that has ended. */
  readonly ended: number
  /** The id of a firm that the customer founded. */
  readonly firm: string
}

/** The right answers to the questions before the first order of Second. */
const answers = { q1: 0, q2: 1, q3: 2, q4: 0, q5: 1 }
const pin = '248163'
const target = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'
const day = 86_400_000
const usdt = (whole: number): Units => (whole * 1_000_000) as Units

/** `funds`: of the customer. */
export async function startWorld(funds: Readonly<Record<string, string>>): Promise<World> {
  await using parts = new AsyncDisposableStack()
  const folder = parts.use(new ChainsFolder({ faucet: 'http://127.0.0.1:1' }))
  const settings = { chainsFolder: folder.path }
  const exchange = parts.use(await startExchange({ seed: '7', bots: true, hasHistory: true, settings }))
  parts.use(folder.issue(exchange.store.pool))
  const customer = await exchange.user({ isCertified: true, funds })
  const newcomer = await exchange.user()
  const paper = { kind: 'id-card', country: 'DE', name: 'Erika Mustermann', born: '1984-02-29', number: 'C01X00T47' }
  await newcomer.call('PATCH', '/papers', paper)
  await opensWithdrawals(exchange)
  await isSafe(exchange, customer)
  await stakes(customer)
  const ended = await takesPart(exchange, customer)
  for (const symbol of ['BTCUSDT', 'BTCUSDTPERP', 'ETHUSDTPERP']) await hasBook(exchange, symbol)
  await trade(customer)
  await usesProducts(customer)
  await writes(customer)
  await movesCoins(exchange, customer)
  // A passkey, which founders need, would have to sign the withdrawal.
  const firm = await founds(exchange, customer)
  // Books stay as they are, so that most of the machine's time goes to the screens.
  exchange.quiet()
  const owned = parts.move()
  return { exchange, customer, newcomer, ended, firm, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

async function done(user: TestUser, path: string, body: object): Promise<void> {
  const { status, body: answer } = await user.call('POST', path, body)
  assert.ok(status < 300, `${path}: ${JSON.stringify(answer)}`)
}

/** Sends a request that counts once by its client id. */
const once = (user: TestUser, path: string, body: object): Promise<void> => done(user, path, { clientId: randomUUID(), ...body })

/** Each waits for a person, so that one stays under review. */
async function opensWithdrawals({ link }: TestExchange): Promise<void> {
  const asset = await assetOf(link, 'USDT')
  const terms = { isOpen: true, min: usdt(10), fee: usdt(1), autoMax: usdt(0), singleMax: usdt(10_000) }
  for (const network of [1, 2] as NetworkNumber[]) await link.submit({ type: 'withdraw.setTerms', asset, network, terms })
}

async function assetOf(link: TestExchange['link'], symbol: string): Promise<AssetId> {
  const { assets } = await link.ask.listing()
  return assets.find((one) => one.symbol === symbol)!.id
}

/** Gives the customer a payment password and two addresses, the first of which has waited. */
async function isSafe({ store }: TestExchange, customer: TestUser): Promise<void> {
  const ofAccount = '(select id from accounts where uid = $1)'
  const sql = (text: string, ...values: readonly unknown[]) => store.pool.query(text, [customer.uid, ...values])
  await sql(`update sessions set proven_at = $2 where account = ${ofAccount}`, Date.now())
  await customer.call('PUT', '/auth/payment-password', { digits: pin })
  await done(customer, '/withdrawal-addresses', { network: 'tron', address: target, label: 'Konto 陳', owner: 'own' })
  await sql(`update withdrawal_addresses set added_at = added_at - ${day}, usable_at = usable_at - ${day} where account = ${ofAccount}`)
  const other = 'TR7NHqjeKQxGTCi8f6HwQQEworttSnLj6t'
  await done(customer, '/withdrawal-addresses', { network: 'tron', address: other, label: 'Ledger', owner: 'own' })
  await done(customer, '/keys', { label: 'bot', scopes: ['read', 'trade'], ips: [], password: customer.password })
  await sql(`update accounts set withdrawals_closed_until = 0 where uid = $1`)
}

/** The customer subscribes to the practice presale and to one that ends within seconds. */
async function takesPart({ link, store }: TestExchange, customer: TestUser): Promise<number> {
  const texts = new PresaleTexts(store.pool, () => Date.now() as Millis)
  const { number, hash } = await texts.add(details(), null)
  const token = await assetOf(link, 'PRACT')
  const startsAt = Date.now() as Millis
  const terms: PresaleTerms = {
    ...{ token, pay: await assetOf(link, 'USDT'), price: { pay: 50_000 as Units, per: 1_000_000 as Units } },
    ...{ supply: 2_000_000_000_000 as Units, purchaseLimit: 20_000_000_000 as Units, softCap: 0 as Units },
    ...{ subscriptionMin: usdt(10), subscriptionMax: usdt(5000), startsAt, endsAt: (startsAt + 3_000) as Millis },
    ...{ release: { atListingPpm: 200_000 as Ppm, kind: 'linear', lockDays: 30 as Days, steps: [] } },
    ...{ documentHash: '', detailsHash: hash },
  }
  const presale = number as PresaleNumber
  for (const command of [
    { type: 'presale.set', presale, terms },
    { type: 'presale.subscribe', user: customer.id, clientId: 'ended', presale, amount: usdt(100) },
  ] as const) {
    assert.equal((await link.submit(command)).refusal, undefined)
  }
  await once(customer, '/presales/1/subscriptions', { amount: '100' })
  return number
}

function details(): PresaleDetails {
  const all = langs.map((lang) => {
    const { titles, ...text } = practiceTexts[lang]
    return [lang, { title: titles[0], ...text }] as const
  })
  return {
    ...{ token: 'PRACT', name: 'Practice Token', totalSupply: '9000000', contract: null },
    texts: Object.fromEntries(all) as PresaleDetails['texts'],
  }
}

async function founds(exchange: TestExchange, customer: TestUser): Promise<string> {
  await trust(exchange, customer.uid)
  const { status, body } = await customer.call('POST', '/firms', { name: 'Acme Capital GmbH', registration: 'HRB 1', country: 'DE' })
  assert.equal(status, 201, JSON.stringify(body))
  await acceptFirm(exchange, body.id)
  await done(customer, `/firms/${body.id}/accounts`, { label: 'Alpha' })
  return body.id
}

/** One order of Second settles within the minute, one runs for longer than the test. */
async function stakes(customer: TestUser): Promise<void> {
  await done(customer, '/option/knowledge', { answers })
  await once(customer, '/transfer', { asset: 'USDT', from: 'spot', to: 'option', amount: '500' })
  const second = { symbol: 'BTCUSDT', stake: '10' }
  await once(customer, '/option/orders', { ...second, direction: 'up', seconds: 30 })
  await once(customer, '/option/orders', { ...second, direction: 'down', seconds: 900 })
}

/** Futures with an open and a closed position, Margin and lending. */
async function usesProducts(customer: TestUser): Promise<void> {
  for (const [to, amount] of [
    ['perp', '5000'],
    ['margin-cross', '1000'],
  ]) {
    await once(customer, '/transfer', { asset: 'USDT', from: 'spot', to, amount })
  }
  await once(customer, '/perp/orders', { symbol: 'BTCUSDTPERP', side: 'buy', type: 'market', quantity: '0.01' })
  await once(customer, '/perp/orders', { symbol: 'ETHUSDTPERP', side: 'buy', type: 'market', quantity: '0.2' })
  await once(customer, '/perp/orders', { symbol: 'ETHUSDTPERP', side: 'sell', type: 'market', quantity: '0.2' })
  await once(customer, '/lend/supply', { asset: 'USDT', amount: '100' })
}

async function writes(customer: TestUser): Promise<void> {
  await once(customer, '/support/tickets', { topic: 'account', subject: 'Konto', text: '陳' })
  const level = { symbol: 'BTCUSDT', condition: 'above', source: 'last', level: '9000000' }
  await done(customer, '/alerts', { ...level, note: '', isOn: true, isReachedFine: false })
}

/** One deposit is credited, one withdrawal is under review. */
async function movesCoins({ store }: TestExchange, customer: TestUser): Promise<void> {
  for (const network of ['ethereum', 'tron']) await customer.call('GET', `/deposits/address?network=${network}`)
  await store.pool.query(
    `insert into deposits (network, txid, ordinal, asset, contract, sender, address, account, user_no, raw, block_number, block_hash,
       block_at, state, seen_at, credit, amount, credited_at)
     select 'ethereum', $1, 0, 'USDT', 'c', 's', address, account, user_no, '50000000', 100, 'h', $2, 'credited', $2, 1, '50000000', $2
     from deposit_addresses where network = 'ethereum' and user_no = $3`,
    [`0x${'1'.padStart(64, 'a')}`, Date.now(), customer.id],
  )
  const { addresses } = (await customer.call('GET', '/withdrawal-addresses')).body
  const usable = addresses.find(({ label }: { readonly label: string }) => label === 'Konto 陳')
  const wish = { asset: 'USDT', network: 'tron', address: usable.id, amount: '100', fee: '1' }
  await once(customer, '/withdrawals', { ...wish, paymentPassword: pin })
}
