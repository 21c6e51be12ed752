/** `/jsonrpc`: the part of Ethereum's interface that TRON offers. State can be read at the newest block only. */
import { chainId, type Block } from '../chain/block.ts'
import { terms } from '../chain/resources.ts'
import { fromHex, nothing, toHex } from '../wire/bytes.ts'
import type { Json } from '../wire/json.ts'
import { callConstant, estimateEnergy } from './calls.ts'
import type { Faults } from './faults.ts'
import { hexAddress, logs, numberOf } from './logs.ts'
import { blockForm, quantity, receiptForm, transactionForm } from './rpc-forms.ts'
import { RpcError } from './rpc-error.ts'
import type { View } from './view.ts'

const batchMax = 100
const zeroAddress = `41${'00'.repeat(20)}`

type Method = (view: View, params: readonly unknown[], faults: Faults) => unknown

const methods: Readonly<Record<string, Method>> = {
  web3_clientVersion: () => 'TRON/trond',
  net_version: () => quantity(chainId),
  eth_chainId: () => quantity(chainId),
  eth_protocolVersion: () => quantity(31),
  eth_syncing: () => false,
  eth_accounts: () => [],
  eth_gasPrice: () => quantity(terms.energyFee),
  eth_blockNumber: (view) => quantity(view.top.number),
  eth_getBlockByNumber: (view, [name, isFull]) => formOf(view, view.block(numberOf(view, name)), isFull),
  eth_getBlockByHash: (view, [hash, isFull]) => formOf(view, view.blockById(digits(hash)), isFull),
  eth_getBlockTransactionCountByNumber: (view, [name]) => countOf(view.block(numberOf(view, name))),
  eth_getBlockTransactionCountByHash: (view, [hash]) => countOf(view.blockById(digits(hash))),
  eth_getTransactionByHash: (view, [txid]) => {
    const found = view.find(digits(txid))
    return found === undefined ? null : transactionForm(found)
  },
  eth_getTransactionReceipt: (view, [txid]) => {
    const found = view.find(digits(txid))
    return found === undefined ? null : receiptForm(found, view.all(found.block))
  },
  eth_getBlockReceipts: (view, [name]) => {
    const block = view.block(numberOf(view, name))
    if (block === undefined) return null
    const all = view.all(block)
    return all.map((found) => receiptForm(found, all))
  },
  eth_getLogs: (view, [filter], faults) => logs(view, objectOf(filter), faults),
  eth_getBalance: (view, [address, at]) => {
    newestOnly(at)
    return quantity(view.state.account(hexAddress(address))?.balance ?? 0n)
  },
  eth_getCode: (view, [address, at]) => {
    newestOnly(at)
    return `0x${toHex(view.state.contract(hexAddress(address))?.code ?? nothing)}`
  },
  eth_getStorageAt: (view, [address, slot, at]) => {
    newestOnly(at)
    const value = view.state.slot(hexAddress(address), digits(slot).padStart(64, '0')) ?? nothing
    return `0x${toHex(value).padStart(64, '0')}`
  },
  eth_call: async (view, [call, at]) => {
    newestOnly(at)
    const { result, output, why } = await callConstant(view, callOf(view, objectOf(call)))
    if (result !== 'SUCCESS') throw new RpcError(-32000, why)
    return `0x${toHex(output)}`
  },
  eth_estimateGas: async (view, [call]) => {
    const energy = await estimateEnergy(view, callOf(view, objectOf(call)))
    if (energy === undefined) throw new RpcError(-32000, 'REVERT opcode executed')
    return quantity(energy)
  },
}

/** Answers a request or a batch of them. */
export async function rpc(view: View, body: unknown, faults: Faults): Promise<Json | readonly Json[]> {
  if (!Array.isArray(body)) return answer(view, body, faults)
  if (body.length > batchMax) {
    return { jsonrpc: '2.0', error: { code: -32005, message: `Batch size ${body.length} exceeds the limit of ${batchMax}` }, id: null }
  }
  const answers: Json[] = []
  for (const one of body) answers.push(await answer(view, one, faults))
  return answers
}

async function answer(view: View, request: unknown, faults: Faults): Promise<Json> {
  const { id = null, method, params = [] } = (typeof request === 'object' && request !== null ? request : {}) as Json
  try {
    const run = typeof method === 'string' && Object.hasOwn(methods, method) ? methods[method] : undefined
    if (run === undefined) throw new RpcError(-32601, 'the method does not exist/is not available')
    if (!Array.isArray(params)) throw new RpcError(-32602, 'invalid params')
    return { jsonrpc: '2.0', id, result: await run(view, params, faults) }
  } catch (cause) {
    const code = cause instanceof RpcError ? cause.code : -32000
    return { jsonrpc: '2.0', id, error: { code, message: cause instanceof Error ? cause.message : String(cause), data: '{}' } }
  }
}

function formOf(view: View, block: Block | undefined, isFull: unknown): Json | null {
  return block === undefined ? null : blockForm(block, view.all(block), isFull === true)
}

function countOf(block: Block | undefined): string | null {
  return block === undefined ? null : quantity(block.transactions.length)
}

/** A call as the node runs it. `value` in sun. */
function callOf(view: View, { from, to, data, input, value }: Json) {
  const caller = from === undefined ? zeroAddress : hexAddress(from)
  if (to === undefined || to === null) throw new RpcError(-32602, 'invalid to address')
  const contract = hexAddress(to)
  if (view.state.contract(contract) === undefined) throw new RpcError(-32000, 'Smart contract is not exist.')
  const sun = value === undefined ? 0n : BigInt(String(value))
  return { caller, to: contract, isCreation: false, data: fromHex(String(input ?? data ?? '0x')), value: sun }
}

function newestOnly(name: unknown): void {
  if (name === 'pending' || name === 'safe' || name === 'finalized' || name === 'earliest') {
    throw new RpcError(-32602, `TAG ${name} not supported`)
  }
  if (name !== undefined && name !== 'latest') throw new RpcError(-32602, 'QUANTITY not supported, just support TAG as latest')
}

function digits(text: unknown): string {
  if (typeof text !== 'string' || !/^(0x)?[0-9a-fA-F]*$/.test(text)) throw new RpcError(-32602, 'invalid hash value')
  return text.replace(/^0x/, '').toLowerCase()
}

function objectOf(value: unknown): Json {
  if (typeof value !== 'object' || value === null) throw new RpcError(-32602, 'invalid params')
  return value as Json
}
