/** Runs contracts on the EVM with the addresses of TRON. Amounts of energy are those of Ethereum's gas, without its intrinsic part. */
import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common'
import { createEVM, type EVM } from '@ethereumjs/evm'
import { createAddressFromString, Address } from '@ethereumjs/util'
import { EvmState } from '../state/evm-state.ts'
import { State } from '../state/state.ts'
import { fromHex, join, keccak, nothing, toHex } from '../wire/bytes.ts'

/** As TRON names them in `receipt.result` and `contractRet`. */
export type VmResult =
  | 'SUCCESS'
  | 'REVERT'
  | 'OUT_OF_ENERGY'
  | 'BAD_JUMP_DESTINATION'
  | 'STACK_TOO_SMALL'
  | 'STACK_TOO_LARGE'
  | 'ILLEGAL_OPERATION'
  | 'TRANSFER_FAILED'
  | 'INVALID_CODE'
  | 'UNKNOWN'

/** `address`: hex of 20 bytes, as in receipts; topics and data as hex. */
export type Log = { readonly address: string; readonly topics: readonly string[]; readonly data: string }

export type VmOutcome = {
  readonly result: VmResult
  readonly energy: number
  readonly output: Uint8Array
  readonly logs: readonly Log[]
}

export type VmCall = {
  readonly caller: string
  /** The contract that is called, or the address at which one is created. */
  readonly to: string
  readonly isCreation: boolean
  readonly data: Uint8Array
  /** Sun. */
  readonly value: bigint
  readonly energyLimit: number
  readonly block: { readonly number: number; readonly time: number }
}

const results: Readonly<Record<string, VmResult>> = {
  revert: 'REVERT',
  'out of gas': 'OUT_OF_ENERGY',
  'code store out of gas': 'OUT_OF_ENERGY',
  'invalid JUMP': 'BAD_JUMP_DESTINATION',
  'stack underflow': 'STACK_TOO_SMALL',
  'stack overflow': 'STACK_TOO_LARGE',
  'invalid opcode': 'ILLEGAL_OPERATION',
  'static state change': 'ILLEGAL_OPERATION',
  'insufficient balance': 'TRANSFER_FAILED',
  'value overflow': 'TRANSFER_FAILED',
  'invalid bytecode deployed': 'INVALID_CODE',
}

export class Vm {
  readonly #evm: EVM
  readonly #state: EvmState
  #created = ''

  private constructor(evm: EVM, state: EvmState) {
    this.#evm = evm
    this.#state = state
  }

  static async open(chainId: number): Promise<Vm> {
    const state = new EvmState(new State())
    const common = createCustomCommon({ chainId }, Mainnet, { hardfork: Hardfork.Cancun })
    const evm = await createEVM({ common, stateManager: state })
    const vm = new Vm(evm, state)
    vm.#useAddressesOfTron()
    return vm
  }

  /** Calls or creates a contract in a state. A failed call changes nothing there. One call at a time. */
  async run(state: State, call: VmCall): Promise<VmOutcome> {
    this.#state.use(state, call.block.time)
    // Addresses and slots that one call has touched are cheaper in it, and only in it: else energy would depend on earlier calls.
    this.#evm.journal.cleanJournal()
    this.#created = call.to
    const { execResult } = await this.#evm.runCall({
      caller: evmAddress(call.caller),
      ...(call.isCreation ? {} : { to: evmAddress(call.to) }),
      data: call.data,
      value: call.value,
      gasLimit: BigInt(call.energyLimit),
      skipNonceIncrement: !call.isCreation,
      block: { header: headerOf(call.block) },
    })
    const error = execResult.exceptionError?.error
    const result = error === undefined ? 'SUCCESS' : (results[error] ?? 'UNKNOWN')
    return {
      result,
      energy: Number(execResult.executionGasUsed),
      output: execResult.returnValue,
      logs: error === undefined ? (execResult.logs ?? []).map(logOf) : [],
    }
  }

  /**
   * A transaction's contract is at an address made of the transaction's id, and CREATE2 hashes 41 where Ethereum hashes ff. The EVM
   * asks this method, which its interface doesn't offer for replacement.
   */
  #useAddressesOfTron(): void {
    const evm = this.#evm as unknown as { _generateAddress: AddressMaker }
    const usual = evm._generateAddress.bind(this.#evm)
    evm._generateAddress = async (message) => {
      if (message.salt !== undefined) return create2Address(message)
      return message.depth === 0 ? evmAddress(this.#created) : usual(message)
    }
  }
}

type Creation = { readonly depth: number; readonly caller: Address; readonly salt?: Uint8Array; readonly code?: unknown }
type AddressMaker = (message: Creation) => Promise<Address>

function create2Address({ caller, salt, code }: Creation): Address {
  const parts = [fromHex('41'), caller.bytes, salt ?? nothing, keccak(code as Uint8Array)]
  return new Address(keccak(join(...parts)).slice(12))
}

/** The contract that a transaction creates. */
export function contractAddress(txid: string, owner: string): string {
  return `41${toHex(keccak(fromHex(`${txid}${owner}`)).slice(12))}`
}

function evmAddress(address: string): Address {
  return createAddressFromString(`0x${address.slice(2)}`)
}

function logOf([address, topics, data]: [Uint8Array, Uint8Array[], Uint8Array]): Log {
  return { address: toHex(address), topics: topics.map(toHex), data: toHex(data) }
}

function headerOf({ number, time }: VmCall['block']) {
  return {
    number: BigInt(number),
    timestamp: BigInt(Math.floor(time / 1000)),
    coinbase: evmAddress(`41${'00'.repeat(20)}`),
    difficulty: 0n,
    prevRandao: new Uint8Array(32),
    gasLimit: 100_000_000n,
    baseFeePerGas: 0n,
    getBlobGasPrice: () => 0n,
  }
}
