import { getAddress } from 'viem'
import type { AuditedReader, Block, TokenTransfer } from '../ports.ts'
import { byLogsOr, ChainRpc, type Log, ofBlocks, onlyOf, type Where, withCoins } from '../rpc/chain-rpc.ts'
import { JsonRpc, NodeFault } from '../rpc/json-rpc.ts'
import { coinFlushed, type Factory } from './flushed.ts'

const none: Promise<readonly []> = Promise.resolve([])
const form = { write: (bytes: string) => getAddress(bytes), read: (address: string) => getAddress(address).toLowerCase() }

export type EvmReaderOptions = {
  readonly node: string
  readonly chainId: number
  /** Whether transfers of the native coin are read, too. */
  readonly hasCoin?: boolean
  /** With it, what its forwarders send of the native coin is read, too. */
  readonly factory?: Factory
}

/** Reads a node of Ethereum or a chain like it. Addresses have a checksum (EIP-55). */
export function evmReader({ node, chainId, hasCoin = false, factory }: EvmReaderOptions): AuditedReader {
  const flushed = factory === undefined ? undefined : (log: Log) => coinFlushed(log, chainId, factory)
  const rpc = new ChainRpc(new JsonRpc(node), chainId, form, flushed)
  const each = (where: Where, read: (block: Block) => Promise<readonly TokenTransfer[]>) => ofBlocks((at) => rpc.block(at), where, read)
  const coins = (where: Where) => each(where, (block) => rpc.coins(block))
  const results = (where: Where) => each(where, ({ number, hash }) => rpc.audit(number, hash))
  const tokens: AuditedReader['transfers'] = (contracts, where) =>
    byLogsOr(
      where,
      () => rpc.transfers(contracts, where),
      async () => onlyOf(await results(where), contracts),
    )
  return {
    head: () => rpc.head(),
    final: async () => {
      const block = await rpc.block('finalized')
      if (block === undefined) throw new NodeFault('The node knows no final block')
      return block.number
    },
    block: (at) => rpc.block(at),
    transfers: (contracts, where) =>
      withCoins(
        contracts,
        () => tokens(contracts, where),
        () => (hasCoin ? coins(where) : none),
      ),
    receipt: (txid) => rpc.receipt(txid),
    balance: (address, contract, at) => rpc.balance(address, contract, at),
    sent: (address, at) => rpc.sent(address, at),
    isFrozen: (address, contract) => rpc.isFrozen(address, contract),
    audit: async (block) => [...(await rpc.audit(block)), ...(hasCoin ? await coins({ from: block, to: block }) : [])],
  }
}
