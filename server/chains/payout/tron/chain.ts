/** Payouts on TRON. There is no nonce: two transactions are two payments, so a second one needs the proof that the first is dead. */
import type { Clock } from '../../../ports.ts'
import type { Intent } from '../../ports.ts'
import { NodeFault } from '../../rpc/json-rpc.ts'
import { fromBase58 } from '../../tron/address.ts'
import type { TronSlot } from '../../tron/build.ts'
import { agreed, type PayoutChain, PayoutWaits, type Proof } from '../chain.ts'
import { feeLimitFor } from '../fees.ts'
import type { Attempt } from '../rows.ts'
import { broadcastTron } from './broadcast.ts'
import type { TronInfo, TronNode } from './node.ts'

export type TronPayoutOptions = {
  /** Independent nodes. */
  readonly nodes: readonly TronNode[]
  /** The address that pays. */
  readonly from: string
  /** The most that one transaction may burn, in sun. */
  readonly feeLimitMax: bigint
  /** How long a transaction may wait for its block. The signer allows an hour. */
  readonly lifeMs?: number
  /** How long after its end it counts as dead: two blocks at least. The signer waits two minutes. */
  readonly deadMs?: number
  readonly clock?: Clock
}

const usualLifeMs = 600_000
const usualDeadMs = 130_000
const deadMinMs = 6_000
const inFlightMax = 64
/** Bandwidth of a transfer, when the free part of the day is used up. */
const bandwidthSun = 400_000n
/** Besides, where the recipient has no account yet. */
const newAccountSun = 1_100_000n
const transferTopic = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

const hex20 = (address: string): string => Buffer.from(fromBase58(address).subarray(1)).toString('hex')
const word = (hex: string): string => hex.padStart(64, '0')

export class TronPayoutChain implements PayoutChain {
  readonly inFlightMax = inFlightMax
  readonly #options: TronPayoutOptions
  readonly #clock: Clock
  readonly #lifeMs: number
  readonly #deadMs: number
  #timestamp = 0

  constructor(options: TronPayoutOptions) {
    this.#options = options
    this.#clock = options.clock ?? Date.now
    this.#lifeMs = options.lifeMs ?? usualLifeMs
    this.#deadMs = Math.max(options.deadMs ?? usualDeadMs, deadMinMs)
  }

  now(): this {
    return this
  }

  nonce(): Promise<undefined> {
    return Promise.resolve(undefined)
  }

