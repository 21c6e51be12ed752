import { formatUnits } from '@candor/core/money/units.ts'
import type { WithdrawTerms } from '@candor/core/protocol/command/chain.ts'
import type { Asset } from '@candor/core/protocol/market.ts'
import type { WithdrawTermsRow } from '@candor/core/protocol/port.ts'
import type { WireChainNetwork, WireChains, WireNetworkCoin, WireWithdrawTerms } from '@candor/core/protocol/wire/chains.ts'
import { Refused } from '../../refused.ts'
import type { ChainsConfig, NetworkConfig, TokenConfig } from '../config.ts'
import { times } from './terms.ts'

/** A coin on a network, with what the exchange and the network know of it. */
export type ListedCoin = { readonly network: NetworkConfig; readonly token: TokenConfig; readonly asset: Asset }

/** Finds an asset by its code; undefined for one that is not listed. */
export type AssetNamed = (symbol: string) => Asset | undefined

/** The networks and coins as customers see them. `config` undefined: none are open. */
export function wireChains(config: ChainsConfig | undefined, assetNamed: AssetNamed, terms: readonly WithdrawTermsRow[]): WireChains {
  if (config === undefined) return { walletKey: null, walletKeyChanges: [], hasTestDeposits: false, networks: [] }
  return {
    walletKey: config.walletKey,
    walletKeyChanges: config.walletKeyChanges ?? [],
    hasTestDeposits: config.faucet !== undefined,
    networks: config.networks.map((network) => wireNetworkOf(network, assetNamed, terms)),
  }
}

function wireNetworkOf(network: NetworkConfig, assetNamed: AssetNamed, terms: readonly WithdrawTermsRow[]): WireChainNetwork {
  const { name, label, kind, confirmations, explorer, tokens } = network
  const { blockMs, finalMs } = times[kind]
  return {
    ...{ name, label, kind, confirmations, creditMs: confirmations === 0 ? finalMs : confirmations * blockMs, finalMs },
    explorer: explorer ?? null,
    coins: tokens.flatMap((token) => {
      const asset = assetNamed(token.asset)
      return asset === undefined ? [] : [wireCoin({ network, token, asset }, terms)]
    }),
  }
}

function wireCoin({ network, token, asset }: ListedCoin, terms: readonly WithdrawTermsRow[]): WireNetworkCoin {
  const own = terms.find((one) => one.asset === asset.id && one.network === network.number)?.terms
  return {
    asset: asset.symbol,
    ...(token.contract === undefined ? {} : { contract: token.contract }),
    depositMin: token.depositMin,
    withdrawal: own === undefined ? null : wireTerms(own, asset),
  }
}

function wireTerms({ isOpen, min, fee, autoMax, singleMax }: WithdrawTerms, { scale }: Asset): WireWithdrawTerms {
  return {
    isOpen,
    min: formatUnits(min, scale),
    fee: formatUnits(fee, scale),
    autoMax: formatUnits(autoMax, scale),
    singleMax: formatUnits(singleMax, scale),
  }
}

/**
 * The coin of this code on the network of this name.
 *
 * throws  Refused NETWORK_UNKNOWN, ASSET_UNKNOWN when the network does not have it
 */
export function coinOf(config: ChainsConfig | undefined, assetNamed: AssetNamed, name: string, symbol: string): ListedCoin {
  const network = networkOf(config, name)
  const token = network.tokens.find((one) => one.asset === symbol)
  const asset = assetNamed(symbol)
  if (token === undefined || asset === undefined) throw new Refused('ASSET_UNKNOWN', { field: 'asset' })
  return { network, token, asset }
}

/** throws  Refused NETWORK_UNKNOWN */
export function networkOf(config: ChainsConfig | undefined, name: string): NetworkConfig {
  const network = config?.networks.find((one) => one.name === name)
  if (network === undefined) throw new Refused('NETWORK_UNKNOWN', { field: 'network' })
  return network
}
