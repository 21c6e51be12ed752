import { getAddress } from 'viem'
import type { AuditedReader } from '../ports.ts'
import { ChainRpc, ofBlocks, type Where, withCoins } from '../rpc/chain-rpc.ts'
import { JsonRpc, NodeFault } from '../rpc/json-rpc.ts'

const none: Promise<readonly []> = Promise.resolve([])
const form = { write: (bytes: string) => getAddress(bytes), read: (address: string) => getAddress(address).toLowerCase() }

/** `hasCoin`: transfers of the native coin are read, too. */
export type EvmReaderOptions = { readonly node: string; readonly chainId: number; readonly hasCoin?: boolean }

/** Reads a node of Ethereum or a chain like it. Addresses have a checksum (EIP-55). */
export function evmReader({ node, chainId, hasCoin = false }: EvmReaderOptions): AuditedReader {
  const rpc = new ChainRpc(new JsonRpc(node), chainId, form)
  const coins = (where: Where) =>
    ofBlocks(
      (at) => rpc.block(at),
      where,
      (block) => rpc.coins(block),
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
        () => rpc.transfers(contracts, where),
        () => (hasCoin ? coins(where) : none),
      ),
    receipt: (txid) => rpc.receipt(txid),
    receipts: (block) => rpc.receipts(block),
    balance: (address, contract, at) => rpc.balance(address, contract, at),
    sent: (address, at) => rpc.sent(address, at),
    isFrozen: (address, contract) => rpc.isFrozen(address, contract),
    audit: async (block) => [...(await rpc.audit(block)), ...(hasCoin ? await coins({ from: block, to: block }) : [])],
  }
}
