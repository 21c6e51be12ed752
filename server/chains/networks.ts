import type { WireNetwork } from '@candor/core/protocol/wire/chains.ts'
import type { Network } from './ports.ts'

/** A network without the nodes by which it is reached. */
export type NetworkTerms = Omit<Network, 'nodes'>

/** The networks of a new exchange, in the order in which customers see them. */
export const defaultNetworks: readonly NetworkTerms[] = [
  {
    ...{ name: 'tron', number: 2, kind: 'tron', label: 'TRC20', chainId: 728_126_428, confirmations: 0 },
    tokens: [
      { asset: 'USDT', contract: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', decimals: 6 },
      { asset: 'TRX', decimals: 6 },
    ],
  },
  {
    ...{ name: 'ethereum', number: 1, kind: 'evm', label: 'ERC20', chainId: 1, confirmations: 12 },
    tokens: [
      { asset: 'USDT', contract: '0xdAC17F958D2ee523a2206206994597C13D831ec7', decimals: 6 },
      { asset: 'ETH', decimals: 18 },
    ],
  },
]

export function wireNetwork({ name, label, kind }: NetworkTerms): WireNetwork {
  return { name, label, kind }
}
