/** A chain as sweeps see it: the parts of payouts that place, send and prove transactions, under other addresses. */
import type { Clock } from '../../ports.ts'
import type { NetworkConfig } from '../config.ts'
import { addressOf } from '../evm/build.ts'
import { flushData } from '../evm/flush.ts'
import type { Proof } from '../payout/chain.ts'
import { PayoutWaits } from '../payout/chain.ts'
import { EvmPayoutChain } from '../payout/evm/chain.ts'
import { type FeeTerms, feeTerms } from '../payout/fees.ts'
import type { Attempt } from '../payout/rows.ts'
import { TronPayoutChain } from '../payout/tron/chain.ts'
import type { TronNode } from '../payout/tron/node.ts'
import type { Intent, Slot } from '../ports.ts'
import type { JsonRpc } from '../rpc/json-rpc.ts'
import type { JobRow } from './jobs.ts'
import { native } from './own.ts'

export type SweepChain = {
  /** Addresses that one sweep takes, and jobs under way at a time. */
  readonly batch: number
  readonly openMax: number
  nonce(): Promise<number | undefined>
  /** throws  PayoutWaits; HOT_EMPTY when the paying address has too little of the native coin */
  slot(job: JobRow, nonce: number | undefined): Promise<Slot>
  /** Native coin that a sweep may burn at its deposit address. What customers sent there is never burnt: fuel pays. */
  burnt(job: JobRow): Promise<bigint>
  bump(job: JobRow, attempt: Attempt, ageMs: number, isFirst: boolean): Promise<Slot | undefined>
  send(raw: string): Promise<string>
  prove(job: JobRow, attempts: readonly Attempt[]): Promise<Proof>
}

/** Sweeps that are under way together on a network of the kind `evm`. */
const evmOpenMax = 8
const evmBatch = 50
const tronOpenMax = 20

export type EvmSweepOptions = { readonly nodes: readonly JsonRpc[]; readonly network: NetworkConfig; readonly fees?: FeeTerms }

export class EvmSweepChain implements SweepChain {
  readonly batch = evmBatch
  readonly openMax = evmOpenMax
  readonly #chain: EvmPayoutChain
  readonly #network: NetworkConfig
  #isRight = false

  constructor({ nodes, network, fees = feeTerms }: EvmSweepOptions) {
    this.#network = network
    this.#chain = new EvmPayoutChain({ nodes, chainId: network.chainId, from: network.gas, fees })
  }

  nonce(): Promise<number> {
    return this.#chain.nonce()
  }

  async slot({ contract, places }: JobRow, nonce: number | undefined): Promise<Slot> {
    const { deposits } = this.#network
    if (!('factory' in deposits)) throw new Error('An EVM network has a factory of forwarders')
    await this.#checkSink(deposits.factory)
    const data = flushData({ places, ...(contract === native ? {} : { contract }) })
    const slot = await this.#chain.slotOfCall({ to: deposits.factory, data }, nonce)
    if ((await this.#chain.balance(undefined)) < slot.gas * slot.maxFee) throw new PayoutWaits('HOT_EMPTY')
    return slot
  }

  /** Forwarders pay the address that was set when their factory was made, whatever the configuration says. */
  async #checkSink(factory: string): Promise<void> {
    if (this.#isRight) return
    const sink = await this.#chain.told(await this.#chain.told(factory, 'forwarder'), 'sink')
    if (sink !== addressOf(this.#network.sink)) throw new PayoutWaits('SINK_WRONG')
    this.#isRight = true
  }

  burnt(): Promise<bigint> {
    return Promise.resolve(0n)
  }

  bump(_job: JobRow, attempt: Attempt, ageMs: number, isFirst: boolean): Promise<Slot | undefined> {
    return this.#chain.bump(attempt, ageMs, isFirst)
  }

  send(raw: string): Promise<string> {
    return this.#chain.send(raw)
  }

  prove(_job: JobRow, attempts: readonly Attempt[]): Promise<Proof> {
    // The factory is called, nobody is paid: the token's logs tell what moved.
    const { chainId, name, sink } = this.#network
    return this.#chain.prove({ withdrawal: 0, network: name, chainId, to: sink, value: 0n }, attempts)
  }
}

export type TronSweepOptions = {
  readonly nodes: readonly TronNode[]
  readonly network: NetworkConfig
  /** The deposit address at a place. */
  readonly addressAt: (place: number) => string
  readonly lifeMs?: number
  readonly clock: Clock
}

/** Left at the gas address, for the bandwidth of fuel and the accounts that it makes. */
const gasRestSun = 2_000_000n

export class TronSweepChain implements SweepChain {
  readonly batch = 1
  readonly openMax = tronOpenMax
  readonly #options: TronSweepOptions

  constructor(options: TronSweepOptions) {
    this.#options = options
  }

  nonce(): Promise<undefined> {
    return Promise.resolve(undefined)
  }

  async slot(job: JobRow): Promise<Slot> {
    const chain = this.#chainOf(job)
    const intent = this.#intentOf(job)
    if (job.kind === 'fuel' && (await chain.balance(undefined)) < intent.value + gasRestSun) throw new PayoutWaits('HOT_EMPTY')
    return chain.slot(intent)
  }

  async burnt(job: JobRow): Promise<bigint> {
    return job.kind === 'fuel' ? 0n : this.#chainOf(job).burnt(this.#intentOf(job))
  }

  bump(): Promise<undefined> {
    return Promise.resolve(undefined)
  }

  send(raw: string): Promise<string> {
    return this.#chainOf(undefined).send(raw)
  }

  prove(job: JobRow, attempts: readonly Attempt[]): Promise<Proof> {
    return this.#chainOf(job).prove(this.#intentOf(job), attempts)
  }

  #chainOf(job: JobRow | undefined): TronPayoutChain {
    const { nodes, network, addressAt, lifeMs, clock } = this.#options
    const from = job === undefined || job.kind === 'fuel' ? network.gas : addressAt(job.places[0]!)
    const life = lifeMs === undefined ? {} : { lifeMs }
    return new TronPayoutChain({ nodes, from, feeLimitMax: BigInt(network.feeMax), clock, ...life })
  }

  #intentOf({ kind, contract, places, value }: JobRow): Intent {
    const { network, addressAt } = this.#options
    const { name, chainId, sink } = network
    const about = { withdrawal: 0, network: name, chainId, value: BigInt(value ?? 0) }
    if (kind === 'fuel') return { ...about, to: addressAt(places[0]!) }
    return { ...about, to: sink, ...(contract === native ? {} : { contract }) }
  }
}
