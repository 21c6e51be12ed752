/**
 * Moves what customers sent to the sink. The rules are those of payouts: a slot is stored before the signer is asked for it, what it
 * signed is stored before it touches the network, a job keeps its nonce, and only a final block says what became of it.
 */
import type pg from 'pg'
import type { Clock } from '../../ports.ts'
import { PayoutWaits, type Proof } from '../payout/chain.ts'
import { type Attempt, slotOf } from '../payout/rows.ts'
import type { ChainReader, Signed, Slot } from '../ports.ts'
import { NodeFault } from '../rpc/json-rpc.ts'
import { slotJson } from '../signer/memory.ts'
import { type Reason, SignerRefused } from '../signer/reasons.ts'
import type { SignerDoor } from './heartbeat.ts'
import { type JobRow, JobTables, signedOf } from './jobs.ts'
import { native } from './own.ts'
import { coinsLeft, type Due, dueOf, hasRead, noteStuck, noteSwept } from './swept.ts'
import type { SweepChain } from './sweep-chain.ts'

/** Moments between which a process can end. Tests end it there. */
export const sweepSteps = ['planned', 'bound', 'signed', 'stored', 'sent', 'proved', 'settled'] as const
export type SweepStep = (typeof sweepSteps)[number]

export type SweeperOptions = {
  readonly pool: pg.Pool
  readonly network: string
  readonly chain: SweepChain
  readonly reader: ChainReader
  readonly signer: SignerDoor
  /** From this sum on, in the token's smallest unit. */
  readonly tokens: readonly { readonly contract: string; readonly min: bigint }[]
  readonly clock: Clock
  readonly onStep?: (step: SweepStep) => void
  readonly times?: Partial<SweepTimes>
}

export type SweepTimes = { readonly resendMs: number; readonly retryMs: number; readonly pauseMs: number }
const usualTimes: SweepTimes = { resendMs: 15_000, retryMs: 30_000, pauseMs: 600_000 }

/** A sweep of ETH moves at least as many times what it may cost. */
const worthTimes = 10n

/** The signer refuses the job itself, before it binds anything. */
const ofJob: readonly Reason[] = [
  ...(['NETWORK_UNKNOWN', 'CONTRACT_UNKNOWN', 'NO_ADDRESSES', 'SWEEP_WRONG', 'JOB_CHANGED', 'SLOT_WRONG', 'FEE_TOO_HIGH'] as const),
  ...(['CAP_FEES', 'CAP_FUEL', 'EXPIRATION', 'NOT_DEAD'] as const),
]

export class Sweeper {
  readonly #options: SweeperOptions
  readonly #times: SweepTimes

  constructor(options: SweeperOptions) {
    this.#options = options
    this.#times = { ...usualTimes, ...options.times }
  }

