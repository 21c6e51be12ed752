/** Blocks, transactions, receipts and logs as `/jsonrpc` writes them: 20-byte addresses, quantities as hex, nonces and blooms zero. */
import { type Block, witnessAddress } from '../chain/block.ts'
import type { Found } from '../chain/chain.ts'
import { terms } from '../chain/resources.ts'
import { toHex } from '../wire/bytes.ts'
import type { Json } from '../wire/json.ts'
import type { Payload, Transaction } from '../wire/transaction.ts'

const noBloom = `0x${'00'.repeat(256)}`
const noHash = `0x${'00'.repeat(32)}`

export function quantity(number: number | bigint): string {
  return `0x${number.toString(16)}`
}

export function blockForm(block: Block, all: readonly Found[], isFull: boolean): Json {
  return {
    baseFeePerGas: '0x0',
    difficulty: '0x0',
    extraData: '0x',
    gasLimit: quantity(terms.feeLimitMax),
    gasUsed: quantity(all.reduce((sum, { receipt }) => sum + receipt.energyTotal, 0)),
    hash: `0x${block.id}`,
    logsBloom: noBloom,
    miner: `0x${witnessAddress(block.witness).slice(2)}`,
    mixHash: noHash,
    nonce: '0x0000000000000000',
    number: quantity(block.number),
    parentHash: `0x${block.parent}`,
    receiptsRoot: noHash,
    sha3Uncles: noHash,
    size: quantity(block.transactions.reduce((sum, { size }) => sum + size, 0)),
    stateRoot: '0x',
    // Seconds, as Ethereum counts.
    timestamp: quantity(Math.floor(block.time / 1000)),
    totalDifficulty: '0x0',
    transactions: all.map((found) => (isFull ? transactionForm(found) : `0x${found.transaction.id}`)),
    transactionsRoot: noHash,
    uncles: [],
  }
}

export function transactionForm({ block, place, transaction, receipt }: Found): Json {
  const { payload, signatures } = transaction
  const signature = signatures.length === 0 ? '00'.repeat(65) : toHex(signatures[0])
  return {
    blockHash: `0x${block.id}`,
    blockNumber: quantity(block.number),
    from: short(payload.owner),
    gas: quantity(receipt.energyTotal),
    gasPrice: quantity(terms.energyFee),
    hash: `0x${transaction.id}`,
    input: `0x${payload.kind === 'TriggerSmartContract' ? toHex(payload.data) : ''}`,
    nonce: '0x0',
    r: `0x${signature.slice(0, 64)}`,
    s: `0x${signature.slice(64, 128)}`,
    v: `0x${signature.slice(128, 130)}`,
    to: targetOf(payload),
    transactionIndex: quantity(place),
    type: '0x0',
    value: quantity(valueOf(payload)),
  }
}

export function receiptForm(found: Found, all: readonly Found[]): Json {
  const { block, place, transaction, receipt } = found
  const isCreation = transaction.payload.kind === 'CreateSmartContract'
  return {
    blockHash: `0x${block.id}`,
    blockNumber: quantity(block.number),
    contractAddress: isCreation && receipt.contract !== undefined ? short(receipt.contract) : null,
    cumulativeGasUsed: quantity(all.slice(0, place + 1).reduce((sum, one) => sum + one.receipt.energyTotal, 0)),
    effectiveGasPrice: quantity(terms.energyFee),
    from: short(transaction.payload.owner),
    gasUsed: quantity(receipt.energyTotal),
    logs: logForms(found, all),
    logsBloom: noBloom,
    status: receipt.result === undefined || receipt.result === 'SUCCESS' ? '0x1' : '0x0',
    to: targetOf(transaction.payload),
    transactionHash: `0x${transaction.id}`,
    transactionIndex: quantity(place),
    type: '0x0',
  }
}

/** `all`: the transactions of its block, because a log's index counts through the block. */
export function logForms({ block, place, transaction, receipt }: Found, all: readonly Found[]): readonly Json[] {
  const before = all.slice(0, place).reduce((sum, one) => sum + one.receipt.logs.length, 0)
  return receipt.logs.map(({ address, topics, data }, index) => ({
    address: `0x${address}`,
    blockHash: `0x${block.id}`,
    blockNumber: quantity(block.number),
    data: `0x${data}`,
    logIndex: quantity(before + index),
    removed: false,
    topics: topics.map((topic) => `0x${topic}`),
    transactionHash: `0x${transaction.id}`,
    transactionIndex: quantity(place),
  }))
}

function targetOf(payload: Transaction['payload']): string | null {
  if (payload.kind === 'TransferContract') return short(payload.to)
  return payload.kind === 'TriggerSmartContract' ? short(payload.contract) : null
}

function valueOf(payload: Payload): bigint {
  if (payload.kind === 'TransferContract') return payload.amount
  return payload.kind === 'AccountPermissionUpdateContract' ? 0n : payload.value
}

function short(address: string): string {
  return `0x${address.slice(2)}`
}
