/** The calls by which forwarders send what they have to the sink. Each is decoded again after it is built, as payments are. */
import { type Address, decodeFunctionData, encodeFunctionData, type Hex, keccak256, parseTransaction, serializeTransaction } from 'viem'
import type { Unsigned } from '../unsigned.ts'
import { addressOf, type EvmSlot } from './build.ts'
import { forwarderPlace } from './forwarder.ts'

export type Flush = {
  readonly chainId: number
  readonly factory: string
  /** The token; absent for the native coin. */
  readonly contract?: string
  readonly places: readonly number[]
}

export const flushAbi = [
  {
    type: 'function',
    name: 'flush',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'places', type: 'bytes32[]' },
      { name: 'token', type: 'address' },
    ],
    outputs: [],
  },
  {
    type: 'function',
    name: 'flushCoin',
    stateMutability: 'nonpayable',
    inputs: [{ name: 'places', type: 'bytes32[]' }],
    outputs: [],
  },
] as const

/** The call's data. */
export function flushData({ contract, places }: Pick<Flush, 'contract' | 'places'>): Hex {
  const list = places.map(forwarderPlace)
  if (contract === undefined) return encodeFunctionData({ abi: flushAbi, functionName: 'flushCoin', args: [list] })
  return encodeFunctionData({ abi: flushAbi, functionName: 'flush', args: [list, addressOf(contract)] })
}

/** throws  Error when no such transaction can be made */
export function buildFlush(flush: Flush, slot: EvmSlot): Unsigned {
  const { chainId, places } = flush
  if (places.length === 0) throw new Error('A sweep has an address')
  if (slot.maxTip > slot.maxFee) throw new Error('The tip is above the whole fee')
  const { nonce, gas, maxFee, maxTip } = slot
  const fees = { gas, maxFeePerGas: maxFee, maxPriorityFeePerGas: maxTip }
  const to = addressOf(flush.factory)
  const hex = serializeTransaction({ type: 'eip1559', chainId, nonce, ...fees, to, value: 0n, data: flushData(flush) })
  const bytes = new Uint8Array(Buffer.from(hex.slice(2), 'hex'))
  const contract = flush.contract === undefined ? undefined : addressOf(flush.contract)
  const wanted = JSON.stringify([chainId, to, contract ?? null, places, ...[nonce, gas, maxFee, maxTip].map(String)])
  if (textOf(decodeFlush(bytes)) !== wanted) throw new Error('The transaction differs from its sweep')
  return { bytes, digest: new Uint8Array(Buffer.from(keccak256(bytes).slice(2), 'hex')) }
}

export type DecodedFlush = Omit<EvmSlot, 'kind'> & {
  readonly chainId: number
  readonly factory: Address
  readonly contract: Address | undefined
  readonly places: readonly number[]
}

/** What an unsigned transaction flushes. throws  Error when it is anything else, or is not written in the one canonical way */
export function decodeFlush(bytes: Uint8Array): DecodedFlush {
  const hex: Hex = `0x${Buffer.from(bytes).toString('hex')}`
  const tx = parseTransaction(hex as `0x02${string}`)
  if (tx.type !== 'eip1559' || tx.r !== undefined) throw new Error('Not an unsigned EIP-1559 transaction')
  if ((tx.accessList?.length ?? 0) > 0 || (tx.value ?? 0n) !== 0n) throw new Error('A sweep has neither value nor access list')
  if (serializeTransaction(tx) !== hex || !tx.to || tx.data === undefined) throw new Error('Not a call in its canonical form')
  const { args } = decodeFunctionData({ abi: flushAbi, data: tx.data })
  const places = args[0].map((place) => Number(BigInt(place)))
  const contract = args[1] === undefined ? undefined : addressOf(args[1])
  if (flushData({ places, ...(contract === undefined ? {} : { contract }) }) !== tx.data) throw new Error('Not a plain sweep')
  const slot = { nonce: tx.nonce ?? 0, gas: tx.gas ?? 0n, maxFee: tx.maxFeePerGas ?? 0n, maxTip: tx.maxPriorityFeePerGas ?? 0n }
  return { chainId: tx.chainId, factory: addressOf(tx.to), contract, places, ...slot }
}

function textOf({ chainId, factory, contract, places, nonce, gas, maxFee, maxTip }: DecodedFlush): string {
  return JSON.stringify([chainId, factory, contract ?? null, places, ...[nonce, gas, maxFee, maxTip].map(String)])
}
