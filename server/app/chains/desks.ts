import type { Units } from '@candor/core/money/brand.ts'
import type { Asset } from '@candor/core/protocol/market.ts'
import { movementsFrom, type UserId } from '@candor/core/protocol/ids.ts'
import type { AssetSum } from '@candor/core/protocol/port.ts'
import type { WireAmount } from '@candor/core/protocol/wire/chains.ts'
import type { AddressBook } from '../../chains/book/book.ts'
import type { ChainsConfig } from '../../chains/config.ts'
import { DepositDesk } from '../../chains/desk/deposit-desk.ts'
import { WithdrawDesk } from '../../chains/desk/withdraw-desk.ts'
import type { Identity } from '../../identity/identity.ts'
import { type Context, execute } from '../../live/context.ts'
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

export type WithdrawRooms = {
  readonly book: AddressBook
  readonly identity: Pick<Identity, 'factors' | 'paymentPasswords' | 'keys'>
}

/** Undefined: the exchange has no chains, or nothing that vouches for customers. */
export function withdrawDesk(
  context: Context,
  { config, attest }: ChainsDoor,
  { book, identity }: WithdrawRooms,
): WithdrawDesk | undefined {
  if (config === undefined || attest === undefined) return undefined
  return new WithdrawDesk({
    ...{ pool: context.pool, config, book, factors: identity.factors, payments: identity.paymentPasswords, keys: identity.keys, attest },
    terms: () => context.ask.withdrawTerms(),
    async available(user, { asset }) {
      const balances = await context.ask.balances(user)
      const own = balances.find(({ account }) => 'user' in account && account.kind === 'spot' && account.asset === asset.id)
      return own?.available ?? (0 as Units)
    },
    submit: async (command) => (await execute(context, command.user, command)).order - movementsFrom,
    assetNamed: (symbol) => assetNamed(context, symbol),
  })
}
