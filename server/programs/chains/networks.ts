import type { Asset } from '@candor/core/protocol/market.ts'
import type { ChainsConfig, NetworkConfig, TokenConfig } from '../../chains/config.ts'
import type { NetworkKind } from '../../chains/ports.ts'
import { Refused } from '../../refused.ts'

/** Networks by the words that programs know; others by their own names in capitals. */
const words: Readonly<Record<string, string>> = { TRC20: 'TRX', ERC20: 'ETH', BEP20: 'BSC' }

export const wordOf = ({ label, name }: Pick<NetworkConfig, 'label' | 'name'>): string => words[label] ?? name.toUpperCase()

export type Placed = { readonly network: NetworkConfig; readonly token: TokenConfig }

/** The networks of a coin. The first is the one for requests that name none. */
export function placesOf(config: ChainsConfig | undefined, { symbol }: Asset): readonly Placed[] {
  return (config?.networks ?? []).flatMap((network) => {
    const token = network.tokens.find(({ asset }) => asset === symbol)
    return token === undefined ? [] : [{ network, token }]
  })
}

/** throws  Refused NETWORK_UNKNOWN when the coin is not on the network, or on none */
export function placeOf(config: ChainsConfig | undefined, asset: Asset, word: string | undefined): Placed {
  const places = placesOf(config, asset)
  const place = word === undefined ? places[0] : places.find(({ network }) => wordOf(network) === word)
  if (place === undefined) throw new Refused('NETWORK_UNKNOWN', { field: 'network' })
  return place
}

/** The network by its own name, as programs know it. */
export function wordNamed(config: ChainsConfig | undefined, name: string): string {
  const network = config?.networks.find((one) => one.name === name)
  return network === undefined ? '' : wordOf(network)
}

/** How addresses look. */
export const addressPatterns: Readonly<Record<NetworkKind, string>> = {
  evm: '^(0x)[0-9A-Fa-f]{40}$',
  tron: '^T[1-9A-HJ-NP-Za-km-z]{33}$',
}

/** The explorer's page of an address without the address; empty without an explorer. */
export function addressPages({ explorer }: Pick<NetworkConfig, 'explorer'>): string {
  return explorer === undefined ? '' : explorer.replace(/(tx|transaction)\/\{txid\}.*$/, 'address/').replace(/\{txid\}.*$/, '')
}
