/** A node with a token on it and accounts that can pay, for tests. Transactions are made here, without a client's help. */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { encodeAbiParameters, encodeFunctionData, decodeFunctionResult } from 'viem'
import { artifactOf } from '../../chains/deploy.ts'
import { rootAddress, rootKey } from '../chain/node.ts'
import { contractAddress } from '../chain/vm.ts'
import { startTrond, type Trond, type TrondOptions } from '../start.ts'
import { addressOfKey, fromHex, hash, toHex } from '../wire/bytes.ts'
import { typeOf } from '../wire/definitions.ts'
import { encodeJson, type Json } from '../wire/json.ts'
import { readTransactionJson, type Transaction, transactionBytes } from '../wire/transaction.ts'
import { post } from './tools.ts'

export type Keys = { readonly key: string; readonly address: string }

export const root: Keys = { key: rootKey, address: rootAddress }
export const { abi } = artifactOf('TestTokenFalse')
export const sunPerTrx = 1_000_000

/** What differs from a usual transaction of the root account. */
export type Terms = {
  readonly from?: Keys
  readonly keys?: readonly string[]
  readonly feeLimit?: number
  readonly expiration?: number
  readonly permission?: number
  readonly refBytes?: string
  readonly refHash?: string
}

/** An account with this number; the same number gives the same account. */
export function keysOf(number: number): Keys {
  const key = toHex(hash(new TextEncoder().encode(`account ${number}`)))
  return { key, address: addressOfKey(secp256k1.getPublicKey(fromHex(key), false).slice(1)) }
}

export function sign(digest: Uint8Array, key: string): string {
  const [recovery, ...parts] = secp256k1.sign(digest, fromHex(key), { prehash: false, format: 'recovered' })
  return `${toHex(new Uint8Array(parts))}0${recovery}`
}

let made = 0

/** A signed transaction with this contract. Its reference is the newest solid block. */
export function transactionOf({ node }: Trond, type: string, value: Json, terms: Terms = {}): Transaction {
  const { solid, head } = node.chain
  const { from = root, keys = [from.key] } = terms
  made++
  const json = {
    ref_block_bytes: terms.refBytes ?? solid.id.slice(12, 16),
    ref_block_hash: terms.refHash ?? solid.id.slice(16, 32),
    expiration: terms.expiration ?? head.time + 60_000,
    timestamp: head.time + made,
    contract: [{ type, parameter: { value: { owner_address: from.address, ...value } }, Permission_id: terms.permission ?? 0 }],
    fee_limit: terms.feeLimit ?? 100_000_000,
  }
  const digest = hash(encodeJson(typeOf('Transaction.raw'), json, false))
  return readTransactionJson({ raw_data: json, signature: keys.map((key) => sign(digest, key)) })
}

export function hexOf(transaction: Transaction): string {
  return toHex(transactionBytes(transaction))
}

export type Answer = {
  readonly result?: boolean
  readonly txid?: string
  readonly code?: string
  readonly message?: string
  readonly Error?: string
}

export function send({ url }: Pick<Trond, 'url'>, transaction: Transaction): Promise<Answer> {
  return post<Answer>(url, '/wallet/broadcasthex', { transaction: hexOf(transaction) })
}

export function pay(trond: Trond, to: string, sun: number, terms: Terms = {}): Transaction {
  return transactionOf(trond, 'TransferContract', { to_address: to, amount: sun }, terms)
}

export function call(trond: Trond, token: string, functionName: string, args: readonly unknown[], terms: Terms = {}): Transaction {
  const data = encodeFunctionData({ abi, functionName, args: args.map((arg) => (typeof arg === 'string' ? `0x${arg.slice(2)}` : arg)) })
  return transactionOf(trond, 'TriggerSmartContract', { contract_address: token, data: data.slice(2) }, terms)
}

/** The balance that the contract gives, at the newest block or, on the solidity port, at the newest solid one. */
export async function tokens(url: string, token: string, address: string): Promise<bigint> {
  const data = encodeFunctionData({ abi, functionName: 'balanceOf', args: [`0x${address.slice(2)}`] })
  const { result } = await rpc<`0x${string}`>(url, 'eth_call', [{ to: `0x${token.slice(2)}`, data }, 'latest'])
  return decodeFunctionResult({ abi, functionName: 'balanceOf', data: result }) as bigint
}

export type RpcAnswer<T> = { readonly result: T; readonly error?: { readonly code: number; readonly message: string } }

export function rpc<T>(url: string, name: string, params: readonly unknown[]): Promise<RpcAnswer<T>> {
  return post<RpcAnswer<T>>(url, '/jsonrpc', { jsonrpc: '2.0', id: 1, method: name, params })
}

/** A node that makes blocks on demand, with a token whose owner is the root account and who has a million of it. */
export async function world(options: TrondOptions = {}): Promise<Trond & { readonly token: string }> {
  const trond = await startTrond(options)
  const token = await deploy(trond)
  await trond.node.submit(call(trond, token, 'issue', [root.address, 1_000_000_000_000n]))
  await trond.node.mine(1)
  return { ...trond, token }
}

export async function deploy(trond: Trond): Promise<string> {
  const { bytecode } = artifactOf('TestTokenFalse')
  const parameter = encodeAbiParameters([{ type: 'uint8' }], [6])
  const contract = {
    origin_address: root.address,
    bytecode: `${bytecode.slice(2)}${parameter.slice(2)}`,
    consume_user_resource_percent: 100,
  }
  const creation = transactionOf(trond, 'CreateSmartContract', { new_contract: contract }, { feeLimit: 5_000_000_000 })
  await trond.node.submit(creation)
  await trond.node.mine(1)
  return contractAddress(creation.id, root.address)
}

/** The receipt as a client reads it. */
export function infoOf({ url }: Pick<Trond, 'url'>, { id }: { readonly id: string }): Promise<Info> {
  return post<Info>(url, '/wallet/gettransactioninfobyid', { value: id })
}

export type Info = {
  readonly id?: string
  readonly fee?: number
  readonly blockNumber?: number
  readonly result?: string
  readonly log?: readonly { readonly address: string; readonly topics: readonly string[]; readonly data: string }[]
  readonly receipt: {
    readonly result?: string
    readonly energy_usage?: number
    readonly energy_fee?: number
    readonly energy_usage_total?: number
    readonly net_usage?: number
    readonly net_fee?: number
  }
}
