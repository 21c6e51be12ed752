/** Shows a state to the EVM, which knows 20-byte addresses and calls an account's TRX its balance, in sun. */
import type { AccountFields, StateManagerInterface } from '@ethereumjs/common'
import { Account as EvmAccount, type Address } from '@ethereumjs/util'
import { keccak, nothing, toHex } from '../wire/bytes.ts'
import type { State } from './state.ts'

export class EvmState implements StateManagerInterface {
  #state: State
  #createdAt = 0
  #marks: number[] = []
  readonly #original = new Map<string, Uint8Array>()

  readonly originalStorageCache = {
    get: async (address: Address, key: Uint8Array): Promise<Uint8Array> => {
      const name = `${toHex(address.bytes)}${toHex(key)}`
      const value = this.#original.get(name) ?? (await this.getStorage(address, key))
      this.#original.set(name, value)
      return value
    },
    clear: (): void => this.#original.clear(),
  }

  constructor(state: State) {
    this.#state = state
  }

  /** Works on this state from now on. `createdAt`: for accounts that a call creates, in milliseconds. */
  use(state: State, createdAt: number): void {
    this.#state = state
    this.#createdAt = createdAt
    this.#marks = []
    this.#original.clear()
  }

  async getAccount(address: Address): Promise<EvmAccount | undefined> {
    const key = keyOf(address)
    const account = this.#state.account(key)
    if (account === undefined) return undefined
    return new EvmAccount(account.nonce, account.balance, undefined, this.#state.contract(key)?.codeHash)
  }

  async putAccount(address: Address, account?: EvmAccount): Promise<void> {
    const key = keyOf(address)
    // The EVM writes each account that it touches. An untouched address of TRON has no account, and an empty account stays.
    if (account === undefined || (account.isEmpty() && this.#state.account(key) === undefined)) return
    const found = this.#state.openAccount(key, this.#createdAt)
    const { balance, nonce } = account
    if (balance !== found.balance || nonce !== found.nonce) this.#state.setAccount(key, { ...found, balance, nonce })
  }

  async deleteAccount(): Promise<void> {}

  async modifyAccountFields(address: Address, fields: AccountFields): Promise<void> {
    const account = (await this.getAccount(address)) ?? new EvmAccount()
    if (fields.balance !== undefined) account.balance = fields.balance
    if (fields.nonce !== undefined) account.nonce = fields.nonce
    await this.putAccount(address, account)
  }

  async putCode(address: Address, code: Uint8Array): Promise<void> {
    const key = keyOf(address)
    const account = this.#state.openAccount(key, this.#createdAt)
    this.#state.setAccount(key, { ...account, isContract: true })
    this.#state.setContract(key, { code, codeHash: keccak(code), terms: this.#state.contract(key)?.terms ?? nothing })
  }

  async getCode(address: Address): Promise<Uint8Array> {
    return this.#state.contract(keyOf(address))?.code ?? nothing
  }

  async getCodeSize(address: Address): Promise<number> {
    return (await this.getCode(address)).length
  }

  async getStorage(address: Address, key: Uint8Array): Promise<Uint8Array> {
    return this.#state.slot(keyOf(address), toHex(key)) ?? nothing
  }

  async putStorage(address: Address, key: Uint8Array, value: Uint8Array): Promise<void> {
    this.#state.setSlot(keyOf(address), toHex(key), value)
  }

  /** Only called for a new contract, whose address has no storage. */
  async clearStorage(): Promise<void> {}

  async checkpoint(): Promise<void> {
    this.#marks.push(this.#state.mark())
  }

  async commit(): Promise<void> {
    this.#marks.pop()
  }

  async revert(): Promise<void> {
    const mark = this.#marks.pop()
    if (mark !== undefined) this.#state.back(mark)
  }

  async getStateRoot(): Promise<Uint8Array> {
    throw new Error('there is no state root')
  }

  async setStateRoot(): Promise<void> {
    throw new Error('there is no state root')
  }

  async hasStateRoot(): Promise<boolean> {
    return false
  }

  clearCaches(): void {
    this.#original.clear()
  }

  shallowCopy(): StateManagerInterface {
    return new EvmState(this.#state)
  }
}

function keyOf(address: Address): string {
  return `41${toHex(address.bytes)}`
}
