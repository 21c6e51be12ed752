import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { encodeAbiParameters } from 'viem'
import { TronAccount } from '../../../../simulator/chains/tron-account.ts'
import { rootKey } from '../../../../simulator/trond/chain/node.ts'
import { startTrond, type Trond } from '../../../../simulator/trond/start.ts'
import type { NetworkConfig } from '../../config.ts'
import { artifactOf, type ContractName } from '../../contracts/artifacts.ts'
import { NodeFault } from '../../rpc/json-rpc.ts'
import { type Anvil, chainId, startAnvil } from '../../test/anvil.ts'
import { fromBase58, fromHex20 } from '../../tron/address.ts'
import { checkEvmToken } from '../evm.ts'
import { checkToken, expectedOf, TokenGate } from '../gate.ts'
import { type Expected, linesOf, type TokenReport } from '../traits.ts'
import { checkTronToken } from '../tron.ts'

let anvil: Anvil
let trond: Trond
before(async () => {
  anvil = await startAnvil()
  trond = await startTrond()
})
after(async () => {
  await anvil[Symbol.asyncDispose]()
  await trond[Symbol.asyncDispose]()
})

const dollar = { symbol: 'USDT', decimals: 6 } as const
const look = (contract: string, expected: Expected = dollar) => checkEvmToken(anvil.url, contract, expected)
const names = ({ findings }: TokenReport): readonly string[] => findings.map(({ trait }) => trait).toSorted()
const usual = ['blacklist', 'fee-switch', 'pausable']

test('DEPOSIT-TOKEN-001: a token like USDT is accepted: no answer or false on success, a list of frozen addresses, a pause, a proxy', async () => {
  const plain = await anvil.deploy('TestToken', [6])
  const report = await look(plain)
  assert.deepEqual(
    [report.symbol, report.decimals, report.owner, names(report)],
    ['USDT', 6, anvil.owner, [...usual, 'no-answer'].toSorted()],
  )
  assert.equal(report.verdict, 'accepted')
  const lying = await look(await anvil.deploy('TestTokenFalse', [6]))
  assert.deepEqual([lying.verdict, names(lying)], ['accepted', [...usual, 'false-answer'].toSorted()])
  const proxy = await look(await anvil.deploy('TestProxy', [plain]))
  assert.deepEqual([proxy.verdict, names(proxy)], ['accepted', [...usual, 'no-answer', 'upgradable'].toSorted()])
  assert.equal(proxy.findings.find(({ trait }) => trait === 'upgradable')?.detail, plain)
  assert.match(linesOf(report).join('\n'), /accepted\n  owner 0x.*\n  handled no-answer: Its transfer answers nothing/)
})

test('DEPOSIT-TOKEN-002: a token that keeps a fee, grows by itself, moves nothing or fails is refused', async () => {
  const taking = await anvil.deploy('TestToken', [6])
  await anvil.call(taking, 'TestToken', 'setParams', [25n, 10n ** 18n])
  const growing = await anvil.deploy('TestRebasing', [6])
  const lying = await anvil.deploy('TestLying', [6])
  const paused = await anvil.deploy('TestToken', [6])
  await anvil.call(paused, 'TestToken', 'setPaused', [true])
  await anvil.mine()
  const fee = await look(taking)
  assert.ok(fee.verdict === 'refused' && names(fee).includes('fee'))
  assert.equal(fee.findings.find(({ trait }) => trait === 'fee')?.detail, '2500000 of 1000000000')
  for (const [contract, trait] of [
    [growing, 'rebasing'],
    [lying, 'moves-nothing'],
    [paused, 'fails'],
  ] as const) {
    const report = await look(contract)
    assert.ok(report.verdict === 'refused' && names(report).includes(trait), `${trait}: ${names(report)}`)
  }
  // Where it has not grown yet, a later time tells.
  const fresh = await look(await anvil.deploy('TestRebasing', [6]))
  assert.equal(fresh.findings.find(({ trait }) => trait === 'rebasing')?.detail, 'a balance differs a year later')
})

test('DEPOSIT-TOKEN-003: an address without code, other digits and another symbol are refused', async () => {
  assert.deepEqual(names(await look('0x00000000000000000000000000000000000000a1')), ['no-code'])
  const plain = await anvil.deploy('TestToken', [6])
  const digits = await look(plain, { symbol: 'USDT', decimals: 18 })
  assert.equal(digits.findings[0]?.detail, '6 instead of 18')
  const symbol = await look(plain, { symbol: 'USDC', decimals: 6 })
  assert.equal(symbol.findings[0]?.detail, 'USDT instead of USDC')
  assert.deepEqual([digits.verdict, symbol.verdict], ['refused', 'refused'])
  const factory = await look(await anvil.deploy('ForwarderFactory', ['0x00000000000000000000000000000000000000c0']))
  assert.ok(factory.verdict === 'refused' && names(factory).includes('untried'))
})

