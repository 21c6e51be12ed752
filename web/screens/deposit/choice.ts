import type { WireChainNetwork, WireChains } from '@candor/core/protocol/wire/chains.ts'

/** A coin that can be deposited, and the networks on which it can be. */
export type Depositable = { readonly asset: string; readonly networks: readonly WireChainNetwork[] }

/** In the order of the networks' lists. */
export function depositable({ networks }: WireChains): readonly Depositable[] {
  const assets = networks.flatMap(({ coins }) => coins.filter(({ depositMin }) => depositMin !== null).map(({ asset }) => asset))
  return [...new Set(assets)].map((asset) => ({ asset, networks: networks.filter((network) => minOf(network, asset) !== undefined) }))
}

/** Smallest deposit of a coin on a network; undefined if it can't be deposited there. */
export function minOf({ coins }: WireChainNetwork, asset: string): string | undefined {
  return coins.find((coin) => coin.asset === asset)?.depositMin ?? undefined
}

/** The wanted coin and network, or the nearest that exist. Undefined: nothing can be deposited. */
export function chosen(
  list: readonly Depositable[],
  wanted: { readonly asset: string | undefined; readonly network: string | undefined },
): { readonly asset: string; readonly network: WireChainNetwork } | undefined {
  const coin = list.find(({ asset }) => asset === wanted.asset) ?? list[0]
  const network = coin?.networks.find(({ name }) => name === wanted.network) ?? coin?.networks[0]
  return coin && network && { asset: coin.asset, network }
}
