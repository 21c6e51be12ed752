import type { Asset } from '@candor/core/protocol/market.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { AssetSum } from '@candor/core/protocol/port.ts'
import type { WireAmount } from '@candor/core/protocol/wire/chains.ts'
import type { ChainsConfig } from '../../chains/config.ts'
import { DepositDesk } from '../../chains/desk/deposit-desk.ts'
import type { Context } from '../../live/context.ts'
import { amountText } from '../../live/listing.ts'

/** How the routes reach the chains. */
export type ChainsDoor = {
  /** Undefined: no coins come or go. */
  readonly config: ChainsConfig | undefined
  /** Signs, for customers without a passkey, that their other factors were checked. Returns hex. */
  readonly attest: ((digest: Buffer) => string) | undefined
  /** Tells the process of chains that somebody waits for an address. */
  readonly poke: () => void
  readonly onFault: (cause: unknown) => void
}

export function depositDesk(context: Context, { config, poke, onFault }: ChainsDoor): DepositDesk {
  return new DepositDesk({
    ...{ pool: context.pool, config, poke, onFault },
    debtsOf: async (user) => sumsOf(context, (await context.ask.chainStanding(user as UserId)).debts),
  })
}

/** Sums as text. */
export function sumsOf({ listing }: Pick<Context, 'listing'>, sums: readonly AssetSum[]): readonly WireAmount[] {
  return sums.map(({ asset, amount }) => {
    const coin = listing.asset(asset)
    return { asset: coin.symbol, amount: amountText(coin, amount) }
  })
}

/** The listed asset of this code, if there is one. */
export function assetNamed({ listing }: Pick<Context, 'listing'>, symbol: string): Asset | undefined {
  return listing.assets.find((one) => one.symbol === symbol)
}
