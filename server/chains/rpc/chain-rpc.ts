import { z } from 'zod'
import { type Block, type ChainReader, nativeContract, nativeOrdinal, type TokenTransfer } from '../ports.ts'
import { type JsonRpc, NodeFault, NodeRefusal } from './json-rpc.ts'

const hex = z.string().regex(/^0x[0-9a-f]*$/i)
const hash = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/i)
  .transform((text) => text.toLowerCase())
const bytes20 = z.string().regex(/^0x[0-9a-f]{40}$/i)
const quantity = z
  .string()
  .regex(/^0x[0-9a-f]{1,13}$/i)
  .transform(Number)

const blockShape = z
  .object({ number: quantity, hash, parentHash: hash, timestamp: quantity })
  .transform(({ number, hash, parentHash, timestamp }): Block => ({ number, hash, parent: parentHash, at: timestamp * 1_000 }))

const logShape = z.object({
  address: bytes20,
  topics: z.array(hash).max(4),
  data: hex,
  blockNumber: quantity,
  blockHash: hash,
  transactionHash: hash,
  logIndex: quantity,
  removed: z.boolean().optional(),
})
export type Log = z.output<typeof logShape>

const receiptShape = z.object({
  transactionHash: hash,
  status: quantity,
  blockNumber: quantity,
  blockHash: hash,
  logs: z.array(logShape),
})

const fullShape = z.object({
  hash,
  transactions: z.array(z.object({ hash, from: bytes20, to: bytes20.nullish(), value: hex })),
})

/** Blocks whose transactions are asked for at the same time. */
const blocksAtOnce = 8

/** keccak256 of `Transfer(address,address,uint256)`. */
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** First four bytes of the hash of `isBlackListed(address)`, by which USDT names frozen addresses. */
const frozenSelector = '0xe47d6060'
const padded = /^0x0{24}[0-9a-f]{40}$/

/** What a log says of a transfer, beside where it is. */
export type Said = Pick<TokenTransfer, 'contract' | 'from' | 'to' | 'value'>

/** How a network writes addresses: from 20 bytes as `0x` and 40 digits, and back. */
export type AddressForm = { readonly write: (bytes: string) => string; readonly read: (address: string) => string }

/**
 * A transfer of a token, if the log is one: exactly three topics, one word of data, a value above zero. Anybody may log a transfer of
 * nothing in somebody else's name.
 */
export function transferOf(log: Pick<Log, 'address' | 'topics' | 'data'>, form: AddressForm): Said | undefined {
  const [topic, from, to] = log.topics
  if (topic !== transferTopic || log.topics.length !== 3 || log.data.length !== 66) return undefined
  if (!padded.test(from!) || !padded.test(to!)) return undefined
  const value = BigInt(log.data)
  if (value === 0n) return undefined
  return { contract: form.write(log.address), from: form.write(`0x${from!.slice(26)}`), to: form.write(`0x${to!.slice(26)}`), value }
}

