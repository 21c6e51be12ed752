import type { NetworkNumber } from '@candor/core/protocol/ids.ts'
import type { Asset } from '@candor/core/protocol/market.ts'
import type { NetworkConfig } from '../chains/config.ts'
import { Refused } from '../refused.ts'

/** A network on which customers withdraw. `label`: what they call it. `assets`: symbols of its tokens. */
export type PayingNetwork = { readonly number: NetworkNumber; readonly label: string; readonly assets: readonly string[] }

export function payingNetwork({ number, label, tokens }: NetworkConfig): PayingNetwork {
  return { number: number as NetworkNumber, label, assets: tokens.map(({ asset }) => asset) }
}

export type WithdrawalPlace = { readonly asset: Asset; readonly network: NetworkNumber }

/** What terms of withdrawals are about, such as `USDT:TRC20`: each token of each network whose asset the exchange lists. */
export function subjectsOf(networks: readonly PayingNetwork[], assets: readonly Asset[]): readonly string[] {
  return networks.flatMap(({ label, assets: tokens }) =>
    tokens.filter((token) => assets.some(({ symbol }) => symbol === token)).map((token) => `${token}:${label}`),
  )
}

/** Asset and network of a subject. throws  Refused FIELD_INVALID */
export function placeOf(subject: string, networks: readonly PayingNetwork[], assets: readonly Asset[]): WithdrawalPlace {
  const [symbol, label] = subject.split(':')
  const asset = assets.find((one) => one.symbol === symbol)
  const network = networks.find((one) => one.label === label)
  if (asset === undefined || network === undefined || !network.assets.includes(asset.symbol) || subject !== `${symbol}:${label}`)
    throw new Refused('FIELD_INVALID', { field: 'subject' })
  return { asset, network: network.number }
}
