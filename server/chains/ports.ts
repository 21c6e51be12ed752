/** What the parts that move money on chains know of each other. Amounts on chains are bigints in the token's smallest unit. */

export type NetworkKind = 'evm' | 'tron'

/** A token of a network, or (without `contract`) its native coin. */
export type ChainToken = {
  /** Code of the asset in the exchange. */
  readonly asset: string
  /** Address of the contract as the network writes it; absent for the native coin. */
  readonly contract?: string
  readonly decimals: number
}

/** A network as configured. */
export type Network = {
  /** Name in addresses, tables and settings: `ethereum`, `tron`. */
  readonly name: string
  /** Its number in the core, from 1. */
  readonly number: number
  readonly kind: NetworkKind
  /** What customers call it: `ERC20`, `TRC20`. */
  readonly label: string
  readonly chainId: number
  /** Addresses of independent nodes, at least one. */
  readonly nodes: readonly string[]
  /** Blocks after which a deposit is credited; 0: only when it is final. */
  readonly confirmations: number
  readonly tokens: readonly ChainToken[]
}

export type Block = {
  readonly number: number
  readonly hash: string
  readonly parent: string
  /** Milliseconds. */
  readonly at: number
}

/** Stands for the native coin where a contract would be. */
export const nativeContract = ''

/**
 * Place of a transaction's own coins beside those of its logs. No block has room for so many logs: on Ethereum each costs at least 375
 * gas, so that a block of 36 million gas has fewer than 100,000.
 */
export const nativeOrdinal = 1_000_000

/**
 * A transfer of a token as a log of its contract says. `ordinal`: position among the logs of its transaction, from 0. Or one of the native
 * coin by a whole transaction, under `nativeContract` and `nativeOrdinal`: what contracts send each other is none.
 */
export type TokenTransfer = {
  readonly txid: string
  readonly ordinal: number
  readonly contract: string
  readonly from: string
  readonly to: string
  readonly value: bigint
  readonly block: number
  readonly blockHash: string
}

/** Reads one node of a network. Every method throws when the node does not answer, or answers with something else. */
export type ChainReader = {
  /** Number of the newest block. */
  head(): Promise<number>
  /** Number of the newest final block. */
  final(): Promise<number>
  block(at: number | { readonly hash: string }): Promise<Block | undefined>
  /** Transfers of these contracts, or of any and of the native coin if the network lists it, in one block by hash (fails when the node does not know it), or in a range of final blocks. */
  transfers(
    contracts: readonly string[] | 'any',
    where: { readonly blockHash: string } | { readonly from: number; readonly to: number },
  ): Promise<readonly TokenTransfer[]>
  receipt(txid: string): Promise<Receipt | undefined>
  /** Receipts of all transactions of a block, by transaction, where nodes tell them at once. */
  receipts?(block: number): Promise<ReadonlyMap<string, Receipt>>
  /** Of a token, or without `contract` of the native coin. `at`: a final block, where nodes can tell it; TRON only knows its newest one. */
  balance(address: string, contract?: string, at?: number): Promise<bigint>
  /** Transactions that the address has sent, up to a final block; undefined where chains do not count them. */
  sent(address: string, at: number): Promise<number | undefined>
  /** Whether the token's issuer froze the address. False for a token that can't. */
  isFrozen(address: string, contract: string): Promise<boolean>
}

/** What became of a transaction. */
export type Receipt = { readonly isSuccess: boolean; readonly block: number; readonly blockHash: string }

/** A reader that can read a final block on a second way, so that a gap in a node's index of logs is found. */
export type AuditedReader = ChainReader & {
  /** The same of a final block, by the results of its transactions. */
  audit(block: number): Promise<readonly TokenTransfer[]>
}

/** A payment that the exchange wants, as people and the signer read it. */
export type Intent = {
  /** The withdrawal's number; each is paid at most once. */
  readonly withdrawal: number
  readonly network: string
  readonly chainId: number
  /** The token's contract; absent for the native coin. */
  readonly contract?: string
  readonly to: string
  readonly value: bigint
}

/** Where a payment goes into the chain's order. A withdrawal keeps its nonce for ever; a slot of TRON may be replaced once it is proved dead. */
export type Slot =
  | { readonly kind: 'evm'; readonly nonce: number; readonly gas: bigint; readonly maxFee: bigint; readonly maxTip: bigint }
  | {
      readonly kind: 'tron'
      /** Last two bytes of the reference block's number, and bytes 8 to 15 of its id, as hex. */
      readonly refBytes: string
      readonly refHash: string
      readonly timestamp: number
      readonly expiration: number
      readonly feeLimit: number
    }

/** A signed transaction, known by its number before it touches the network. */
export type Signed = { readonly raw: string; readonly txid: string }

/** What became of all attempts to pay an intent. */
export type Fate = 'pending' | 'paid' | 'reverted' | 'impossible'
