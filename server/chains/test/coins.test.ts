import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Units } from '@candor/core/money/brand.ts'
import { TronAccount } from '../../../simulator/chains/tron-account.ts'
import { chainId as tronChain } from '../../../simulator/trond/chain/block.ts'
import { rootKey } from '../../../simulator/trond/chain/node.ts'
import { startTrond } from '../../../simulator/trond/start.ts'
import { parseEther } from 'viem'
import { artifactOf } from '../contracts/artifacts.ts'
import { forwarderAddress } from '../evm/forwarder.ts'
import { evmReader } from '../evm/reader.ts'
import { type AuditedReader, nativeContract, nativeOrdinal } from '../ports.ts'
import { fromBase58, fromHex20 } from '../tron/address.ts'
import { tronReader } from '../tron/reader.ts'
import { type Anvil, chainId, startAnvil } from './anvil.ts'
import { type DepositWorld, depositWorlds, token } from './world.ts'

const world = depositWorlds()
let anvil: Anvil
before(async () => {
  anvil = await startAnvil()
})
after(() => anvil[Symbol.asyncDispose]())

const gwei = 10n ** 9n
/** ETH has 8 digits in the exchange. */
const ether = token(nativeContract, { symbol: 'ETH', scale: 8, unit: 10n * gwei, min: 1_000_000 as Units })
const reader = (): AuditedReader => evmReader({ node: anvil.url, chainId, hasCoin: true })
const rows = async (made: DepositWorld) => (await made.deposits()).map(({ txid, state, raw }) => [txid, state, raw])

test('DEPOSIT-COIN-001: the coin of Ethereum is credited where a whole transaction sent it and succeeded, and not by calls inside', async () => {
  const stranger = '0x00000000000000000000000000000000000000d1'
  await using made = await world({ readers: [reader()], tokens: [ether], from: (await reader().head()) + 1 })
  const own = forwarderAddress({ chainId, factory: await anvil.deploy('ForwarderFactory', [stranger]) }, 7)
  await made.customer(7, own)
  const good = await anvil.pay(own, parseEther('0.25'))
  await anvil.pay(stranger, parseEther('1'))
  await anvil.pay(own, 0n)
  await anvil.mine()
  // A contract at the address that takes nothing: the transaction fails.
  await anvil.client.setCode({ address: own, bytecode: '0xfd' })
  await anvil.pay(own, parseEther('4'))
  await anvil.mine()
  await anvil.client.setCode({ address: own, bytecode: '0x' })
  // Another contract sends what it has to the address.
  const sender = await anvil.deploy('Forwarder', [own])
  await anvil.pay(sender, parseEther('2'))
  await anvil.call(sender, 'Forwarder', 'flushCoin', [])
  await anvil.mine()
  assert.equal(await anvil.client.getBalance({ address: own }), parseEther('2.25'))
  await made.settle()
  assert.deepEqual(await rows(made), [[good, 'credited', String(parseEther('0.25'))]])
  const [deposit] = await made.deposits()
  assert.deepEqual([deposit?.ordinal, deposit?.contract, deposit?.asset], [nativeOrdinal, nativeContract, 'ETH'])
  assert.equal(made.core.balance(7), 25_000_000)
  await anvil.mine(12)
  await made.settle()
  assert.deepEqual(await rows(made), [[good, 'final', String(parseEther('0.25'))]])
})

test('DEPOSIT-COIN-001: coins of final blocks are read in ranges, dropped ones are taken back, and the audit finds missed ones', async () => {
  const own = forwarderAddress({ chainId, factory: '0x00000000000000000000000000000000000000f1' }, 7)
  let isBlind = false
  const blind: AuditedReader = { ...reader(), transfers: async (...about) => (isBlind ? [] : reader().transfers(...about)) }
  await using made = await world({ readers: [blind], tokens: [ether], from: (await reader().head()) + 1 })
  await made.customer(7, own)
  const sent = []
  for (let n = 0; n < 3; n++) {
    sent.push(await anvil.pay(own, parseEther('0.5')))
    await anvil.mine(10)
  }
  await made.settle()
  assert.deepEqual(
    await rows(made),
    sent.map((txid) => [txid, 'final', String(parseEther('0.5'))]),
  )
  const dropped = await anvil.pay(own, parseEther('0.75'))
  await anvil.mine(4)
  await made.settle()
  assert.equal(made.core.balance(7), 225_000_000)
  await anvil.reorg(5)
  await anvil.recount()
  await anvil.mine(2)
  await made.settle()
  assert.deepEqual((await rows(made)).at(-1), [dropped, 'orphaned', String(parseEther('0.75'))])
  assert.equal(made.core.balance(7), 150_000_000)
  isBlind = true
  const missed = await anvil.pay(own, parseEther('1'))
  await anvil.mine(20)
  await made.settle()
  assert.ok((await rows(made)).some(([txid, state]) => txid === missed && state === 'final'))
  assert.match(made.log.join(), /audit of block \d+ of ethereum found 1 transfers/)
})

