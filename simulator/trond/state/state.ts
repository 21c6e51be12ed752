/**
 * Accounts, contracts and storage, each under one key. A state can lie over another one: it reads through and writes only itself.
 * What it changes can be undone, so that a failed call, a dropped block and a fork restore it exactly.
 */
import type { Permission } from '../wire/transaction.ts'

/** Use of a resource that recovers over 24 hours. `at`: number of the 3-second slot when `used` was last counted. */
export type Use = { readonly used: number; readonly at: number }

export type Account = {
  /** Sun. */
  readonly balance: bigint
  /** Contracts that this account has created. */
  readonly nonce: bigint
  /** Milliseconds. */
  readonly createdAt: number
  readonly isContract: boolean
  readonly owner?: Permission
  readonly actives?: readonly Permission[]
  /** Free bandwidth. */
  readonly free: Use
  /** Staked bandwidth and energy: how much, and its use. */
  readonly bandwidth: Use & { readonly limit: number }
  readonly energy: Use & { readonly limit: number }
}

export type Contract = {
  readonly code: Uint8Array
  readonly codeHash: Uint8Array
  /** The message `SmartContract`; empty for a contract created by another. */
  readonly terms: Uint8Array
}

/** A key and its value before a change: to be written back. */
export type Change = readonly [key: string, value: unknown]

const absent = Symbol('absent')
const fresh: Use & { readonly limit: number } = { used: 0, at: 0, limit: 0 }

export class State {
  readonly #own = new Map<string, unknown>()
  readonly #below: State | undefined
  #changes: Change[] = []

  constructor(below?: State) {
    this.#below = below
  }

  account(address: string): Account | undefined {
    return this.#get(`a${address}`) as Account | undefined
  }

  setAccount(address: string, account: Account): void {
    this.#set(`a${address}`, account)
  }

  /** The account at the address, which is created if there is none. */
  openAccount(address: string, createdAt: number): Account {
    const found = this.account(address)
    if (found !== undefined) return found
    const account: Account = { balance: 0n, nonce: 0n, createdAt, isContract: false, free: fresh, bandwidth: fresh, energy: fresh }
    this.setAccount(address, account)
    return account
  }

  contract(address: string): Contract | undefined {
    return this.#get(`c${address}`) as Contract | undefined
  }

  setContract(address: string, contract: Contract): void {
    this.#set(`c${address}`, contract)
  }

  slot(address: string, slot: string): Uint8Array | undefined {
    return this.#get(`s${address}${slot}`) as Uint8Array | undefined
  }

  setSlot(address: string, slot: string, value: Uint8Array): void {
    this.#set(`s${address}${slot}`, value)
  }

  /** A point to which `back` returns. */
  mark(): number {
    return this.#changes.length
  }

  back(mark: number): void {
    this.undo(this.#changes.splice(mark))
  }

  /** Ends a unit that is undone as a whole: the changes since the last call. */
  cut(): readonly Change[] {
    const changes = this.#changes
    this.#changes = []
    return changes
  }

  undo(changes: readonly Change[]): void {
    for (const [key, value] of [...changes].reverse()) {
      if (value === absent) this.#own.delete(key)
      else this.#own.set(key, value)
    }
  }

  /** A state over this one as it was before these changes; it's valid until this one changes. */
  before(changes: readonly (readonly Change[])[]): State {
    const state = new State(this)
    for (const unit of [...changes].reverse()) {
      for (const [key, value] of [...unit].reverse()) state.#own.set(key, value === absent ? undefined : value)
    }
    return state
  }

  #get(key: string): unknown {
    return this.#own.has(key) || this.#below === undefined ? this.#own.get(key) : this.#below.#get(key)
  }

  #set(key: string, value: unknown): void {
    this.#changes.push([key, this.#own.has(key) ? this.#own.get(key) : absent])
    this.#own.set(key, value)
  }
}
