/** The routes of `/wallet/*` and `/walletsolidity/*`, by the last word of their path. */
import { blockJson, contractJson, accountJson, foundJson, infoJson, resourceJson } from './answers.ts'
import { addressIn, build, callData } from './build.ts'
import { callConstant, type ConstantCall, estimateEnergy } from './calls.ts'
import type { Block } from '../chain/block.ts'
import { execute } from '../chain/execute.ts'
import { terms } from '../chain/resources.ts'
import { contractAddress } from '../chain/vm.ts'
import { State } from '../state/state.ts'
import { toHex } from '../wire/bytes.ts'
import type { Json } from '../wire/json.ts'
import { transactionJson } from '../wire/transaction.ts'
import type { View } from './view.ts'

type Route = (view: View, body: Json) => Json | readonly Json[] | Promise<Json>

const blocksMax = 100

/** Served on both ports, each with what it sees. */
export const readingRoutes: Readonly<Record<string, Route>> = {
  getnowblock: (view, body) => blockJson(view.top, isVisible(body)),
  getblock: (view, body) => shown(blockOf(view, body.id_or_num), body, body.detail === true),
  getblockbynum: (view, body) => shown(view.block(Number(body.num)), body),
  getblockbyid: (view, body) => shown(view.blockById(String(body.value)), body),
  getblockbylimitnext: (view, body) => ({
    block: range(view, Number(body.startNum), Number(body.endNum)).map((block) => blockJson(block, isVisible(body))),
  }),
  getblockbylatestnum: (view, body) => {
    const last = view.top.number + 1
    return { block: range(view, Math.max(0, last - Number(body.num)), last).map((block) => blockJson(block, isVisible(body))) }
  },
  gettransactionbyid: (view, body) => {
    const found = view.find(String(body.value))
    return found === undefined ? {} : foundJson(found, isVisible(body))
  },
  gettransactioninfobyid: (view, body) => {
    const found = view.find(String(body.value))
    return found === undefined ? {} : infoJson(found, isVisible(body))
  },
  gettransactioninfobyblocknum: (view, body) => {
    const block = view.block(Number(body.num))
    return block === undefined ? [] : view.all(block).map((found) => infoJson(found, isVisible(body)))
  },
  getaccount: (view, body) => accountJson(view.state, addressIn(body, 'address'), isVisible(body)),
  triggerconstantcontract: triggerConstant,
  estimateenergy: async (view, body) => {
    const energy = await estimateEnergy(view, constantOf(view, body))
    if (energy === undefined) return triggerConstant(view, body)
    return { result: { result: true }, energy_required: energy }
  },
}

/** Served on the full node only. */
export const walletRoutes: Readonly<Record<string, Route>> = {
  ...readingRoutes,
  getaccountresource: (view, body) => resourceJson(view.state, addressIn(body, 'address'), view.top.time),
  getcontract: (view, body) => contractJson(view.state, addressIn(body, 'value'), isVisible(body)),
  getcontractinfo: (view, body) => {
    const address = addressIn(body, 'value')
    const contract = view.state.contract(address)
    if (contract === undefined) return {}
    return { smart_contract: contractJson(view.state, address, isVisible(body)), runtimecode: toHex(contract.code) }
  },
  getpendingsize: (view) => ({ pendingTransactionSize: view.node.waiting.length }),
  gettransactionlistfrompending: (view) => ({ txId: view.node.waiting.map(({ id }) => id) }),
  gettransactionfrompending: (view, body) => {
    const found = view.node.waits(String(body.value))
    return found === undefined ? {} : transactionJson(found, isVisible(body))
  },
  getchainparameters: () => ({
    chainParameter: [
      { key: 'getTransactionFee', value: terms.bandwidthFee },
      { key: 'getEnergyFee', value: terms.energyFee },
      { key: 'getCreateAccountFee', value: terms.accountBandwidthFee },
      { key: 'getCreateNewAccountFeeInSystemContract', value: terms.accountFee },
      { key: 'getUpdateAccountPermissionFee', value: terms.permissionFee },
      { key: 'getMultiSignFee', value: terms.multiSignFee },
      { key: 'getMaxFeeLimit', value: terms.feeLimitMax },
      { key: 'getFreeNetLimit', value: terms.freeBandwidth },
    ],
  }),
  createtransaction: (view, body) => {
    const { owner_address, to_address, amount } = body
    return unsigned(view, 'TransferContract', { owner_address, to_address, amount }, body)
  },
  triggersmartcontract: (view, body) => {
    const { owner_address, contract_address, call_value = 0 } = body
    if (view.state.contract(addressIn(body, 'contract_address')) === undefined) {
      return {
        result: {
          code: 'CONTRACT_VALIDATE_ERROR',
          message: hexText('Contract validate error : No contract or not a valid smart contract'),
        },
      }
    }
    const value = { owner_address, contract_address, call_value, data: toHex(callData(body)) }
    const transaction = build(view.node, 'TriggerSmartContract', value, body)
    return { result: { result: true }, transaction: transactionJson(transaction, isVisible(body)) }
  },
  deploycontract: (view, body) => {
    const contract = {
      origin_address: body.owner_address,
      abi: { entrys: typeof body.abi === 'string' ? JSON.parse(body.abi) : (body.abi ?? []) },
      bytecode: `${String(body.bytecode ?? '')}${String(body.parameter ?? '')}`,
      call_value: body.call_value ?? 0,
      consume_user_resource_percent: body.consume_user_resource_percent ?? 0,
      origin_energy_limit: body.origin_energy_limit ?? 0,
      name: body.name ?? '',
    }
    const transaction = build(view.node, 'CreateSmartContract', { owner_address: body.owner_address, new_contract: contract }, body)
    return {
      ...transactionJson(transaction, isVisible(body)),
      contract_address: contractAddress(transaction.id, addressIn(body, 'owner_address')),
    }
  },
}