test('DEPOSIT-TOKEN-004: on TRON a transfer is tried by somebody who has some; nothing is proven before, and a pause and a switched-on fee are refused', async () => {
  const root = new TronAccount(trond.url, rootKey)
  const mine = (blocks: number) => fetch(`${trond.url}/control/mine`, { method: 'POST', body: JSON.stringify({ blocks }) })
  const deploy = async (name: ContractName): Promise<string> => {
    const { abi, bytecode } = artifactOf(name)
    const { contract } = await root.deploy(bytecode, abi, encodeAbiParameters([{ type: 'uint8' }], [6]).slice(2))
    await mine(1)
    return contract
  }
  const text = (contract: string): string => fromHex20(`0x${contract.slice(2)}`)
  const [poor, hot] = ['45', '44'].map((byte) => fromHex20(`0x${byte.repeat(20)}`)) as [string, string]
  const check = (contract: string) => checkTronToken({ url: trond.url, contract: text(contract), holders: [poor, hot] }, dollar)
  const word = (address: string): string => Buffer.from(fromBase58(address).subarray(1)).toString('hex').padStart(64, '0')
  const number = (value: number): string => value.toString(16).padStart(64, '0')

  const token = await deploy('TestTokenFalse')
  const before = await check(token)
  assert.deepEqual([before.verdict, names(before)], ['unproven', [...usual, 'untried'].toSorted()])
  await root.call(token, 'issue(address,uint256)', `${word(hot)}${number(5_000_000)}`)
  await mine(1)
  const tried = await check(token)
  assert.deepEqual(
    [tried.verdict, tried.symbol, tried.owner, names(tried)],
    [...['accepted', 'USDT', text(root.address)], [...usual, 'false-answer'].toSorted()],
  )
  await root.call(token, 'setParams(uint256,uint256)', `${number(30)}${number(1_000_000)}`)
  await mine(1)
  const taking = await check(token)
  assert.equal(taking.findings.find(({ trait }) => trait === 'fee')?.detail, '15000 of 5000000')
  assert.equal(taking.verdict, 'refused')
  const lying = await deploy('TestLying')
  await root.call(lying, 'issue(address,uint256)', `${word(hot)}${number(5_000_000)}`)
  await mine(1)
  // It logs what it does not do. Only balances would tell, and the comparison of books and chain does.
  assert.equal((await check(lying)).verdict, 'accepted')
  await root.call(token, 'setParams(uint256,uint256)', `${number(0)}${number(0)}`)
  await root.call(token, 'setPaused(bool)', number(1))
  await mine(1)
  const paused = await check(token)
  assert.deepEqual([paused.verdict, names(paused).includes('fails')], ['refused', true])
  assert.deepEqual(names(await checkTronToken({ url: trond.url, contract: hot, holders: [hot] }, dollar)), ['no-code'])
})

test('DEPOSIT-TOKEN-005: a token counts once it was looked at, again every ten minutes, and what is new is told', async () => {
  const token = await anvil.deploy('TestToken', [6])
  let now = 1_000
  let isAway = true
  const log: string[] = []
  const gate = new TokenGate({
    ...{ network: 'ethereum', tokens: new Map([[token, dollar]]), clock: () => now, log: ({ message }) => void log.push(message) },
    check: async (contract, expected) => {
      if (isAway) throw new NodeFault('away')
      return checkEvmToken(anvil.url, contract, expected)
    },
  })
  await assert.rejects(gate.turn(), NodeFault)
  assert.deepEqual([gate.isGood(token), gate.isGood('')], [undefined, true])
  isAway = false
  await gate.turn()
  assert.deepEqual([gate.isGood(token), log.length, gate.stopped.length], [true, 1, 0])
  await anvil.call(token, 'TestToken', 'setParams', [25n, 10n ** 18n])
  await anvil.mine()
  now += 599_999
  await gate.turn()
  assert.equal(gate.isGood(token), true)
  now += 1
  await gate.turn()
  assert.deepEqual([gate.isGood(token), log.length, gate.stopped.length], [false, 2, 1])
  assert.match(log[1]!, /^Token on ethereum: USDT at 0x.*REFUSED: neither credited nor paid/)
  now += 600_000
  await gate.turn()
  assert.equal(log.length, 2)
})

/**
 * Code of a token with the right name and digits, whose balances nobody finds.
 * decimals() → 6, symbol() → "USDT" in 32 bytes, all else → 0
 */
const hiding = `0x${[
  ...['60003560e01c', '8063313ce56714601f57', '806395d89b4114602a57', '60206000f3'],
  ...['5b600660005260206000f3', `5b7f${Buffer.from('USDT').toString('hex').padEnd(64, '0')}60005260206000f3`],
].join('')}` as const