  /** Moves each job as far as it goes now, and plans new ones. Of several processes one works on a network at a time. */
  async pass(): Promise<void> {
    const client = await this.#options.pool.connect()
    let isWell = false
    try {
      const tables = new JobTables(client, this.#options.network, this.#options.clock)
      if (await tables.lock()) {
        await this.#run(tables, client)
        await tables.unlock()
      }
      isWell = true
    } finally {
      // A connection that is closed gives up its lock.
      client.release(!isWell)
    }
  }

  async #run(tables: JobTables, client: pg.PoolClient): Promise<void> {
    let isFirst = true
    for (const row of await tables.open())
      if (row.state === 'signed') isFirst = (await this.#follow(tables, client, row, isFirst)) && isFirst
    await this.#plan(tables, client)
    for (const row of await tables.open()) {
      // Nonces have no gaps: the next one waits for the signature of the one before.
      if (row.state === 'planned' && (await this.#isBound(tables))) return
      // Two sweeps of an address burn the same fuel.
      if (row.state === 'planned' && row.value !== null && (await this.#isBusy(tables, row))) continue
      if (row.state !== 'signed' && row.retry_at <= this.#options.clock())
        await this.#guarded(tables, client, row, () => this.#begin(tables, client, row))
    }
  }

  async #isBound(tables: JobTables): Promise<boolean> {
    return (await tables.open()).some(({ state, nonce }) => state === 'bound' && nonce !== null)
  }

  async #isBusy(tables: JobTables, { job, kind, places }: JobRow): Promise<boolean> {
    const others = (await tables.open()).filter((other) => other.job !== job && other.kind === kind && other.state !== 'planned')
    return others.some((other) => other.places.some((place) => places.includes(place)))
  }

  async #plan(tables: JobTables, client: pg.PoolClient): Promise<void> {
    const { network, chain, tokens, clock } = this.#options
    for (const { contract, min } of tokens) {
      // Anybody can make many sweeps of the native coin that wait for cheaper gas: they take no room from tokens.
      const isElsewhere = (job: JobRow): boolean => job.contract !== contract && job.state === 'planned' && job.trouble === 'FEE_TOO_HIGH'
      const room = chain.openMax - (await tables.open()).filter((job) => !isElsewhere(job)).length
      if (room <= 0 || (await tables.hasFailed('sweep', contract, clock() - this.#times.pauseMs))) continue
      const due = await dueOf(client, { network, contract, min, now: clock(), limit: room * chain.batch })
      for (let from = 0; from < due.length; from += chain.batch) {
        const batch = due.slice(from, from + chain.batch)
        const places = batch.map(({ place }) => place).sort((a, b) => a - b)
        if (chain.batch > 1) await tables.plan({ kind: 'sweep', contract, places })
        else await this.#planOne(tables, client, contract, batch[0]!)
        this.#step('planned')
      }
    }
  }

  /** All that the address has, by its node: more may have come than was seen. Of the native coin what customers sent, without the fuel. */
  async #planOne(tables: JobTables, client: pg.PoolClient, contract: string, { place, address }: Due): Promise<void> {
    const { network, reader } = this.#options
    const value = contract === native ? await coinsLeft(client, network, [place]) : await reader.balance(address, contract)
    if (value > 0n) await tables.plan({ kind: 'sweep', contract, places: [place], value })
  }

  async #begin(tables: JobTables, client: pg.PoolClient, row: JobRow): Promise<void> {
    const { network, chain } = this.#options
    const planned = (await tables.attempts(row.job)).find(({ raw }) => raw === null)
    if (planned !== undefined && row.state === 'bound') return this.#sign(tables, row, planned.n, slotOf(planned.slot))
    const burnt = await chain.burnt(row)
    const missing = burnt > 0n ? burnt - (await tables.fuelLeft(row.places[0]!)) : 0n
    if (missing > 0n) {
      if (!(await tables.hasFailed('fuel', native, this.#options.clock() - this.#times.pauseMs)))
        await tables.plan({ kind: 'fuel', contract: native, places: row.places, value: missing })
      return tables.trouble(row.job, 'FUEL_MISSING', 0)
    }
    const last = await tables.lastNonce()
    const nonce = last === undefined ? await chain.nonce() : last + 1
    const slot = await chain.slot(row, nonce)
    // What a stranger swept is still noted by a sweep.
    const left = row.contract === native ? await coinsLeft(client, network, row.places) : 0n
    if (slot.kind === 'evm' && left > 0n && slot.gas * slot.maxFee * worthTimes > left) throw new PayoutWaits('FEE_TOO_HIGH')
    const n = await tables.bind(row.job, slot.kind === 'evm' ? slot.nonce : undefined, slot)
    this.#step('bound')
    await this.#sign(tables, row, n, slot)
  }

  async #sign(tables: JobTables, row: JobRow, n: number, slot: Slot): Promise<void> {
    const signed = await this.#signature(row, slot)
    this.#step('signed')
    await tables.store(row.job, n, signed)
    this.#step('stored')
    await this.#send(tables, row, { n, raw: signed.raw })
  }

  #signature({ job, network, kind, contract, places, value }: JobRow, slot: Slot): Promise<Signed> {
    const { signer } = this.#options
    const about = { job, network, slot: slotJson(slot) }
    if (kind === 'fuel') return signer.through((link) => link.fuel({ ...about, place: places[0]!, value: value ?? '0' }))
    const what = { ...(contract === native ? {} : { contract }), ...(value === null ? {} : { value }), places: [...places] }
    return signer.through((link) => link.sweep({ ...about, ...what }))
  }

  async #send(tables: JobTables, { job }: JobRow, { n, raw }: Pick<Attempt, 'n' | 'raw'>): Promise<void> {
    const hint = await this.#options.chain.send(raw)
    this.#step('sent')
    await tables.sent(job, n, hint)
  }

  /** returns  whether the next one is the first of the line: this one is in a block */
  async #follow(tables: JobTables, client: pg.PoolClient, row: JobRow, isFirst: boolean): Promise<boolean> {
    let isIn = false
    await this.#guarded(tables, client, row, async () => {
      const { chain, clock } = this.#options
      const all = await tables.attempts(row.job)
      const attempts = signedOf(row.job, all)
      const proof = await chain.prove(row, attempts)
      isIn = proof.kind === 'settled' || proof.kind === 'seen'
      if (proof.kind === 'settled') return this.#settle(tables, client, row, proof)
      if (proof.kind === 'seen') return
      const last = attempts.at(-1)!
      const now = clock()
      if (proof.kind === 'absent' && now - (last.sentAt ?? 0) >= this.#times.resendMs) await this.#send(tables, row, last)
      const planned = all.find(({ raw }) => raw === null)
      if (planned !== undefined) return this.#sign(tables, row, planned.n, slotOf(planned.slot))
      if (proof.kind === 'impossible') {
        if (row.nonce !== null) throw new PayoutWaits('NONCE_FOREIGN')
        return tables.bury(row.job)
      }
      const slot = await chain.bump(row, last, now - last.signedAt, isFirst)
      if (slot !== undefined) await this.#sign(tables, row, await tables.replan(row.job, slot), slot)
    })
    return isIn
  }

  /** What a sweep took is told by the scanner, which has to come as far first. */
  async #settle(tables: JobTables, client: pg.PoolClient, row: JobRow, proof: Extract<Proof, { kind: 'settled' }>): Promise<void> {
    const { network, reader, clock } = this.#options
    if (!(await hasRead(client, network, proof.block))) return
    this.#step('proved')
    await client.query('begin')
    try {
      // A call of the factory that failed as a whole says nothing about its addresses.
      if (row.kind === 'sweep' && (proof.isSuccess || row.nonce === null)) {
        const left = await noteSwept(client, row, proof.txid, proof.block)
        for (const place of left) {
          const why = (await this.#isFrozen(client, reader, row, place)) ? 'frozen' : 'nothing moved'
          await noteStuck(client, { ...row, places: [place] }, why, clock)
        }
      }
      await tables.settle(row.job, proof.isSuccess ? 'done' : 'reverted', proof)
      await client.query('commit')
    } catch (cause) {
      await client.query('rollback')
      throw cause
    }
    this.#step('settled')
  }

  async #isFrozen(client: pg.PoolClient, reader: ChainReader, { network, contract }: JobRow, place: number): Promise<boolean> {
    const { rows } = await client.query<{ address: string }>('select address from deposit_addresses where network = $1 and place = $2', [
      network,
      place,
    ])
    return contract !== native && rows[0] !== undefined && (await reader.isFrozen(rows[0].address, contract))
  }

  /** A job that can't go on now keeps its place, and the others go on. */
  async #guarded(tables: JobTables, client: pg.PoolClient, row: JobRow, work: () => Promise<void>): Promise<void> {
    const { clock } = this.#options
    try {
      await work()
    } catch (cause) {
      if (cause instanceof SignerRefused && ofJob.includes(cause.reason) && row.state !== 'signed')
        return tables.abandon(row.job, cause.reason)
      if (cause instanceof PayoutWaits && cause.reason === 'WOULD_FAIL' && row.state === 'planned') {
        await noteStuck(client, row, 'would fail', clock)
        return tables.abandon(row.job, cause.reason)
      }
      const isExpected = cause instanceof PayoutWaits || cause instanceof SignerRefused || cause instanceof NodeFault
      if (!isExpected) throw cause
      await tables.trouble(row.job, cause instanceof NodeFault ? 'NODE_FAULT' : cause.reason, clock() + this.#times.retryMs)
    }
  }

  #step(step: SweepStep): void {
    this.#options.onStep?.(step)
  }
}
