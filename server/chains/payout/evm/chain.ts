/** Payouts on networks of the kind `evm`. */
import { encodeFunctionData, keccak256, toBytes } from 'viem'
import { z } from 'zod'
import { addressOf, type EvmSlot } from '../../evm/build.ts'
import type { Intent, Slot } from '../../ports.ts'
import { type JsonRpc, NodeFault, NodeRefusal } from '../../rpc/json-rpc.ts'
import { agreed, type PayoutChain, PayoutWaits, type Proof } from '../chain.ts'
import { bumpFor, type Fees, feesFor, type FeeTerms, gasWithMargin } from '../fees.ts'
import type { Attempt } from '../rows.ts'
import { broadcastEvm } from './broadcast.ts'

export type EvmPayoutOptions = {
  /** Independent nodes. */
  readonly nodes: readonly JsonRpc[]
  readonly chainId: number
  /** The address that pays. */
  readonly from: string
  readonly fees: FeeTerms
}

/** A recipient's contract may do a little when it gets coins: the exchange pays for it. */
const coinGasMax = 100_000n
/** Nodes keep at least this many transactions of one address. */
const accountSlots = 16
const feeBlocks = 10
const medianReward = 50

const quantity = z
  .string()
  .regex(/^0x[0-9a-f]{1,64}$/i)
  .transform(BigInt)
const hash = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/i)
  .transform((text) => text.toLowerCase())
const hex = z.string().regex(/^0x[0-9a-f]*$/i)
const block = z.object({ number: quantity, hash })
const history = z.object({ baseFeePerGas: z.array(quantity).min(1), reward: z.array(z.array(quantity)).nullish() })
const receipt = z.object({
  ...{ transactionHash: hash, status: quantity, blockNumber: quantity, blockHash: hash, gasUsed: quantity, effectiveGasPrice: quantity },
  logs: z.array(z.object({ address: hex, topics: z.array(hash), data: hex })),
})
type Receipt = z.output<typeof receipt>

const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const tokenAbi = [
  { type: 'function', name: 'transfer', stateMutability: 'nonpayable', inputs: [{ type: 'address' }, { type: 'uint256' }], outputs: [] },
  { type: 'function', name: 'balanceOf', stateMutability: 'view', inputs: [{ type: 'address' }], outputs: [{ type: 'uint256' }] },
] as const

/** A call as nodes take it. */
export type EvmCall = { readonly to: string; readonly value?: string; readonly data?: string; readonly maxFeePerGas?: string }

export class EvmPayoutChain implements PayoutChain {
  readonly inFlightMax = accountSlots
  readonly #options: EvmPayoutOptions
  readonly #from: string
  readonly #checked = new WeakSet<JsonRpc>()

  constructor(options: EvmPayoutOptions) {
    this.#options = options
    this.#from = addressOf(options.from)
  }

