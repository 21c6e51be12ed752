import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { ccxtOf, type Desk, startDesk, test, type Trader, until } from './desk.ts'

const outside = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const dayMs = 86_400_000

let desk: Desk
let trader: Trader
let ccxt: any
before(async () => {
  desk = await startDesk({ hasChains: true })
  trader = await desk.trader({ USDT: '1000' }, ['read', 'withdraw'], ['127.0.0.1'])
  ccxt = await ccxtOf(desk, trader)
  await ccxt.loadMarkets()
  await desk.exchange.store.pool.query(
    `insert into withdrawal_addresses (id, account, network, address, label, owner, added_at, usable_at)
     select gen_random_uuid(), id, 'tron', $1, 'mine', 'own', $2::bigint - $4::bigint, $2 from accounts where core_user = $3`,
    [outside, Date.now() - 1, trader.user.id, dayMs],
  )
})
after(async () => {
  await ccxt?.close()
  await desk?.[Symbol.asyncDispose]()
})

test('API-CLIENT-026: ccxt reads the networks of a coin with fees and limits, and the deposit address and deposits', async () => {
  const { networks, deposit, withdraw } = (await ccxt.fetchCurrencies()).USDT
  assert.deepEqual([deposit, withdraw, Object.keys(networks).sort()], [true, true, ['ERC20', 'TRC20']])
  const { id, fee, precision, limits } = networks.TRC20
  assert.deepEqual([id, fee, precision, limits.withdraw.max, limits.deposit.min], ['TRX', 1, 0.000001, 50_000, 1])
  const { address, currency, tag } = await ccxt.fetchDepositAddress('USDT', { network: 'TRC20' })
  assert.deepEqual([address.length, address[0], currency, tag], [34, 'T', 'USDT', undefined])
  const chains = desk.exchange.chains!
  const txid = await chains.send({ network: 'tron', asset: 'USDT', to: address, amount: '75.25' })
  await chains.mine('tron', 40)
  const found = await until('the deposit', async () =>
    (await ccxt.fetchDeposits('USDT', Date.now() - dayMs)).find((one: any) => one.status === 'ok'),
  )
  assert.deepEqual(
    [found.txid.replace(/^0x/, ''), found.amount, found.network, found.address, found.type, found.internal],
    [txid.replace(/^0x/, ''), 75.25, 'TRC20', address, 'deposit', false],
  )
})

test('API-CLIENT-027: ccxt withdraws to a listed address, once per client id, and reads its withdrawals', async () => {
  const out = () => ccxt.withdraw('USDT', 100, outside, undefined, { network: 'TRC20', withdrawOrderId: 'ccxt-out' })
  const { id } = await out()
  assert.equal((await out()).id, id)
  const [found, ...more] = await ccxt.fetchWithdrawals('USDT', Date.now() - dayMs)
  assert.deepEqual(
    [more.length, found.id, found.amount, found.fee, found.status, found.network, found.address, found.type],
    [0, id, 99, { currency: 'USDT', cost: 1 }, 'pending', 'TRC20', outside, 'withdrawal'],
  )
  assert.ok(Math.abs(found.timestamp - Date.now()) < 60_000)
  await assert.rejects(() => ccxt.withdraw('USDT', 5_000, outside, undefined, { network: 'TRC20' }), { name: 'InsufficientFunds' })
  await assert.rejects(
    () => ccxt.withdraw('USDT', 20, 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE', undefined, { network: 'TRC20' }),
    /no such withdrawal address/,
  )
  const reader = await ccxtOf(desk, { ...trader, ...(await keyOf(['read'])) })
  await assert.rejects(() => reader.withdraw('USDT', 20, outside, undefined, { network: 'TRC20' }), { name: 'AuthenticationError' })
  await reader.close()
})

async function keyOf(scopes: readonly string[]): Promise<Pick<Trader, 'key' | 'secret'>> {
  const { user } = trader
  const { body } = await user.call('POST', '/keys', { label: 'reader', scopes, ips: [], password: user.password })
  return { key: body.key.key, secret: body.secret }
}
