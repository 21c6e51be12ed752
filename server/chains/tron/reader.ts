import { z } from 'zod'
import { type AuditedReader, type Block, nativeContract, nativeOrdinal, type TokenTransfer } from '../ports.ts'
import { byLogsOr, ChainRpc, ofBlocks, onlyOf, transferOf, type Where, withCoins } from '../rpc/chain-rpc.ts'
import { checked, JsonRpc, NodeFault, postJson } from '../rpc/json-rpc.ts'
import { fromHex20, toHex20 } from './address.ts'

const form = { write: fromHex20, read: toHex20 }

const hex = z.string().regex(/^[0-9a-f]*$/i)
const infoShape = z.object({
  id: hex.length(64),
  blockNumber: z.number(),
  result: z.string().optional(),
  receipt: z.object({ result: z.string().optional() }).optional(),
  log: z.array(z.object({ address: hex.length(40), topics: z.array(hex).default([]), data: hex.default('') })).default([]),
})
const transactionShape = z.object({
  txID: hex.length(64),
  ret: z.array(z.object({ contractRet: z.string().optional() })).default([]),
  raw_data: z.object({
    contract: z.array(z.object({ type: z.string(), parameter: z.object({ value: z.record(z.string(), z.unknown()) }) })).min(1),
  }),
})
type Transaction = z.output<typeof transactionShape>
const bytes21 = hex.length(42).startsWith('41')
/** Above 2^53 the amount is only about right. */
const coinShape = z.object({ amount: z.number().positive().refine(Number.isInteger), owner_address: bytes21, to_address: bytes21 })
const fullShape = z.object({ blockID: hex.length(64), transactions: z.array(transactionShape).default([]) })
/** A transaction that the node does not have is an empty object. */
const foundShape = z.union([infoShape, z.strictObject({})])

export type TronReaderOptions = {
  /**
   * Address of a solidity node, which knows nothing that can still vanish. It serves `/jsonrpc` and `/walletsolidity/`; if a node has
   * them on two ports, a proxy makes one address of them.
   */
  readonly node: string
  /** The last four bytes of the first block's id. */
  readonly chainId: number
  /** Whether transfers of the native coin are read, too. */
  readonly hasCoin?: boolean
}