/** Logs of whole blocks as transfers. The place of a log in its transaction is counted over all logs, so it needs all of them. */
export function transfersIn(logs: readonly Log[], read: (log: Log) => Said | undefined): readonly TokenTransfer[] {
  const inOrder = logs.toSorted((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
  const counts = new Map<string, number>()
  const transfers: TokenTransfer[] = []
  for (const log of inOrder) {
    const place = `${log.blockHash} ${log.transactionHash}`
    const ordinal = counts.get(place) ?? 0
    counts.set(place, ordinal + 1)
    const transfer = read(log)
    if (transfer === undefined) continue
    transfers.push({ txid: log.transactionHash, ordinal, ...transfer, block: log.blockNumber, blockHash: log.blockHash })
  }
  return transfers
}

/** The part of JSON-RPC that Ethereum and TRON share. */
export class ChainRpc {
  readonly #rpc: JsonRpc
  readonly #chainId: number
  readonly #form: AddressForm
  readonly #read: (log: Log) => Said | undefined
  #isRight = false

  /** `more`: logs besides those of tokens that are transfers. */
  constructor(rpc: JsonRpc, chainId: number, form: AddressForm, more: (log: Log) => Said | undefined = () => undefined) {
    this.#rpc = rpc
    this.#chainId = chainId
    this.#form = form
    this.#read = (log) => transferOf(log, form) ?? more(log)
  }

  async head(): Promise<number> {
    await this.#checkChain()
    return this.#rpc.call('eth_blockNumber', [], quantity)
  }

  async block(at: number | { readonly hash: string } | 'finalized'): Promise<Block | undefined> {
    const [method, key] =
      typeof at === 'object' ? ['eth_getBlockByHash', at.hash] : ['eth_getBlockByNumber', at === 'finalized' ? at : `0x${at.toString(16)}`]
    const block = (await this.#rpc.call(method!, [key, false], blockShape.nullable())) ?? undefined
    if (block === undefined) return undefined
    if (typeof at === 'object' ? block.hash !== at.hash.toLowerCase() : at !== 'finalized' && block.number !== at)
      throw new NodeFault('The node answered with another block than asked for')
    return block
  }

  /** Transfers of these contracts, or of any. throws  NodeFault when a log is of another block */
  async transfers(contracts: readonly string[] | 'any', where: Parameters<ChainReader['transfers']>[1]): Promise<readonly TokenTransfer[]> {
    const filter =
      'blockHash' in where
        ? { blockHash: where.blockHash }
        : { fromBlock: `0x${where.from.toString(16)}`, toBlock: `0x${where.to.toString(16)}` }
    const logs = await this.#rpc.call('eth_getLogs', [filter], z.array(logShape))
    for (const log of logs) {
      const isInside =
        'blockHash' in where
          ? log.blockHash === where.blockHash.toLowerCase()
          : log.blockNumber >= where.from && log.blockNumber <= where.to
      if (!isInside || log.removed === true) throw new NodeFault('The node answered with logs of another block than asked for')
    }
    return onlyOf(transfersIn(logs, this.#read), contracts)
  }

  /**
   * Transfers of the native coin by transactions of a block that succeeded.
   *
   * throws  NodeFault when the node has another block now, or not all of its receipts
   */
  async coins({ number, hash }: Pick<Block, 'number' | 'hash'>): Promise<readonly TokenTransfer[]> {
    const block = await this.#rpc.call('eth_getBlockByHash', [hash, true], fullShape.nullable())
    if (block === null || block.hash !== hash.toLowerCase()) throw new NodeFault('The node does not have the block any more')
    const sent = block.transactions.filter(({ to, value }) => to != null && BigInt(value) > 0n)
    if (sent.length === 0) return []
    const receipts = await this.#receipts(number, block.hash)
    const successes = new Map(receipts.map((receipt) => [receipt.transactionHash, receipt.status === 1]))
    return sent.flatMap(({ hash: txid, from, to, value }) => {
      const isSuccess = successes.get(txid)
      if (isSuccess === undefined) throw new NodeFault('The node does not have all receipts of the block')
      if (!isSuccess) return []
      const about = { txid, ordinal: nativeOrdinal, contract: nativeContract, value: BigInt(value) }
      return [{ ...about, from: this.#form.write(from), to: this.#form.write(to!), block: number, blockHash: block.hash }]
    })
  }

  /** What a transaction sends of the native coin, exactly. */
  async valueOf(txid: string): Promise<bigint> {
    const found = await this.#rpc.call('eth_getTransactionByHash', [txid], z.object({ hash, value: hex }).nullable())
    if (found?.hash !== txid.toLowerCase()) throw new NodeFault('The node does not have the transaction')
    return BigInt(found.value)
  }

  async receipt(txid: string): Promise<{ isSuccess: boolean; block: number; blockHash: string } | undefined> {
    const receipt = await this.#rpc.call('eth_getTransactionReceipt', [txid], receiptShape.nullable())
    if (receipt === null) return undefined
    if (receipt.transactionHash !== txid.toLowerCase()) throw new NodeFault('The node answered with another receipt than asked for')
    return { isSuccess: receipt.status === 1, block: receipt.blockNumber, blockHash: receipt.blockHash }
  }

  /** Transfers in a block by the receipts of its successful transactions, on another way through the node than its index of logs. */
  async audit(block: number, hash?: string): Promise<readonly TokenTransfer[]> {
    return transfersIn(
      (await this.#receipts(block, hash)).filter(({ status }) => status === 1).flatMap(({ logs }) => logs),
      this.#read,
    )
  }

  async #receipts(block: number, blockHash?: string): Promise<readonly z.output<typeof receiptShape>[]> {
    const receipts = await this.#rpc.call('eth_getBlockReceipts', [`0x${block.toString(16)}`], z.array(receiptShape).nullable())
    if (receipts === null || receipts.some((receipt) => receipt.blockNumber !== block))
      throw new NodeFault('The node has no receipts of this block')
    if (blockHash !== undefined && receipts.some((receipt) => receipt.blockHash !== blockHash))
      throw new NodeFault('The node has another block now')
    return receipts
  }

  async balance(address: string, contract?: string, at?: number): Promise<bigint> {
    await this.#checkChain()
    const block = at === undefined ? 'latest' : `0x${at.toString(16)}`
    const owner = this.#form.read(address)
    if (contract === undefined) return BigInt(await this.#rpc.call('eth_getBalance', [owner, block], hex))
    const data = `0x70a08231${owner.slice(2).padStart(64, '0')}`
    const answer = await this.#rpc.call('eth_call', [{ to: this.#form.read(contract), data }, block], hex)
    if (answer.length !== 66) throw new NodeFault('The contract does not tell a balance')
    return BigInt(answer)
  }

  async sent(address: string, at: number): Promise<number> {
    return this.#rpc.call('eth_getTransactionCount', [this.#form.read(address), `0x${at.toString(16)}`], quantity)
  }

  async isFrozen(address: string, contract: string): Promise<boolean> {
    const data = `${frozenSelector}${this.#form.read(address).slice(2).padStart(64, '0')}`
    try {
      const answer = await this.#rpc.call('eth_call', [{ to: this.#form.read(contract), data }, 'latest'], hex)
      return answer.length === 66 && BigInt(answer) === 1n
    } catch (cause) {
      if (cause instanceof NodeRefusal) return false
      throw cause
    }
  }

  /** A node of another chain is never read. */
  async #checkChain(): Promise<void> {
    if (this.#isRight) return
    const chainId = await this.#rpc.call('eth_chainId', [], quantity)
    if (chainId !== this.#chainId) throw new NodeFault(`The node is of chain ${chainId} instead of ${this.#chainId}`)
    this.#isRight = true
  }
}

export function onlyOf(transfers: readonly TokenTransfer[], contracts: readonly string[] | 'any'): readonly TokenTransfer[] {
  return contracts === 'any' ? transfers : transfers.filter(({ contract }) => contracts.includes(contract))
}

/** Where transfers are looked for. */
export type Where = Parameters<ChainReader['transfers']>[1]

/** What each block holds, in the order of the blocks, a few at a time. throws  NodeFault for a block that the node does not have */
export async function ofBlocks<Each>(
  blockOf: (at: number | { readonly hash: string }) => Promise<Block | undefined>,
  where: Where,
  read: (block: Block) => Promise<readonly Each[]>,
): Promise<readonly Each[]> {
  const one = async (at: number | { readonly hash: string }): Promise<readonly Each[]> => {
    const block = await blockOf(at)
    if (block === undefined) throw new NodeFault('The node does not have the block')
    return read(block)
  }
  if ('blockHash' in where) return one({ hash: where.blockHash })
  const found: Each[] = []
  for (let from = where.from; from <= where.to; from += blocksAtOnce) {
    const count = Math.min(blocksAtOnce, where.to - from + 1)
    found.push(...(await Promise.all(Array.from({ length: count }, (_, place) => one(from + place)))).flat())
  }
  return found
}

/**
 * Transfers by a node's index of logs. Nodes list a limited count of logs, which one block can have: where it refuses a single block, the
 * results of that block's transactions are read, so that nobody stops the reading by filling one.
 */
export async function byLogsOr(
  where: Where,
  byLogs: () => Promise<readonly TokenTransfer[]>,
  byResults: () => Promise<readonly TokenTransfer[]>,
): Promise<readonly TokenTransfer[]> {
  try {
    return await byLogs()
  } catch (cause) {
    const isOne = 'blockHash' in where || where.from === where.to
    if (isOne && cause instanceof NodeRefusal) return byResults()
    throw cause
  }
}

/** Adds transfers of the native coin to those of tokens, where both are asked for. */
export async function withCoins(
  contracts: readonly string[] | 'any',
  tokens: () => Promise<readonly TokenTransfer[]>,
  coins: () => Promise<readonly TokenTransfer[]>,
): Promise<readonly TokenTransfer[]> {
  if (contracts === 'any') return [...(await tokens()), ...(await coins())]
  const ofTokens = contracts.some((contract) => contract !== nativeContract) ? await tokens() : []
  return contracts.includes(nativeContract) ? [...ofTokens, ...(await coins())] : ofTokens
}