test('DEPOSIT-COIN-002: the coin of TRON is credited where a transfer of it succeeded, and not by calls of contracts', async () => {
  await using trond = await startTrond()
  const root = new TronAccount(trond.url, rootKey)
  const mine = async (blocks: number): Promise<void> => {
    await fetch(`${trond.url}/control/mine`, { method: 'POST', body: JSON.stringify({ blocks }) })
  }
  const own = fromHex20(`0x${'22'.repeat(20)}`)
  const hex = (address: string): string => Buffer.from(fromBase58(address)).toString('hex')
  const solid = tronReader({ node: trond.solidUrl, chainId: tronChain, hasCoin: true })
  const trx = token(nativeContract, { symbol: 'TRX', scale: 4, unit: 100n, min: 50_000 as Units })
  await using made = await world({ readers: [solid], tokens: [trx], network: 'tron', confirmations: 0 })
  await made.customer(7, own)
  await made.settle()
  const { abi, bytecode } = artifactOf('Forwarder')
  const { contract } = await root.deploy(bytecode, abi, hex(own).slice(2).padStart(64, '0'))
  await mine(1)
  // The contract sends on what it has.
  await root.call(contract, '', '', 100_000_000, 2_000_000)
  await mine(1)
  await root.call(contract, 'flushCoin()', '')
  await mine(1)
  const good = await root.transfer(hex(own), 7_000_042)
  await root.transfer(hex(fromHex20(`0x${'33'.repeat(20)}`)), 9_000_000)
  await mine(25)
  await made.settle()
  assert.deepEqual(await rows(made), [[good, 'final', '7000042']])
  const [deposit] = await made.deposits()
  assert.deepEqual([deposit?.sender, deposit?.rest], [fromHex20(`0x${root.address.slice(2)}`), '42'])
  assert.equal(made.core.balance(7), 70_000)
  assert.equal(await solid.balance(own), 9_000_042n)
  assert.deepEqual(await solid.receipt(good), { isSuccess: true, block: deposit!.block_number, blockHash: deposit!.block_hash })
})

test('DEPOSIT-COIN-003: coins from the gas address are no deposit near the head, in ranges of final blocks and in the audit', async () => {
  const own = forwarderAddress({ chainId, factory: '0x00000000000000000000000000000000000000f2' }, 7)
  const gas = anvil.owner
  let isBlind = false
  const blind: AuditedReader = { ...reader(), transfers: async (...about) => (isBlind ? [] : reader().transfers(...about)) }
  await using made = await world({ readers: [blind], tokens: [ether], gas, from: (await reader().head()) + 1 })
  await made.customer(7, own)
  // Near the head, then in a range, then by the audit alone.
  await anvil.pay(own, parseEther('0.5'))
  await anvil.mine()
  await made.settle()
  await anvil.mine(20)
  await made.settle()
  await anvil.pay(own, parseEther('0.5'))
  await anvil.mine(20)
  await made.settle()
  isBlind = true
  await anvil.pay(own, parseEther('0.5'))
  await anvil.mine(20)
  await made.settle()
  assert.equal(await anvil.client.getBalance({ address: own }), parseEther('1.5'))
  assert.deepEqual(await rows(made), [])
  assert.equal(made.core.balance(7), 0)
  assert.doesNotMatch(made.log.join(), /audit/)
})

test('DEPOSIT-COIN-005: a transfer of more TRX than a number of JSON holds exactly is read, and read exactly', async () => {
  await using trond = await startTrond()
  const root = new TronAccount(trond.url, rootKey)
  const own = fromHex20(`0x${'22'.repeat(20)}`)
  const solid = tronReader({ node: trond.solidUrl, chainId: tronChain, hasCoin: true })
  const sum = 2 ** 53 + 2
  const txid = await root.transfer(Buffer.from(fromBase58(own)).toString('hex'), sum)
  await fetch(`${trond.url}/control/mine`, { method: 'POST', body: JSON.stringify({ blocks: 25 }) })
  const { block } = (await solid.receipt(txid))!
  const [found] = await solid.audit(block)
  assert.deepEqual([found?.to, found?.value], [own, BigInt(sum)])
})
