import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Units } from '@candor/core/money/brand.ts'
import type { ClientId, NetworkNumber, UserId, WithdrawalNumber } from '@candor/core/protocol/ids.ts'
import type { WireFirmRequest } from '@candor/core/protocol/wire/firm/requests.ts'
import { acceptFirm, prove, trust } from '../../app/firm/test/office.ts'
import { digestSigner } from '../../chains/keys.ts'
import { readChains } from '../../chains/config.ts'
import { evmReader } from '../../chains/evm/reader.ts'
import { attestedDigest, type Payment } from '../../chains/signer/statement.ts'
import { tronReader } from '../../chains/tron/reader.ts'
import { startExchange, type TestExchange, type TestUser } from './exchange.ts'
import { setTimeout as sleep } from 'node:timers/promises'

let exchange: TestExchange
before(async () => {
  exchange = await startExchange({ hasChains: true })
  // The tokens are known once their contracts are in final blocks.
  for (const each of ['tron', 'ethereum'] as const) await exchange.chains!.mine(each, 40)
})
after(() => exchange[Symbol.asyncDispose]())

const dayMs = 86_400_000
const recipients = { ethereum: '0x1111111111111111111111111111111111111111', tron: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8' } as const
type Name = keyof typeof recipients

/** `sent` and `asked` in units of the exchange, `arrives` in the smallest unit of the chain. */
type Coin = { readonly symbol: string; readonly amount: string; readonly sent: number; readonly asked: number; readonly arrives: bigint }

test('PAYOUT-JOURNEY-001: on TRON a customer gets an address, a deposit is credited and final, and a withdrawal arrives', () =>
  journey('tron', { symbol: 'USDT', amount: '250.5', sent: 250_500_000, asked: 100_000_000, arrives: 99_000_000n }))

test('PAYOUT-JOURNEY-002: on Ethereum a customer gets an address, a deposit is credited and final, and a withdrawal arrives', () =>
  journey('ethereum', { symbol: 'USDT', amount: '250.5', sent: 250_500_000, asked: 100_000_000, arrives: 95_000_000n }))

test('PAYOUT-JOURNEY-003: TRX is deposited and withdrawn on TRON', () =>
  journey('tron', { symbol: 'TRX', amount: '150.25', sent: 1_502_500, asked: 500_000, arrives: 48_000_000n }))

test('PAYOUT-JOURNEY-004: ETH is deposited and withdrawn on Ethereum', () =>
  journey('ethereum', { symbol: 'ETH', amount: '0.75', sent: 75_000_000, asked: 10_000_000, arrives: 98_000_000_000_000_000n }))

test('FIRM-PAYOUT-001: a firm’s withdrawal is approved by its members and by the staff, and paid on the chain once, as the request showed it', async () => {
  const [owner, treasurer] = [await member(), await member()]
  const { id } = (await owner.call('POST', '/firms', { name: 'Acme Capital', registration: 'HRB 1', country: 'DE' })).body
  await acceptFirm(exchange, id)
  const ask = async (by: TestUser, wish: object): Promise<WireFirmRequest> => {
    const { status, body } = await by.call('POST', `/firms/${id}/requests`, { clientId: randomUUID(), ...wish })
    assert.equal(status, 201, JSON.stringify(body))
    return body
  }
  const approve = async (by: TestUser, request: string): Promise<WireFirmRequest> =>
    (await by.call('POST', `/firms/${id}/requests/${request}/approve`, {})).body
  const invited = { uid: treasurer.uid, label: 'Treasurer', role: 'treasurer', accounts: null }
  assert.equal((await ask(owner, { kind: 'member', member: invited })).state, 'done')
  await treasurer.call('POST', `/firms/${id}/accept`)
  assert.equal((await ask(owner, { kind: 'rule', rule: { bands: [{ upTo: null, people: 2 }], addressPeople: 2 } })).state, 'done')
  const address = { network: 'ethereum', address: recipients.ethereum, label: 'Wallet', owner: 'own' }
  const wallet = (await ask(treasurer, { kind: 'address', address })).id
  assert.equal((await approve(owner, wallet)).state, 'done')
  const { pool } = exchange.store
  await pool.query(`update withdrawal_addresses set added_at = added_at - ${dayMs}, usable_at = usable_at - ${dayMs} where id = $1`, [
    wallet,
  ])
  const { rows } = await pool.query<{ user: UserId }>(
    `select core_user as user from accounts join firm_accounts on account = accounts.id where firm_accounts.firm = $1 and kind = 'main'`,
    [id],
  )
  const { user } = rows[0]!

  const left = await deposit('ethereum', user, { symbol: 'USDT', amount: '250.5', sent: 250_500_000 })
  const before = await onChain('ethereum', 'USDT')
  const withdrawal = { network: 'ethereum', asset: 'USDT', address: wallet, amount: '100', fee: '5' }
  const asked = await ask(treasurer, { kind: 'withdrawal', withdrawal })
  assert.deepEqual([asked.state, asked.people, await left()], ['open', 2, 250_500_000])
  const done = await approve(owner, asked.id)
  assert.equal(done.state, 'done', JSON.stringify(done))
  assert.equal((await approve(owner, asked.id)).withdrawalId, done.withdrawalId)
  await pay('ethereum', user, Number(done.withdrawalId) as WithdrawalNumber)
  assert.equal(await left(), 150_500_000)
  assert.equal((await onChain('ethereum', 'USDT')) - before, 95_000_000n)
  const { rows: paid } = await pool.query('select client_id, recipient, value::text, fate from payouts where user_no = $1', [user])
  assert.deepEqual(paid, [{ client_id: asked.id, recipient: recipients.ethereum, value: '95000000', fate: 'paid' }])
})

/** A certified person with a second factor, whose login has just proved itself. */
async function member(): Promise<TestUser> {
  const user = await exchange.user({ isCertified: true })
  await trust(exchange, user.uid)
  await prove(exchange, user.uid)
  return user
}

async function journey(name: Name, coin: Coin): Promise<void> {
  const { symbol, sent, asked, arrives } = coin
  const user = await exchange.user({ isCertified: true })
  const before = await onChain(name, symbol)
  const balance = await deposit(name, user.id, coin)
  await pay(name, user.id, await withdraw(name, user, symbol, asked as Units))
  assert.equal(await balance(), sent - asked)
  assert.equal((await onChain(name, symbol)) - before, arrives)
  // The signer paid because the treasury found that books and chains match.
  const { rows } = await exchange.store.pool.query<{ is_match: boolean }>('select is_match from treasury_beats')
  assert.deepEqual(rows, [{ is_match: true }])
  assert.deepEqual((await exchange.store.pool.query('select from treasury_findings where stops')).rows, [])
}

/** Coins sent to an address of the user's own, once they are final. Returns the balance at any time. */
async function deposit(
  name: Name,
  user: UserId,
  { symbol, amount, sent }: Pick<Coin, 'symbol' | 'amount' | 'sent'>,
): Promise<() => Promise<number>> {
  const address = await addressOf(name, user)
  await exchange.chains!.send({ network: name, asset: symbol, to: address, amount })
  const asset = (await exchange.link.ask.listing()).assets.find((one) => one.symbol === symbol)!
  const balance = async () => {
    const rows = await exchange.link.ask.balances(user)
    return rows.find(({ account }) => 'user' in account && account.kind === 'spot' && account.asset === asset.id)?.available ?? 0
  }
  // Enough for a final block: 19 on TRON, 16 on this Ethereum, and the ones that the transactions wait for.
  await exchange.chains!.mine(name, 40)
  await until(async () => (await balance()) === sent)
  await until(async () => (await exchange.link.ask.chainStanding(user)).unfinal.length === 0)
  return balance
}

/** The staff approve a withdrawal, and its payment becomes final. */
async function pay(name: Name, user: UserId, number: WithdrawalNumber): Promise<void> {
  // The signer pays nothing before it was told that books and chains match.
  await until(async () => (await exchange.store.pool.query('select from treasury_beats where is_match')).rowCount === 1)
  const decided = { type: 'withdraw.decide', withdrawal: number, isApproved: true, first: 0, second: 0, reason: '' } as const
  assert.equal((await exchange.link.submit(decided)).refusal, undefined)
  // A transaction of TRON is valid for twenty blocks: none are made before it is sent.
  const attempts = 'select from payout_attempts where withdrawal = $1 and sent_at is not null'
  await until(async () => (await exchange.store.pool.query(attempts, [number])).rowCount === 1)
  await until(async () => {
    await exchange.chains!.mine(name, 2)
    await sleep(200)
    return (await exchange.link.ask.chainStanding(user)).withdrawals.length === 0
  })
}

async function addressOf(network: Name, user: UserId): Promise<string> {
  const { pool } = exchange.store
  await pool.query('insert into deposit_address_requests select $1, id, 0 from accounts where core_user = $2', [network, user])
  const find = 'select address from deposit_addresses where network = $1 and user_no = $2'
  await until(async () => (await pool.query(find, [network, user])).rows.length === 1)
  return (await pool.query<{ address: string }>(find, [network, user])).rows[0]!.address
}

/** An address of the customer's list that has waited, the customer's wish with the login's word, and the request. */
async function withdraw(name: Name, user: TestUser, symbol: string, amount: Units): Promise<WithdrawalNumber> {
  const { pool } = exchange.store
  const config = readChains(`${exchange.chains!.folder}/chains.json`)
  const network = config.networks.find((one) => one.name === name)!
  const asset = (await exchange.link.ask.listing()).assets.find((one) => one.symbol === symbol)!
  const { terms } = (await exchange.link.ask.withdrawTerms()).find((one) => one.network === network.number && one.asset === asset.id)!
  const { rows } = await pool.query<{ number: number }>(
    `insert into withdrawal_addresses (id, account, network, address, label, owner, added_at, usable_at)
     select gen_random_uuid(), id, $1, $2, 'mine', 'own', $3, $4 from accounts where core_user = $5 returning number`,
    [name, recipients[name], Date.now() - 2 * dayMs, Date.now() - dayMs, user.id],
  )
  const destination = rows[0]!.number
  const { contract, decimals } = network.tokens.find((one) => one.asset === symbol)!
  const clientId = createHash('sha256').update(`${name} ${symbol}`).digest('hex').slice(0, 20) as ClientId
  const value = BigInt(amount - terms.fee) * 10n ** BigInt(decimals - asset.scale)
  const payment: Payment = {
    withdrawal: 0,
    user: user.id,
    clientId,
    network: name,
    chainId: network.chainId,
    ...(contract === undefined ? {} : { contract }),
    to: recipients[name],
    value,
  }
  const customer = { kind: 'attested', signature: digestSigner(exchange.chains!.folder, 'login')(attestedDigest(payment)) }
  await pool.query(
    `insert into withdrawal_wishes (user_no, client_id, account, destination, network, chain_id, asset, contract, recipient, value, customer, made_at)
     select $1, $2, id, $3, $4, $5, $10, $6, $7, $8, $9, 0 from accounts where core_user = $1`,
    [user.id, clientId, destination, name, network.chainId, contract ?? null, recipients[name], String(value), customer, symbol],
  )
  const request = { type: 'withdraw.request', user: user.id, clientId, asset: asset.id, network: network.number as NetworkNumber } as const
  const { refusal, seq } = await exchange.link.submit({ ...request, amount, fee: terms.fee, destination })
  assert.equal(refusal, undefined)
  await pool.query('update withdrawal_wishes set withdrawal = $3 where user_no = $1 and client_id = $2', [user.id, clientId, seq])
  return seq as number as WithdrawalNumber
}

/** What the recipient has of the coin. */
async function onChain(name: Name, symbol: string): Promise<bigint> {
  const { ready, folder } = exchange.chains!
  const { chainId, tokens } = readChains(`${folder}/chains.json`).networks.find((one) => one.name === name)!
  const { contract } = tokens.find(({ asset }) => asset === symbol)!
  const reader = name === 'tron' ? tronReader({ node: ready.tron.solidUrl, chainId }) : evmReader({ node: ready.ethereum.url, chainId })
  return reader.balance(recipients[name], contract)
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(50)
}