  now(): EvmPayoutChain {
    return new EvmPayoutChain({ ...this.#options, nodes: this.#options.nodes.map((node) => node.once()) })
  }

  nonce(): Promise<number> {
    return this.#ask(async (node) => Number(await node.call('eth_getTransactionCount', [this.#from, 'pending'], quantity)))
  }

  balance(contract: string | undefined): Promise<bigint> {
    return this.#ask((node) => {
      if (contract === undefined) return node.call('eth_getBalance', [this.#from, 'latest'], quantity)
      const data = encodeFunctionData({ abi: tokenAbi, functionName: 'balanceOf', args: [addressOf(this.#from)] })
      return node.call('eth_call', [{ to: contract, data }, 'latest'], quantity)
    })
  }

  async slot(intent: Intent, nonce: number | undefined): Promise<EvmSlot> {
    const slot = await this.slotOfCall(callOf(intent), nonce)
    if (intent.contract !== undefined) return slot
    // Estimates leave the price at zero unless they are told, and a contract may take coins at that price only.
    const priced = await this.slotOfCall({ ...callOf(intent), maxFeePerGas: `0x${slot.maxFee.toString(16)}` }, nonce)
    if (priced.gas > coinGasMax) throw new PayoutWaits('FEE_TOO_HIGH')
    return priced
  }

  /** A place for any call of the paying address. throws  PayoutWaits when it would fail, or costs too much now */
  async slotOfCall(call: EvmCall, nonce: number | undefined): Promise<EvmSlot> {
    if (nonce === undefined) throw new Error('A payment on an EVM network has a nonce')
    return this.#ask(async (node) => {
      const { fees } = await this.#fees(node)
      return { kind: 'evm', nonce, gas: gasWithMargin(await this.#gas(node, call)), ...fees }
    })
  }

  fee(_intent: Intent, slot: Slot): Promise<bigint> {
    return Promise.resolve(slot.kind === 'evm' ? slot.gas * slot.maxFee : 0n)
  }

  async bump({ slot }: Attempt, ageMs: number, isFirst: boolean): Promise<EvmSlot | undefined> {
    const { fees } = this.#options
    if (slot.kind !== 'evm' || ageMs < fees.bumpMs) return undefined
    return bumpFor(slot, await this.#ask((node) => this.#fees(node)), { ageMs, isFirst }, fees)
  }

  /** An address that a contract tells without being given anything. throws  PayoutWaits NODE_FAULT */
  told(contract: string, name: string): Promise<string> {
    return this.#ask(async (node) => {
      const data = keccak256(toBytes(`${name}()`)).slice(0, 10)
      const answer = await node.call('eth_call', [{ to: contract, data }, 'latest'], hex)
      if (answer.length !== 66) throw new NodeFault(`The contract does not tell its ${name}`)
      return addressOf(`0x${answer.slice(26)}`)
    })
  }

  send(raw: string): Promise<string> {
    return broadcastEvm(this.#options.nodes, raw)
  }

  async prove(intent: Intent, attempts: readonly Attempt[]): Promise<Proof> {
    return agreed(await Promise.allSettled(this.#options.nodes.map((node) => this.#proveBy(node, intent, attempts))))
  }

  /** What one node proves. The final block is read first: what the node says afterwards is at least as new. */
  async #proveBy(node: JsonRpc, intent: Intent, attempts: readonly Attempt[]): Promise<Proof> {
    await this.#checkChain(node)
    const final = await node.call('eth_getBlockByNumber', ['finalized', false], block)
    let isSeen = false
    for (const { txid } of attempts) {
      const found = await node.call('eth_getTransactionReceipt', [txid], receipt.nullable())
      if (found === null) continue
      if (found.transactionHash !== txid) throw new NodeFault('The node answered with another receipt than asked for')
      isSeen = true
      if (found.blockNumber > final.number) continue
      const at = await node.call('eth_getBlockByNumber', [`0x${found.blockNumber.toString(16)}`, false], block)
      if (at.hash !== found.blockHash) throw new NodeFault('The node has the receipt of a block that vanished')
      return this.#settled(found, intent)
    }
    if (isSeen) return { kind: 'seen' }
    const used = await node.call('eth_getTransactionCount', [this.#from, `0x${final.number.toString(16)}`], quantity)
    return { kind: attempts.every(({ slot }) => slot.kind === 'evm' && used > BigInt(slot.nonce)) ? 'impossible' : 'absent' }
  }

  #settled(found: Receipt, { contract, to, value }: Intent): Proof {
    const isSuccess = found.status === 1n
    const padded = (address: string): string => `0x${addressOf(address).slice(2).padStart(64, '0')}`
    const moved = found.logs
      .filter(
        ({ address, topics }) => contract !== undefined && address.toLowerCase() === addressOf(contract) && topics[0] === transferTopic,
      )
      .filter(({ topics }) => topics.length === 3 && topics[1] === padded(this.#from) && topics[2] === padded(to))
      .reduce((sum, { data }) => sum + BigInt(data === '0x' ? 0 : data), 0n)
    const { transactionHash: txid, blockNumber, gasUsed, effectiveGasPrice } = found
    const isNative = contract === undefined && isSuccess
    return {
      kind: 'settled',
      txid,
      isSuccess,
      moved: isNative ? value : moved,
      block: Number(blockNumber),
      fee: gasUsed * effectiveGasPrice,
    }
  }

  async #fees(node: JsonRpc): Promise<{ readonly base: bigint; readonly fees: Fees }> {
    const { baseFeePerGas, reward } = await node.call('eth_feeHistory', [`0x${feeBlocks.toString(16)}`, 'latest', [medianReward]], history)
    const base = baseFeePerGas.at(-1) ?? 0n
    return { base, fees: feesFor(base, (reward ?? []).flat(), this.#options.fees) }
  }

  async #gas(node: JsonRpc, call: EvmCall): Promise<bigint> {
    try {
      return await node.call('eth_estimateGas', [{ from: this.#from, ...call }], quantity)
    } catch (cause) {
      throw cause instanceof NodeRefusal ? new PayoutWaits('WOULD_FAIL', { cause }) : cause
    }
  }

  /** The first node that answers. */
  async #ask<Result>(question: (node: JsonRpc) => Promise<Result>): Promise<Result> {
    let fault: unknown
    for (const node of this.#options.nodes) {
      try {
        await this.#checkChain(node)
        return await question(node)
      } catch (cause) {
        if (!(cause instanceof NodeFault)) throw cause
        fault = cause
      }
    }
    throw new PayoutWaits('NODE_FAULT', { cause: fault })
  }

  /** A node of another chain is never asked. */
  async #checkChain(node: JsonRpc): Promise<void> {
    if (this.#checked.has(node)) return
    const chainId = Number(await node.call('eth_chainId', [], quantity))
    if (chainId !== this.#options.chainId) throw new NodeFault(`The node is of chain ${chainId} instead of ${this.#options.chainId}`)
    this.#checked.add(node)
  }
}

function callOf({ contract, to, value }: Intent): EvmCall {
  if (contract === undefined) return { to, value: `0x${value.toString(16)}` }
  return { to: contract, data: encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [addressOf(to), value] }) }
}
