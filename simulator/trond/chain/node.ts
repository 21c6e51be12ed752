/** The node: takes transactions into its pool, makes blocks, and forks when told. What it did can be kept in a file and replayed. */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { State } from '../state/state.ts'
import { addressOfKey, fromHex, hash, toHex } from '../wire/bytes.ts'
import { readTransaction, type Transaction, transactionBytes } from '../wire/transaction.ts'
import { witnessCount } from './block.ts'
import { Chain, type Dropped } from './chain.ts'
import { execute } from './execute.ts'
import type { ChainFile, Entry } from './file.ts'
import { Refusal } from './refusal.ts'

export const slotMs = 3_000

/** Everybody knows this key: it holds all TRX of the first block, to be given away. */
export const rootKey = toHex(hash(new TextEncoder().encode('everybody may spend this')))
export const rootAddress = addressOfKey(secp256k1.getPublicKey(fromHex(rootKey), false).slice(1))
/** More than a number of JSON holds exactly, as some have on the real network. */
const rootSun = 50_000_000_000_000_000n

export type NodeOptions = {
  /** Milliseconds between blocks; 0: only on demand, each 3 s of the chain's time after the one before. */
  readonly blockMs: number
  /** Time of the first block after the genesis. */
  readonly startAt: number
  readonly file?: ChainFile
}

export type ForkOptions = {
  /** How many blocks vanish. */
  readonly depth: number
  /** What becomes of their transactions: all into the pool, none, or all but these. */
  readonly keep: 'all' | 'none' | { readonly without: readonly string[] }
  /** How many blocks take their place; a real fork is longer than what it replaces. */
  readonly blocks: number
}

export type Grant = { readonly address: string; readonly bandwidth: number; readonly energy: number }

export class Node {
  readonly chain: Chain
  readonly #options: NodeOptions
  readonly #pool = new Map<string, Transaction>()
  readonly #dropped = new Map<string, Refusal>()
  #pending: State
  #offline = 0
  #timestamp = 0
  #isTicking = false
  #turn: Promise<unknown> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined

  private constructor(chain: Chain, options: NodeOptions) {
    this.chain = chain
    this.#options = options
    this.#pending = new State(chain.state)
  }

  /** Replays the file, makes the first block of a new chain, and starts the clock. */
  static async open(options: NodeOptions): Promise<Node> {
    const chain = await Chain.open(new Map([[rootAddress, rootSun]]))
    for (const entry of options.file?.entries() ?? []) await replay(chain, entry)
    const node = new Node(chain, options)
    if (chain.head.number === 0) await node.#make(options.startAt, [])
    else node.#pending = new State(chain.state)
    if (options.blockMs > 0) node.#timer = setInterval(() => void node.#tick(), options.blockMs)
    return node
  }

