import { getAddress } from 'viem'
import type { AuditedReader } from '../ports.ts'
import { ChainRpc } from '../rpc/chain-rpc.ts'
import { JsonRpc, NodeFault } from '../rpc/json-rpc.ts'

const form = { write: (bytes: string) => getAddress(bytes), read: (address: string) => getAddress(address).toLowerCase() }

export type EvmReaderOptions = { readonly node: string; readonly chainId: number }

/** Reads a node of Ethereum or a chain like it. Addresses have a checksum (EIP-55). */
export function evmReader({ node, chainId }: EvmReaderOptions): AuditedReader {
  const rpc = new ChainRpc(new JsonRpc(node), chainId, form)
  return {
    head: () => rpc.head(),
    final: async () => {
      const block = await rpc.block('finalized')
      if (block === undefined) throw new NodeFault('The node knows no final block')
      return block.number
    },
    block: (at) => rpc.block(at),
    transfers: (contracts, where) => rpc.transfers(contracts, where),
    receipt: (txid) => rpc.receipt(txid),
    balance: (address, contract, at) => rpc.balance(address, contract, at),
    sent: (address, at) => rpc.sent(address, at),
    isFrozen: (address, contract) => rpc.isFrozen(address, contract),
    audit: (block) => rpc.audit(block),
  }
}
