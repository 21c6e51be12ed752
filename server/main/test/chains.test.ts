import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Units } from '@candor/core/money/brand.ts'
import type { ClientId, NetworkNumber, WithdrawalNumber } from '@candor/core/protocol/ids.ts'
import { createPublicClient, http } from 'viem'
import { digestSigner } from '../../chains/keys.ts'
import { readChains } from '../../chains/config.ts'
import { attestedDigest, type Payment } from '../../chains/signer/statement.ts'
import { startExchange, type TestExchange, type TestUser } from './exchange.ts'
import { setTimeout as sleep } from 'node:timers/promises'

let exchange: TestExchange
before(async () => void (exchange = await startExchange({ hasChains: true })))
after(() => exchange[Symbol.asyncDispose]())

const dayMs = 86_400_000
const recipients = { ethereum: '0x1111111111111111111111111111111111111111', tron: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8' } as const
type Name = keyof typeof recipients

test('PAYOUT-JOURNEY-001: on TRON a customer gets an address, a deposit is credited and final, and a withdrawal arrives', () =>
  journey('tron'))

test('PAYOUT-JOURNEY-002: on Ethereum a customer gets an address, a deposit is credited and final, and a withdrawal arrives', () =>
  journey('ethereum'))

async function journey(name: Name): Promise<void> {
  const user = await exchange.user({ isCertified: true })
  const address = await addressOf(name, user)
  await exchange.chains!.send({ network: name, asset: 'USDT', to: address, amount: '250.5' })
  const usdt = (await exchange.link.ask.listing()).assets.find(({ symbol }) => symbol === 'USDT')!
  const balance = async () => {
    const rows = await exchange.link.ask.balances(user.id)
    return rows.find(({ account }) => 'user' in account && account.kind === 'spot' && account.asset === usdt.id)?.available ?? 0
  }
  // Enough for a final block: 19 on TRON, 16 on this Ethereum, and the ones that the transactions wait for.
  await exchange.chains!.mine(name, 40)
  await until(async () => (await balance()) === 250_500_000)
  await until(async () => (await exchange.link.ask.chainStanding(user.id)).unfinal.length === 0)

  const number = await withdraw(name, user, 100_000_000 as Units)
  const decided = { type: 'withdraw.decide', withdrawal: number, isApproved: true, first: 0, second: 0, reason: '' } as const
  assert.equal((await exchange.link.submit(decided)).refusal, undefined)
  await until(async () => {
    await exchange.chains!.mine(name, 2)
    return (await exchange.link.ask.chainStanding(user.id)).withdrawals.length === 0
  })
  assert.equal(await balance(), 150_500_000)
  const fee = name === 'tron' ? 1_000_000n : 5_000_000n
  assert.equal(await onChain(name), 100_000_000n - fee)
}

async function addressOf(network: Name, user: TestUser): Promise<string> {
  const { pool } = exchange.store
  await pool.query('insert into deposit_address_requests select $1, id, 0 from accounts where core_user = $2', [network, user.id])
  const find = 'select address from deposit_addresses where network = $1 and user_no = $2'
  await until(async () => (await pool.query(find, [network, user.id])).rows.length === 1)
  return (await pool.query<{ address: string }>(find, [network, user.id])).rows[0]!.address
}

/** An address of the customer's list that has waited, the customer's wish with the login's word, and the request. */
async function withdraw(name: Name, user: TestUser, amount: Units): Promise<WithdrawalNumber> {
  const { pool } = exchange.store
  const config = readChains(`${exchange.chains!.folder}/chains.json`)
  const network = config.networks.find((one) => one.name === name)!
  const usdt = (await exchange.link.ask.listing()).assets.find(({ symbol }) => symbol === 'USDT')!
  const { terms } = (await exchange.link.ask.withdrawTerms()).find((one) => one.network === network.number && one.asset === usdt.id)!
  const { rows } = await pool.query<{ number: number }>(
    `insert into withdrawal_addresses (id, account, network, address, label, owner, added_at, usable_at)
     select gen_random_uuid(), id, $1, $2, 'mine', 'own', $3, $4 from accounts where core_user = $5 returning number`,
    [name, recipients[name], Date.now() - 2 * dayMs, Date.now() - dayMs, user.id],
  )
  const destination = rows[0]!.number
  const contract = network.tokens[0]!.contract!
  const clientId = createHash('sha256').update(name).digest('hex').slice(0, 20) as ClientId
  const value = BigInt(amount - terms.fee)
  const payment: Payment = {
    withdrawal: 0,
    user: user.id,
    clientId,
    network: name,
    chainId: network.chainId,
    contract,
    to: recipients[name],
    value,
  }
  const customer = { kind: 'attested', signature: digestSigner(exchange.chains!.folder, 'login')(attestedDigest(payment)) }
  await pool.query(
    `insert into withdrawal_wishes (user_no, client_id, account, destination, network, chain_id, asset, contract, recipient, value, customer, made_at)
     select $1, $2, id, $3, $4, $5, 'USDT', $6, $7, $8, $9, 0 from accounts where core_user = $1`,
    [user.id, clientId, destination, name, network.chainId, contract, recipients[name], String(value), customer],
  )
  const request = { type: 'withdraw.request', user: user.id, clientId, asset: usdt.id, network: network.number as NetworkNumber } as const
  const { refusal, seq } = await exchange.link.submit({ ...request, amount, fee: terms.fee, destination })
  assert.equal(refusal, undefined)
  await pool.query('update withdrawal_wishes set withdrawal = $3 where user_no = $1 and client_id = $2', [user.id, clientId, seq])
  return seq as number as WithdrawalNumber
}

/** What the recipient has of the token. */
async function onChain(name: Name): Promise<bigint> {
  const { ready } = exchange.chains!
  if (name === 'ethereum') {
    const client = createPublicClient({ transport: http(ready.ethereum.url), cacheTime: 0 })
    const abi = [
      { type: 'function', name: 'balanceOf', stateMutability: 'view', inputs: [{ type: 'address' }], outputs: [{ type: 'uint256' }] },
    ] as const
    return client.readContract({
      address: ready.ethereum.token as `0x${string}`,
      abi,
      functionName: 'balanceOf',
      args: [recipients.ethereum],
    })
  }
  const { tronReader } = await import('../../chains/tron/reader.ts')
  return tronReader({ node: ready.tron.solidUrl, chainId: ready.tron.chainId }).balance(recipients.tron, ready.tron.token)
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(50)
}
