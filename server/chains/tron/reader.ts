import { z } from 'zod'
import type { AuditedReader, Block, TokenTransfer } from '../ports.ts'
import { ChainRpc, transferOf } from '../rpc/chain-rpc.ts'
import { checked, JsonRpc, NodeFault, postJson } from '../rpc/json-rpc.ts'
import { fromHex20, toHex20 } from './address.ts'

const form = { write: fromHex20, read: toHex20 }

const hex = z.string().regex(/^[0-9a-f]*$/i)
const infoShape = z.object({
  id: hex.length(64),
  blockNumber: z.number(),
  receipt: z.object({ result: z.string().optional() }).optional(),
  log: z.array(z.object({ address: hex.length(40), topics: z.array(hex).default([]), data: hex.default('') })).default([]),
})
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
}

/** Reads a node of TRON. Addresses are in base58, ids of transactions and blocks without `0x`, as people see them there. */
export function tronReader({ node, chainId }: TronReaderOptions): AuditedReader {
  const base = node.replace(/\/$/, '')
  const rpc = new ChainRpc(new JsonRpc(`${base}/jsonrpc`), chainId, form)
  const wallet = (method: string, body: unknown): Promise<unknown> => postJson(`${base}/walletsolidity/${method}`, body)
  const blockOf = async (at: number | { readonly hash: string }): Promise<Block | undefined> => {
    const block = await rpc.block(typeof at === 'number' ? at : { hash: `0x${at.hash}` })
    return block && { ...block, hash: plain(block.hash), parent: plain(block.parent) }
  }
  return {
    head: () => rpc.head(),
    final: () => rpc.head(),
    block: blockOf,
    transfers: async (contracts, where) =>
      (await rpc.transfers(contracts, 'blockHash' in where ? { blockHash: `0x${where.blockHash}` } : where)).map((transfer) => ({
        ...transfer,
        txid: plain(transfer.txid),
        blockHash: plain(transfer.blockHash),
      })),
    receipt: async (txid) => {
      const receipt = await rpc.receipt(`0x${txid}`)
      if (receipt === undefined) return undefined
      const info = checked('gettransactioninfobyid', await wallet('gettransactioninfobyid', { value: txid }), foundShape)
      if (!('id' in info)) return undefined
      if (info.id !== txid) throw new NodeFault('The node answered with another transaction than asked for')
      // JSON-RPC calls a result of "default" a success, too.
      const isSuccess = receipt.isSuccess && info.receipt?.result === 'SUCCESS' && info.blockNumber === receipt.block
      return { isSuccess, block: receipt.block, blockHash: plain(receipt.blockHash) }
    },
    balance: (address, contract) => rpc.balance(address, contract),
    sent: async () => undefined,
    isFrozen: (address, contract) => rpc.isFrozen(address, contract),
    audit: async (number) => {
      const block = await blockOf(number)
      if (block === undefined) throw new NodeFault(`The node does not have block ${number}`)
      const answer = await wallet('gettransactioninfobyblocknum', { num: number })
      return checked('gettransactioninfobyblocknum', answer, z.array(infoShape)).flatMap((info) => transfersOf(info, block))
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

const plain = (hash: string): string => hash.slice(2)
