/** The blocks and the state after each. A block is solid once enough different witnesses have built on it; solid blocks stay. */
import { type Change, State } from '../state/state.ts'
import type { Transaction } from '../wire/transaction.ts'
import { type Block, chainId, genesis, sealed, witnessCount } from './block.ts'
import { execute, type Moment, type Receipt, type Surroundings } from './execute.ts'
import { Refusal } from './refusal.ts'
import { Vm } from './vm.ts'

/** Of the witnesses' last blocks in rising order, the one at this place is solid: 19 of 27 have built on it, or made it. */
const solidPlace = Math.floor(witnessCount * 0.3)
const referenceBlocks = 65_536

export type Found = { readonly block: Block; readonly place: number; readonly transaction: Transaction; readonly receipt: Receipt }
export type Dropped = { readonly transaction: Transaction; readonly why: Refusal }

export class Chain {
  readonly state = new State()
  readonly vm: Vm
  readonly #blocks: Block[] = [genesis]
  /** What each block that isn't solid changed. */
  readonly #changes = new Map<number, readonly Change[]>()
  readonly #places = new Map<string, { readonly number: number; readonly place: number }>()
  #last: number[] = Array.from({ length: witnessCount }, () => 0)
  #solid = 0
  #solidState: State | undefined

  private constructor(vm: Vm) {
    this.vm = vm
  }

  /** `funds`: sun of accounts in the first block. */
  static async open(funds: ReadonlyMap<string, bigint>): Promise<Chain> {
    const chain = new Chain(await Vm.open(chainId))
    for (const [address, balance] of funds) chain.state.setAccount(address, { ...chain.state.openAccount(address, 0), balance })
    chain.state.cut()
    return chain
  }

  get head(): Block {
    return this.#blocks[this.#blocks.length - 1]
  }

  get solid(): Block {
    return this.#blocks[this.#solid]
  }

  block(number: number): Block | undefined {
    return this.#blocks[number]
  }

  blockById(id: string): Block | undefined {
    const block = this.#blocks[Number.parseInt(id.slice(0, 16), 16)]
    return block?.id === id ? block : undefined
  }

  find(txid: string): Found | undefined {
    const at = this.#places.get(txid)
    if (at === undefined) return undefined
    const block = this.#blocks[at.number]
    return { block, place: at.place, transaction: block.transactions[at.place], receipt: block.receipts[at.place] }
  }

  /** The state after the newest solid block; it's valid until the next block. */
  solidState(): State {
    this.#solidState ??= this.state.before(this.#openNumbers().map((number) => this.#changes.get(number) ?? []))
    return this.#solidState
  }

  /** Changes the state outside of transactions, as part of the newest block. */
  adjust(change: (state: State) => void): void {
    change(this.state)
    const { number } = this.head
    if (number > this.#solid) this.#changes.set(number, [...(this.#changes.get(number) ?? []), ...this.state.cut()])
    else this.state.cut()
    this.#solidState = undefined
  }

  around(): Surroundings {
    return {
      vm: this.vm,
      hasTransaction: (txid) => this.#places.has(txid),
      reference: (bytes) => this.#reference(bytes),
      headTime: this.head.time,
    }
  }

  /**
   * Makes the next block. Transactions that are refused are left out.
   *
   * throws  Error unless `time` is later than the newest block's
   */
  async append(time: number, witness: number, candidates: readonly Transaction[]): Promise<readonly Dropped[]> {
    const { number: last, id: parent, time: before } = this.head
    if (time <= before) throw new Error(`block ${last + 1} at ${time} is not later than ${before}`)
    const moment: Moment = { number: last + 1, time }
    const transactions: Transaction[] = []
    const receipts: Receipt[] = []
    const dropped: Dropped[] = []
    for (const transaction of candidates) {
      try {
        receipts.push(await execute(this.state, transaction, moment, this.around()))
        transactions.push(transaction)
      } catch (cause) {
        if (!(cause instanceof Refusal)) throw cause
        dropped.push({ transaction, why: cause })
      }
    }
    const block = sealed({ number: last + 1, parent, time, witness }, transactions, receipts)
    this.#blocks.push(block)
    for (const [place, { id }] of transactions.entries()) this.#places.set(id, { number: block.number, place })
    this.#changes.set(block.number, this.state.cut())
    this.#last[witness] = block.number
    this.#settle()
    return dropped
  }

  /**
   * Removes the newest blocks, as a fork does.
   *
   * returns  their transactions, oldest first
   * throws   Error when one of them is solid
   */
  back(count: number): readonly Transaction[] {
    if (this.head.number - count < this.#solid)
      throw new Error(`block ${this.#solid} is solid: at most ${this.head.number - this.#solid} blocks can go`)
    const removed: Block[] = []
    for (let left = count; left > 0; left--) {
      const block = this.#blocks.pop() as Block
      this.state.undo(this.#changes.get(block.number) ?? [])
      this.#changes.delete(block.number)
      for (const { id } of block.transactions) this.#places.delete(id)
      removed.unshift(block)
    }
    this.#last = this.#lastBlocks()
    this.#solidState = undefined
    return removed.flatMap(({ transactions }) => transactions)
  }

  #settle(): void {
    const rising = [...this.#last].sort((a, b) => a - b)
    const solid = Math.max(this.#solid, rising[solidPlace])
    for (let number = this.#solid + 1; number <= solid; number++) this.#changes.delete(number)
    this.#solid = solid
    this.#solidState = undefined
  }

  #openNumbers(): readonly number[] {
    return Array.from({ length: this.head.number - this.#solid }, (_, index) => this.#solid + 1 + index)
  }

  #lastBlocks(): number[] {
    const last = Array.from({ length: witnessCount }, () => 0)
    let missing = witnessCount
    for (let number = this.head.number; number > 0 && missing > 0; number--) {
      const { witness } = this.#blocks[number]
      if (last[witness] !== 0) continue
      last[witness] = number
      missing--
    }
    return last
  }

  #reference(bytes: string): string | undefined {
    const { number: head } = this.head
    const low = Number.parseInt(bytes, 16)
    if (bytes.length !== 4 || Number.isNaN(low)) return undefined
    const number = head - ((((head - low) % referenceBlocks) + referenceBlocks) % referenceBlocks)
    return this.#blocks[number]?.id.slice(16, 32)
  }
}