test('DEPOSIT-TOKEN-009: what was proven of a token counts no more for other code, also where nothing can be proven of that', async () => {
  const token = await anvil.deploy('TestToken', [6])
  const proxy = await anvil.deploy('TestProxy', [token])
  let now = 0
  const gate = new TokenGate({
    ...{ network: 'ethereum', tokens: new Map([[proxy, dollar]]), clock: () => now, log: () => undefined },
    check: (contract, expected) => checkEvmToken(anvil.url, contract, expected),
  })
  await gate.turn()
  assert.equal(gate.isGood(proxy), true)
  await anvil.client.setCode({ address: token, bytecode: hiding })
  now += 600_000
  await gate.turn()
  assert.deepEqual(
    gate.stopped.map(({ verdict, findings }) => [verdict, findings.find(({ trait }) => trait === 'untried')?.detail]),
    [['unproven', 'no place was found where it keeps balances']],
  )
  assert.equal(gate.isGood(proxy), undefined)
})

test('DEPOSIT-TOKEN-010: each look comes from another address and sends to another one, so that no code can know it', async () => {
  const seen: string[] = []
  await using door = await startDoor(({ method, params }) => {
    const [call] = params as readonly { readonly from?: string; readonly data?: string }[]
    if (method === 'eth_call' && call?.from !== undefined) seen.push(call.from, call.data!.slice(-128, -64))
    return undefined
  })
  const token = await anvil.deploy('TestToken', [6])
  for (let time = 0; time < 2; time++) assert.equal((await checkEvmToken(door.url, token, dollar)).verdict, 'accepted')
  assert.deepEqual([seen.length, new Set(seen).size], [4, 4])
})

/** A node before anvil that answers calls as `answer` says; undefined: as anvil. */
async function startDoor(answer: (call: Call) => object | undefined) {
  const door = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts).toString('utf8')
    const call = JSON.parse(body) as Call
    const own = answer(call)
    const theirs = async () => (await fetch(anvil.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).text()
    response.end(own === undefined ? await theirs() : JSON.stringify({ jsonrpc: '2.0', id: call.id, ...own }))
  })
  door.listen(0, '127.0.0.1')
  await once(door, 'listening')
  const url = `http://127.0.0.1:${(door.address() as AddressInfo).port}`
  return { url, [Symbol.asyncDispose]: async () => void (door.closeAllConnections(), door.close(), await once(door, 'close')) }
}
type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }

const isAssumed = ({ method, params }: Call): boolean => method === 'eth_call' && params.length > 2

test('DEPOSIT-TOKEN-006: where nodes take no assumed balances nothing is proven; the next node is asked, and only trust in the file of networks stands in', async () => {
  await using old = await startDoor((call) =>
    isAssumed(call) ? { error: { code: -32_602, message: 'too many arguments, want at most 2' } } : undefined,
  )
  // It takes them, and looks at none.
  await using deaf = await startDoor((call) => (isAssumed(call) ? { result: `0x${'00'.repeat(32)}` } : undefined))
  await using busy = await startDoor(() => ({ error: { code: -32_005, message: 'limit exceeded' } }))
  await using strange = await startDoor(({ method }) => (method === 'eth_chainId' ? { result: '0x38' } : undefined))
  const token = await anvil.deploy('TestToken', [6])
  const own = '0x00000000000000000000000000000000000000aa'
  const networkOf = (urls: readonly string[], more: object = {}): NetworkConfig => ({
    ...{ name: 'ethereum', number: 1, kind: 'evm', label: 'ERC20', chainId, confirmations: 3, feeMax: '1' },
    ...{ hot: own, gas: own, sink: own, deposits: { factory: own }, nodes: urls.map((url) => ({ url })) },
    tokens: [{ asset: 'USDT', contract: token, decimals: 6, depositMin: '1', ...more }],
  })
  const verdictOf = async (urls: readonly string[], more: object = {}): Promise<string> => {
    const network = networkOf(urls, more)
    return (await checkToken(network, token, { expected: expectedOf(network).get(token) })).verdict
  }
  for (const { url } of [old, deaf]) {
    assert.equal(await verdictOf([url]), 'unproven')
    assert.equal(await verdictOf([url], { isTrusted: true }), 'accepted')
    assert.equal(await verdictOf([url], { isTrusted: true, decimals: 8 }), 'refused')
    assert.equal(await verdictOf([url, anvil.url]), 'accepted')
  }
  // That a node is busy, or of another chain, says nothing about the token.
  for (const { url } of [busy, strange]) {
    await assert.rejects(verdictOf([url]), NodeFault)
    assert.equal(await verdictOf([url, anvil.url]), 'accepted')
  }
  assert.equal(await verdictOf([anvil.url], { asset: 'TUSD', symbol: 'USDT' }), 'accepted')
})