/** Reads a node of TRON. Addresses are in base58, ids of transactions and blocks without `0x`, as people see them there. */
export function tronReader({ node, chainId, hasCoin = false }: TronReaderOptions): AuditedReader {
  const base = node.replace(/\/$/, '')
  const rpc = new ChainRpc(new JsonRpc(`${base}/jsonrpc`), chainId, form)
  const wallet = (method: string, body: unknown): Promise<unknown> => postJson(`${base}/walletsolidity/${method}`, body)
  const blockOf = async (at: number | { readonly hash: string }): Promise<Block | undefined> => {
    const block = await rpc.block(typeof at === 'number' ? at : { hash: `0x${at.hash}` })
    return block && { ...block, hash: plain(block.hash), parent: plain(block.parent) }
  }
  const coinsOf = async (block: Block): Promise<readonly TokenTransfer[]> => {
    const full = checked('getblockbynum', await wallet('getblockbynum', { num: block.number }), fullShape)
    if (full.blockID !== block.hash) throw new NodeFault('The node answered with another block than asked for')
    const coins = full.transactions.filter(isCoinSent).map((transaction) => coinOf(transaction, block))
    // A number of JSON that is too large for an exact one.
    return Promise.all(
      coins.map(async (coin) =>
        coin.value <= BigInt(Number.MAX_SAFE_INTEGER) ? coin : { ...coin, value: await rpc.valueOf(`0x${coin.txid}`) },
      ),
    )
  }
  const coins = (where: Where) => ofBlocks(blockOf, where, coinsOf)
  /** A transaction that calls no contract tells no result: its own answer does. */
  const isCoin = async (txid: string): Promise<boolean> => {
    const found = checked('gettransactionbyid', await wallet('gettransactionbyid', { value: txid }), transactionShape)
    if (found.txID !== txid) throw new NodeFault('The node answered with another transaction than asked for')
    return isCoinSent(found)
  }
  const resultsOf = async (block: Block): Promise<readonly TokenTransfer[]> => {
    const answer = await wallet('gettransactioninfobyblocknum', { num: block.number })
    return checked('gettransactioninfobyblocknum', answer, z.array(infoShape)).flatMap((info) => transfersOf(info, block))
  }
  const logs: AuditedReader['transfers'] = async (contracts, where) =>
    (await rpc.transfers(contracts, 'blockHash' in where ? { blockHash: `0x${where.blockHash}` } : where)).map((transfer) => ({
      ...transfer,
      txid: plain(transfer.txid),
      blockHash: plain(transfer.blockHash),
    }))
  const tokens: AuditedReader['transfers'] = (contracts, where) =>
    byLogsOr(
      where,
      () => logs(contracts, where),
      async () => onlyOf(await ofBlocks(blockOf, where, resultsOf), contracts),
    )
  return {
    head: () => rpc.head(),
    final: () => rpc.head(),
    block: blockOf,
    transfers: (contracts, where) =>
      withCoins(
        contracts,
        () => tokens(contracts, where),
        () => (hasCoin ? coins(where) : none),
      ),
    receipt: async (txid) => {
      const receipt = await rpc.receipt(`0x${txid}`)
      if (receipt === undefined) return undefined
      const info = checked('gettransactioninfobyid', await wallet('gettransactioninfobyid', { value: txid }), foundShape)
      if (!('id' in info)) return undefined
      if (info.id !== txid) throw new NodeFault('The node answered with another transaction than asked for')
      // JSON-RPC calls a result of "default" a success, too.
      const { result = info.result } = info.receipt ?? {}
      const isDone = result === undefined ? await isCoin(txid) : result === 'SUCCESS'
      const isSuccess = receipt.isSuccess && isDone && info.result === undefined && info.blockNumber === receipt.block
      return { isSuccess, block: receipt.block, blockHash: plain(receipt.blockHash) }
    },
    balance: (address, contract) => rpc.balance(address, contract),
    sent: async () => undefined,
    isFrozen: (address, contract) => rpc.isFrozen(address, contract),
    audit: async (number) => {
      const block = await blockOf(number)
      if (block === undefined) throw new NodeFault(`The node does not have block ${number}`)
      const found = await resultsOf(block)
      return hasCoin ? [...found, ...(await coinsOf(block))] : found
    },
  }
}

/** The index of logs has a gap where a node was started without JSON-RPC; the results of transactions have none. */
function transfersOf({ id, blockNumber, receipt, log }: z.output<typeof infoShape>, block: Block): readonly TokenTransfer[] {
  if (blockNumber !== block.number) throw new NodeFault('The node answered with transactions of another block than asked for')
  if (receipt?.result !== 'SUCCESS') return []
  return log.flatMap(({ address, topics, data }, ordinal) => {
    const transfer = transferOf({ address: `0x${address}`, topics: topics.map((topic) => `0x${topic}`), data: `0x${data}` }, form)
    return transfer === undefined ? [] : [{ txid: id, ordinal, ...transfer, block: block.number, blockHash: block.hash }]
  })
}

function isCoinSent({ ret, raw_data: { contract } }: Transaction): boolean {
  return contract.length === 1 && contract[0]!.type === 'TransferContract' && ret[0]?.contractRet === 'SUCCESS'
}

function coinOf({ txID: txid, raw_data: { contract } }: Transaction, { number, hash }: Block): TokenTransfer {
  const { amount, owner_address: from, to_address: to } = checked('a transfer of coins', contract[0]!.parameter.value, coinShape)
  const parties = { from: fromHex20(`0x${from.slice(2)}`), to: fromHex20(`0x${to.slice(2)}`) }
  return { txid, ordinal: nativeOrdinal, contract: nativeContract, ...parties, value: BigInt(amount), block: number, blockHash: hash }
}

const none: Promise<readonly []> = Promise.resolve([])
const plain = (hash: string): string => hash.slice(2)
