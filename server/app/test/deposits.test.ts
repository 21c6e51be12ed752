import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { webcrypto } from 'node:crypto'
import { after, before, test } from 'node:test'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import { isDepositAddressSigned } from '@candor/core/proof/deposit-address.ts'
import type { WireDeposit } from '@candor/core/protocol/wire/chains.ts'
import { ChainsFolder } from '../../chains/test/chains-folder.ts'
import { request, startExchange, type TestExchange, type TestUser } from '../../main/test/exchange.ts'

let exchange: TestExchange
let folder: ChainsFolder
const asked: unknown[] = []
let faucetStatus = 200
const faucet = createServer((incoming, answer) => {
  let text = ''
  incoming.on('data', (part: Buffer) => (text += part.toString()))
  incoming.on('end', () => {
    asked.push([incoming.url, JSON.parse(text)])
    answer.writeHead(faucetStatus, { 'content-type': 'application/json' }).end(JSON.stringify({ txid: 'ab12' }))
  })
})
let issuing: AsyncDisposable

before(async () => {
  await new Promise<void>((resolve) => faucet.listen(0, '127.0.0.1', resolve))
  folder = new ChainsFolder({ faucet: `http://127.0.0.1:${(faucet.address() as AddressInfo).port}` })
  exchange = await startExchange({ seed: 'deposits', hasFeeds: false, settings: { chainsFolder: folder.path } })
  issuing = folder.issue(exchange.store.pool)
})
after(async () => {
  await issuing[Symbol.asyncDispose]()
  await exchange[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
  faucet.closeAllConnections()
  faucet.close()
})

const sql = (text: string, values: readonly unknown[] = []) => exchange.store.pool.query(text, [...values])

let transfers = 0
/** A transfer to the user as the scanner stores it. */
async function arrived(user: TestUser, state: string, { network = 'ethereum', raw = '5000000', block = 100 } = {}): Promise<void> {
  await user.call('GET', `/deposits/address?network=${network}`)
  const isIn = state === 'credited' || state === 'final'
  await sql(
    `insert into deposits (network, txid, ordinal, asset, contract, sender, address, account, user_no, raw, block_number, block_hash,
       block_at, state, seen_at, credit, amount)
     select $1, $2, 0, case when $4 = 'wrong-token' then null else 'USDT' end, 'c', 's', address, account, user_no, $3, $5, 'h', 7, $4, 8,
       $6, $7 from deposit_addresses where network = $1 and user_no = $8`,
    [network, `0x${++transfers}`, raw, state, block, isIn ? transfers : null, isIn ? raw : null, user.id],
  )
}

test('COINS-TERMS-001: everybody reads the networks with their coins, minima, fees and confirmations', async () => {
  const { status, body } = await request(exchange.url, 'GET', '/chains')
  assert.equal(status, 200)
  assert.equal(body.walletKey, folder.config.walletKey)
  const [tron, ethereum] = body.networks
  assert.deepEqual([tron.label, tron.confirmations, ethereum.confirmations, ethereum.creditMs], ['TRC20', 0, 12, 144_000])
  assert.deepEqual(
    ethereum.coins.map(({ asset, depositMin }: { asset: string; depositMin: string | null }) => [asset, depositMin]),
    [
      ['USDT', '1'],
      ['ETH', '0.01'],
    ],
  )
})

test('COINS-ADDRESS-001: the first request for an address waits until it is issued, and every later one gets the same, signed one', async () => {
  assert.equal((await request(exchange.url, 'GET', '/deposits/address?network=tron')).status, 401)
  const user = await exchange.user()
  const answers = await Promise.all(Array.from({ length: 5 }, () => user.call('GET', '/deposits/address?network=tron')))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  assert.equal(new Set(answers.map(({ body }) => body.address)).size, 1)
  const { network, address, uid, signature } = answers[0]!.body
  assert.equal(uid, user.uid)
  const key = Uint8Array.from(Buffer.from(folder.config.walletKey, 'hex'))
  assert.ok(await isDepositAddressSigned(webcrypto.subtle, key, { network, address, uid }, Uint8Array.from(Buffer.from(signature, 'hex'))))
  const other = await exchange.user()
  assert.notEqual((await other.call('GET', '/deposits/address?network=tron')).body.address, address)
  assert.equal((await user.call('GET', '/deposits/address?network=nowhere')).body.code, 'NETWORK_UNKNOWN')
})

test('COINS-ADDRESS-002: an address whose row was changed is refused and never shown', async () => {
  const user = await exchange.user()
  await user.call('GET', '/deposits/address?network=tron')
  await sql("update deposit_addresses set signature = decode(repeat('00', 64), 'hex') where user_no = $1", [user.id])
  const { status, body } = await user.call('GET', '/deposits/address?network=tron')
  assert.deepEqual([status, body.code], [409, 'DEPOSIT_ADDRESS_WRONG'])
})

test('COINS-DEPOSITS-001: a customer sees the own deposits with state, confirmations so far and needed, and what small ones wait for', async () => {
  const [user, other] = [await exchange.user(), await exchange.user()]
  await sql(`insert into chain_cursors (network, block, final, audited) values ('ethereum', 102, 90, 90)
             on conflict (network) do update set block = 102, final = 90, audited = 90`)
  for (const state of ['final', 'credited', 'confirming', 'held', 'orphaned', 'wrong-token']) await arrived(user, state)
  await arrived(user, 'small', { raw: '400000' })
  await arrived(user, 'small', { raw: '300000' })
  await arrived(other, 'confirming')
  const { body } = await user.call('GET', '/deposits')
  const items: readonly WireDeposit[] = body.items
  assert.deepEqual(
    items.map(({ state }) => state),
    ['small', 'small', 'orphaned', 'held', 'confirming', 'credited', 'final'],
  )
  assert.deepEqual([items[0]?.amount, items[0]?.waiting], ['0.3', { sum: '0.7', min: '1' }])
  assert.deepEqual([items[2]?.confirmations, items[4]?.confirmations, items[4]?.needed, items[4]?.amount], [0, 3, 12, '5'])
  assert.deepEqual(body.debts, [])
  const first = (await user.call('GET', '/deposits?limit=3')).body
  const rest = (await user.call('GET', `/deposits?limit=100&before=${first.next}`)).body
  assert.deepEqual([...first.items, ...rest.items], items)
  assert.equal((await user.call('GET', '/deposits?state=held')).body.items.length, 1)
  assert.equal((await user.call('GET', '/deposits?asset=BTC')).body.items.length, 0)
})

test('COINS-TEST-001: in a sandbox, a customer asks for test coins, which go to the own address', async () => {
  const user = await exchange.user()
  const { address } = (await user.call('GET', '/deposits/address?network=tron')).body
  const body = { network: 'tron', asset: 'USDT', amount: '25' }
  const sent = await user.call('POST', '/sandbox/deposits', body)
  assert.deepEqual([sent.status, sent.body], [200, { txid: 'ab12' }])
  assert.deepEqual(asked, [['/send', { ...body, to: address }]])
  assert.equal((await user.call('POST', '/sandbox/deposits', { ...body, amount: '0' })).body.code, 'AMOUNT_NOT_POSITIVE')
  faucetStatus = 500
  assert.equal((await user.call('POST', '/sandbox/deposits', body)).body.code, 'UNAVAILABLE')
})

let credits = 0
/** Owes 400 of a deposit of 500: it was spent, and its network dropped it. */
async function debtor(): Promise<TestUser> {
  const user = await exchange.user()
  const send = (command: object) => exchange.link.submit(commandOf(command as Parameters<typeof commandOf>[0]))
  const about = { network: 1, credit: ++credits }
  await send({ type: 'chain.credit', ...about, user: user.id, asset: 1, amount: 500_000_000, isFinal: false })
  await send({ type: 'funds.transfer', user: user.id, clientId: 't', asset: 1, from: 'spot', to: 'perp', market: 0, amount: 400_000_000 })
  await send({ type: 'chain.orphan', ...about })
  return user
}

test('COINS-DEBT-001: a customer repays what is owed for a dropped deposit from the spot account, as far as it goes', async () => {
  const user = await debtor()
  assert.deepEqual((await user.call('GET', '/deposits')).body.debts, [{ asset: 'USDT', amount: '400' }])
  assert.equal((await user.call('POST', '/debts/repay', { asset: 'USDT' })).body.code, 'INSUFFICIENT_BALANCE')
  const transfer = { clientId: 'back', asset: 'USDT', from: 'perp', to: 'spot' }
  assert.equal((await user.call('POST', '/transfer', { ...transfer, amount: '150' })).status, 200)
  const part = await user.call('POST', '/debts/repay', { asset: 'USDT' })
  assert.deepEqual([part.status, part.body], [200, { debts: [{ asset: 'USDT', amount: '250' }] }])
  assert.equal((await user.call('POST', '/transfer', { ...transfer, clientId: 'all', amount: '250' })).status, 200)
  assert.deepEqual((await user.call('POST', '/debts/repay', { asset: 'USDT' })).body, { debts: [] })
  assert.equal((await user.call('POST', '/debts/repay', { asset: 'USDT' })).body.code, 'NOTHING_OWED')
  assert.equal((await user.call('POST', '/debts/repay', { asset: 'NONE' })).status, 404)
})

test('USER-DELETE-009: debts and open withdrawals stand against a deletion; deposits that are not credited yet are told and don’t', async () => {
  const user = await debtor()
  await arrived(user, 'small', { raw: '400000' })
  await arrived(user, 'final')
  const { body } = await user.call('GET', '/deletion')
  assert.deepEqual([body.debts, body.withdrawals, body.deposits], [1, 0, 1])
  await sql('update sessions set proven_at = $2 where account = (select id from accounts where uid = $1)', [user.uid, Date.now()])
  assert.equal((await user.call('POST', '/deletion', { givesUp: true })).body.code, 'ACCOUNT_NOT_EMPTY')
  assert.deepEqual(
    (await user.call('POST', '/me/data')).body.deposits.map(({ state, raw }: { state: string; raw: string }) => [state, raw]),
    [
      ['final', '5000000'],
      ['small', '400000'],
    ],
  )
  const other = await exchange.user()
  await arrived(other, 'small', { raw: '400000' })
  await sql('update sessions set proven_at = $2 where account = (select id from accounts where uid = $1)', [other.uid, Date.now()])
  assert.equal((await other.call('POST', '/deletion', { givesUp: true })).status, 200)
})

test('ADDRESS-ADD-007: a deposit address of the exchange is no withdrawal address', async () => {
  const user = await exchange.user()
  const { address } = (await user.call('GET', '/deposits/address?network=tron')).body
  await sql('update sessions set proven_at = $2 where account = (select id from accounts where uid = $1)', [user.uid, Date.now()])
  const added = await user.call('POST', '/withdrawal-addresses', { network: 'tron', address, label: 'mine', owner: 'own' })
  assert.equal(added.body.code, 'ADDRESS_OURS')
})

test('COINS-CLOSED-001: an exchange without chains has no networks, and gives no addresses', async () => {
  await using plain = await startExchange({ seed: 'plain', hasFeeds: false })
  const user = await plain.user()
  assert.deepEqual((await request(plain.url, 'GET', '/chains')).body, {
    walletKey: null,
    walletKeyChanges: [],
    hasTestDeposits: false,
    networks: [],
  })
  assert.equal((await user.call('GET', '/deposits/address?network=tron')).body.code, 'DEPOSITS_CLOSED')
  assert.deepEqual((await user.call('GET', '/deposits')).body, { items: [], debts: [] })
  assert.equal((await user.call('POST', '/sandbox/deposits', { network: 'tron', asset: 'USDT', amount: '1' })).body.code, 'SANDBOX_ONLY')
})
