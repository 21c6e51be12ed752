/** The nodes of a configured network: as readers, and as TRON's for payments. */
import type { NetworkConfig } from './config.ts'
import { evmReader } from './evm/reader.ts'
import { TronNode } from './payout/tron/node.ts'
import type { AuditedReader } from './ports.ts'
import { tronReader } from './tron/reader.ts'

export type Nodes = Pick<NetworkConfig, 'kind' | 'chainId' | 'nodes'>

/** In the order of the configuration. The file of networks has a `solidUrl` for each node of TRON. */
export function readersOf(network: Nodes & Pick<NetworkConfig, 'tokens' | 'deposits' | 'sink'>): readonly AuditedReader[] {
  const { kind, chainId, nodes, tokens, deposits, sink } = network
  const hasCoin = tokens.some(({ contract }) => contract === undefined)
  const factory = hasCoin && 'factory' in deposits ? { factory: { address: deposits.factory, sink } } : {}
  return nodes.map(({ url, solidUrl }) =>
    kind === 'tron' ? tronReader({ node: solidUrl!, chainId, hasCoin }) : evmReader({ node: url, chainId, hasCoin, ...factory }),
  )
}

export function tronNodesOf({ chainId, nodes }: Omit<Nodes, 'kind'>): readonly TronNode[] {
  return nodes.map(({ url, solidUrl }) => new TronNode({ url, solidUrl: solidUrl! }, chainId))
}