  close(): void {
    clearInterval(this.#timer)
  }

  get waiting(): readonly Transaction[] {
    return [...this.#pool.values()]
  }

  waits(txid: string): Transaction | undefined {
    return this.#pool.get(txid)
  }

  /** Now, but never the same twice: two transactions with the same content differ by their timestamps. */
  timestamp(): number {
    this.#timestamp = Math.max(Date.now(), this.#timestamp + 1)
    return this.#timestamp
  }

  /** Why a transaction that had been accepted was left out of a block. */
  whyDropped(txid: string): Refusal | undefined {
    return this.#dropped.get(txid)
  }

  /**
   * Takes a transaction into the pool if it could be in the next block, after all that wait. This promises nothing.
   *
   * throws  Refusal
   */
  submit(transaction: Transaction): Promise<void> {
    return this.alone(async () => {
      const around = this.chain.around()
      const hasTransaction = (txid: string): boolean => this.#pool.has(txid) || around.hasTransaction(txid)
      const moment = { number: this.chain.head.number + 1, time: this.#nextTime() }
      await execute(this.#pending, transaction, moment, { ...around, hasTransaction })
      this.#pool.set(transaction.id, transaction)
    })
  }

  /** Loses a transaction that was accepted. */
  forget(txid: string): Promise<void> {
    return this.alone(async () => {
      if (this.#pool.delete(txid)) await this.#refill()
    })
  }

  /** Makes blocks: the first takes the pool, unless `isEmpty`. */
  mine(count: number, isEmpty = false): Promise<void> {
    return this.alone(async () => {
      for (let left = count; left > 0; left--) await this.#make(this.#nextTime(), isEmpty ? [] : this.waiting)
    })
  }

  fork({ depth, keep, blocks }: ForkOptions): Promise<void> {
    return this.alone(async () => {
      const removed = this.chain.back(depth)
      this.#options.file?.add({ back: depth })
      const isKept = ({ id }: Transaction): boolean => keep === 'all' || (keep !== 'none' && !keep.without.includes(id))
      const waiting = this.waiting
      this.#pool.clear()
      for (const transaction of [...removed.filter(isKept), ...waiting]) this.#pool.set(transaction.id, transaction)
      await this.#refill()
      for (let left = blocks; left > 0; left--) await this.#make(this.#nextTime(), this.waiting)
    })
  }

  /** Gives staked resources to an account, without the coins. */
  grant(grant: Grant): Promise<void> {
    return this.alone(async () => {
      apply(this.chain, grant)
      this.#options.file?.add({ grant })
      await this.#refill()
    })
  }

  /** The last `count` witnesses make no blocks. From 9 on nothing becomes solid any more. */
  setOffline(count: number): void {
    if (!Number.isInteger(count) || count < 0 || count >= witnessCount) throw new Error(`${count} witnesses cannot be offline`)
    this.#offline = count
  }

  /** Runs work on the state while no other does. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work)
    this.#turn = done.catch(() => undefined)
    return done
  }

  /** A beat of the clock is left out while the block of the one before is still being made. */
  async #tick(): Promise<void> {
    if (this.#isTicking) return
    this.#isTicking = true
    await this.mine(1)
    this.#isTicking = false
  }

  async #make(time: number, candidates: readonly Transaction[]): Promise<void> {
    const dropped: readonly Dropped[] = await this.chain.append(time, this.#nextWitness(), candidates)
    for (const { transaction, why } of dropped) {
      this.#pool.delete(transaction.id)
      this.#dropped.set(transaction.id, why)
    }
    const { witness, transactions } = this.chain.head
    for (const { id } of transactions) this.#pool.delete(id)
    this.#options.file?.add({ block: [time, witness, ...transactions.map((one) => toHex(transactionBytes(one)))] })
    await this.#refill()
  }

  /** Lays the pool over the newest block again. What no longer fits is dropped when the next block is made. */
  async #refill(): Promise<void> {
    this.#pending = new State(this.chain.state)
    const moment = { number: this.chain.head.number + 1, time: this.#nextTime() }
    for (const transaction of this.#pool.values()) {
      await execute(this.#pending, transaction, moment, this.chain.around()).catch((cause: unknown) => {
        if (!(cause instanceof Refusal)) throw cause
      })
    }
  }

  #nextTime(): number {
    const { time } = this.chain.head
    const { blockMs } = this.#options
    if (blockMs === 0) return time + slotMs
    return Math.max(time + Math.min(blockMs, slotMs), Math.floor(Date.now() / blockMs) * blockMs)
  }

  #nextWitness(): number {
    return (this.chain.head.witness + 1) % (witnessCount - this.#offline)
  }
}

async function replay(chain: Chain, entry: Entry): Promise<void> {
  if ('back' in entry) chain.back(entry.back)
  else if ('grant' in entry) apply(chain, entry.grant)
  else {
    const [time, witness, ...transactions] = entry.block
    const dropped = await chain.append(
      time,
      witness,
      transactions.map((text) => readTransaction(fromHex(text))),
    )
    if (dropped.length > 0) throw new Error(`block ${chain.head.number} of the file does not hold: ${dropped[0].why.message}`)
  }
}

function apply(chain: Chain, { address, bandwidth, energy }: Grant): void {
  chain.adjust((state) => {
    const account = state.openAccount(address, chain.head.time)
    state.setAccount(address, {
      ...account,
      bandwidth: { ...account.bandwidth, limit: bandwidth },
      energy: { ...account.energy, limit: energy },
    })
  })
}
