import type { Units } from '@candor/core/money/brand.ts'
import type { AssetId } from '@candor/core/protocol/ids.ts'
import { type ChainToken, nativeContract, type Network } from '../ports.ts'

/** How deposits of an asset are credited on a network. */
export type AssetTerms = {
  readonly asset: AssetId
  /** Digits of the asset in the core. */
  readonly scale: number
  /** Smaller deposits wait until several of them reach it together. */
  readonly min: Units
  /** A deposit above it is credited only if a second node tells the same. Absent: never needed. */
  readonly agreeAbove?: Units
}

/** A token of a network as deposits see it. */
export type DepositToken = AssetTerms & {
  readonly symbol: string
  readonly contract: string
  /** The token's smallest units in one unit of the core. */
  readonly unit: bigint
}

/** Digits of a token on its network. */
export const digitsOf = ({ scale, unit }: Pick<DepositToken, 'scale' | 'unit'>): number => scale + String(unit).length - 1

/**
 * The tokens of a network that are credited, by contract, the native coin under `nativeContract`.
 *
 * throws  Error for a token with fewer digits than its asset: what leaves the exchange could not be sent exactly
 */
export function tokensOf(network: Network, terms: Readonly<Record<string, AssetTerms>>): ReadonlyMap<string, DepositToken> {
  const tokens = new Map<string, DepositToken>()
  for (const { asset: symbol, contract = nativeContract, decimals } of network.tokens as readonly ChainToken[]) {
    const about = terms[symbol]
    if (about === undefined) continue
    if (decimals < about.scale)
      throw new Error(`${symbol} has ${decimals} digits on ${network.name}, fewer than the ${about.scale} of the exchange`)
    tokens.set(contract, { ...about, symbol, contract, unit: 10n ** BigInt(decimals - about.scale) })
  }
  return tokens
}
