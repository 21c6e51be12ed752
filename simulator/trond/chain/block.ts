/** Blocks and their ids: the SHA-256 of the header, whose first eight bytes are replaced by the number. */
import { bytesOf, fromHex, hash, join, toHex } from '../wire/bytes.ts'
import { typeOf } from '../wire/definitions.ts'
import { encode, type Json } from '../wire/json.ts'
import type { Transaction } from '../wire/transaction.ts'
import type { Receipt } from './execute.ts'

export type Block = {
  readonly number: number
  readonly id: string
  readonly parent: string
  /** Milliseconds. */
  readonly time: number
  /** Position among the 27 witnesses. */
  readonly witness: number
  readonly transactions: readonly Transaction[]
  /** One per transaction, in the same order. */
  readonly receipts: readonly Receipt[]
}

export const witnessCount = 27
const version = 31
const headerType = typeOf('BlockHeader')
const noRoot = '00'.repeat(32)

const witnesses = Array.from({ length: witnessCount }, (_, index) => `41${toHex(hash(bytesOf(index)).slice(12))}`)

export function witnessAddress(witness: number): string {
  return witnesses[witness]
}

/** The first block. Its time is 0, so that each test chain has the same id of the chain. */
export const genesis: Block = sealed({ number: 0, parent: noRoot, time: 0, witness: 0 }, [], [])

/** As `eth_chainId` gives it: the last four bytes of the first block's id. */
export const chainId = Number.parseInt(genesis.id.slice(-8), 16)

export function sealed(
  place: Pick<Block, 'number' | 'parent' | 'time' | 'witness'>,
  transactions: readonly Transaction[],
  receipts: readonly Receipt[],
): Block {
  const digest = hash(encode(headerType, headerOf({ ...place, transactions })))
  return { ...place, id: toHex(join(bytesOf(place.number), digest.slice(8))), transactions, receipts }
}

/** As `/wallet/getblock` writes the header. */
export function headerJson(block: Block): Json {
  const { txTrieRoot, parentHash, witness_address, ...numbers } = headerOf(block)
  const bytes = { txTrieRoot: toHex(txTrieRoot), parentHash: toHex(parentHash), witness_address: toHex(witness_address) }
  return { raw_data: { ...numbers, ...bytes }, witness_signature: '00'.repeat(65) }
}

/** The root stands for the transactions, but it is not the tree of hashes that a real node makes. */
function headerOf({ number, parent, time, witness, transactions }: Omit<Block, 'id' | 'receipts'>) {
  const ids = transactions.map(({ id }) => fromHex(id))
  return {
    timestamp: time,
    txTrieRoot: ids.length === 0 ? fromHex(noRoot) : hash(join(...ids)),
    parentHash: fromHex(parent),
    number,
    witness_address: fromHex(witnesses[witness]),
    version,
  }
}