  balance(contract: string | undefined): Promise<bigint> {
    const { from } = this.#options
    return this.#ask(async (node) => {
      if (contract === undefined) return node.balance(from)
      const answer = await node.call(from, contract, 'balanceOf(address)', word(hex20(from)))
      if (answer === undefined || answer.output === '') throw new NodeFault('The contract does not tell a balance')
      return BigInt(`0x${answer.output}`)
    })
  }

  /** The reference is the solid block, so that no fork voids the transaction. */
  slot(intent: Intent): Promise<TronSlot> {
    return this.#ask(async (node) => {
      if (intent.contract === undefined && (await node.isContract(intent.to))) throw new PayoutWaits('WOULD_FAIL')
      const feeLimit = intent.contract === undefined ? 0 : await this.#feeLimit(node, intent, intent.contract)
      const { id } = await node.solid()
      // Two payments with the same content differ by their timestamps. The table refuses the same one twice.
      this.#timestamp = Math.max(this.#clock(), this.#timestamp + 1)
      const times = { timestamp: this.#timestamp, expiration: this.#timestamp + this.#lifeMs }
      return { kind: 'tron', refBytes: id.slice(12, 16), refHash: id.slice(16, 32), ...times, feeLimit }
    })
  }

  fee(intent: Intent): Promise<bigint> {
    return intent.contract === undefined ? this.burnt(intent) : Promise.resolve(0n)
  }

  bump(): Promise<undefined> {
    return Promise.resolve(undefined)
  }

  send(raw: string): Promise<string> {
    return broadcastTron(this.#options.nodes, raw)
  }

  async prove(intent: Intent, attempts: readonly Attempt[]): Promise<Proof> {
    return agreed(await Promise.allSettled(this.#options.nodes.map((node) => this.#proveBy(node, intent, attempts))))
  }

  /** What one node proves. Its solid block is read first: what it says afterwards is at least as new. */
  async #proveBy(node: TronNode, intent: Intent, attempts: readonly Attempt[]): Promise<Proof> {
    await node.checkChain()
    const solid = await node.solid()
    for (const { txid } of attempts) {
      const info = await node.info(txid, true)
      if (info !== undefined) return this.#settled(info, intent)
    }
    const ends = Math.max(...attempts.map(({ slot }) => (slot.kind === 'tron' ? slot.expiration : Number.POSITIVE_INFINITY)))
    if (solid.at > ends + this.#deadMs) return { kind: 'impossible' }
    for (const { txid } of attempts) if ((await node.info(txid, false)) !== undefined) return { kind: 'seen' }
    // One that is over is not sent again, and not yet dead.
    return { kind: solid.at > ends ? 'seen' : 'absent' }
  }

  #settled({ id, blockNumber, fee, result, receipt, log }: TronInfo, { contract, to, value }: Intent): Proof {
    const isSuccess = contract === undefined ? result === undefined : receipt?.result === 'SUCCESS'
    const [payer, payee] = [word(hex20(this.#options.from)), word(hex20(to))]
    const moved = log
      .filter(({ address, topics }) => contract !== undefined && address.toLowerCase() === hex20(contract) && topics.length === 3)
      .filter(({ topics: [topic, from, recipient] }) => topic === transferTopic && from === payer && recipient === payee)
      .reduce((sum, { data }) => sum + BigInt(data === '' ? 0 : `0x${data}`), 0n)
    const isNative = contract === undefined && isSuccess
    return { kind: 'settled', txid: id, isSuccess, moved: isNative ? value : moved, block: blockNumber, fee: BigInt(fee) }
  }

  /** Sun that a transfer of the paying address may burn. throws  PayoutWaits WOULD_FAIL */
  burnt({ to, value, contract }: Intent): Promise<bigint> {
    return this.#ask(async (node) => {
      if (contract !== undefined) return (await this.#cost(node, to, value, contract)).most
      return bandwidthSun + ((await node.isNew(to)) ? newAccountSun : 0n)
    })
  }

  async #feeLimit(node: TronNode, { to, value }: Intent, contract: string): Promise<number> {
    const { limit, most } = await this.#cost(node, to, value, contract)
    if (most > (await node.balance(this.#options.from))) throw new PayoutWaits('HOT_EMPTY')
    return limit
  }

  /** Tries the call first, so that one that would fail is never signed: a failed one costs its fee, too. */
  async #cost(node: TronNode, to: string, value: bigint, contract: string): Promise<{ readonly limit: number; readonly most: bigint }> {
    const { from, feeLimitMax } = this.#options
    const call = await node.call(from, contract, 'transfer(address,uint256)', word(hex20(to)) + word(value.toString(16)))
    if (call === undefined) throw new PayoutWaits('WOULD_FAIL')
    const price = await node.sunPerEnergy()
    const limit = feeLimitFor(call.energy, price, feeLimitMax)
    const covered = (await node.energyLeft(from)) * price
    const burned = BigInt(limit) > covered ? BigInt(limit) - covered : 0n
    return { limit, most: burned + bandwidthSun }
  }

  /** The first node that answers. */
  async #ask<Result>(question: (node: TronNode) => Promise<Result>): Promise<Result> {
    let fault: unknown
    for (const node of this.#options.nodes) {
      try {
        await node.checkChain()
        return await question(node)
      } catch (cause) {
        if (!(cause instanceof NodeFault)) throw cause
        fault = cause
      }
    }
    throw new PayoutWaits('NODE_FAULT', { cause: fault })
  }
}