/** Built and tried, so that a payment that cannot work is refused before somebody signs it. */
async function unsigned(view: View, type: string, value: Json, body: Json): Promise<Json> {
  const transaction = build(view.node, type, value, body)
  await view.node.alone(async () => {
    const { chain } = view.node
    const moment = { number: chain.head.number + 1, time: chain.head.time }
    await execute(new State(view.state), transaction, moment, { ...chain.around(), isUnsigned: true })
  })
  return transactionJson(transaction, isVisible(body))
}

async function triggerConstant(view: View, body: Json): Promise<Json> {
  const call = constantOf(view, body)
  const { result, energy, output, logs, why } = await callConstant(view, call)
  const isFailed = result !== 'SUCCESS'
  const transaction = call.isCreation ? {} : constantTransaction(view, call, body)
  return {
    result: { result: true, ...(isFailed ? { message: hexText(why) } : {}) },
    energy_used: energy,
    constant_result: [toHex(output)],
    ...(logs.length === 0 ? {} : { logs }),
    transaction: { ret: [isFailed ? { ret: 'FAILED' } : {}], ...transaction },
  }
}

function constantOf(view: View, body: Json): ConstantCall {
  const caller = addressIn(body, 'owner_address')
  const isCreation = body.contract_address === undefined || body.contract_address === ''
  const to = isCreation ? contractAddress(view.top.id, caller) : addressIn(body, 'contract_address')
  if (!isCreation && view.state.contract(to) === undefined) throw new Error('Smart contract is not exist.')
  return { caller, to, isCreation, data: callData(body), value: BigInt(Number(body.call_value ?? 0)) }
}

function constantTransaction(view: View, { caller, to, data }: ConstantCall, body: Json): Json {
  const value = { owner_address: caller, contract_address: to, data: toHex(data) }
  return transactionJson(build(view.node, 'TriggerSmartContract', value, { visible: body.visible }), isVisible(body))
}

function blockOf(view: View, name: unknown): Block | undefined {
  if (name === undefined || name === '') return view.top
  const text = String(name)
  return text.length === 64 ? view.blockById(text) : view.block(Number(text))
}

/** Blocks from `start` up to and without `end`. */
function range(view: View, start: number, end: number): readonly Block[] {
  if (!(start >= 0 && end > start && end - start <= blocksMax)) return []
  return Array.from({ length: end - start }, (_, index) => view.block(start + index)).filter((block) => block !== undefined)
}

function shown(block: Block | undefined, body: Json, isDetailed = true): Json {
  return block === undefined ? {} : blockJson(block, isVisible(body), isDetailed)
}

function isVisible(body: Json): boolean {
  return body.visible === true || body.visible === 'true'
}

function hexText(text: string): string {
  return toHex(new TextEncoder().encode(text))
}
