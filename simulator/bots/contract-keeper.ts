import { ApiError } from '@candor/client/errors.ts'
import type { BotAccount } from './account.ts'
import { botLeverage, topUp } from './contracts.ts'
import type { Grid } from './units.ts'

/** Provides what contracts need besides orders: margin in the account, and each market's settings. */
export class ContractKeeper {
  readonly #notBefore = new Map<BotAccount, number>()
  readonly #everyMs = 5_000

  /** Moves USDT between spot and contracts, rarely. Returns true when it did. */
  async fund(account: BotAccount, nowMs: number): Promise<boolean> {
    if (nowMs < (this.#notBefore.get(account) ?? 0)) return false
    const amount = Math.trunc(topUp(account.contractUsdt, account.total('USDT')))
    if (amount === 0) return false
    this.#notBefore.set(account, nowMs + this.#everyMs)
    const [from, to] = amount > 0 ? (['spot', 'perp'] as const) : (['perp', 'spot'] as const)
    try {
      await account.client.funds.transfer({
        clientId: account.nextClientId(),
        asset: 'USDT',
        from,
        to,
        amount: String(Math.abs(amount)),
      })
      return true
    } catch (error) {
      // What quotes and positions need stays in place.
      if (error instanceof ApiError && (error.code === 'AMOUNT_BOUND' || error.code === 'INSUFFICIENT_BALANCE')) return false
      throw error
    }
  }

  /** Sends one command towards the bots' settings: cross margin, and their leverage. */
  async settle(account: BotAccount, { symbol, leverageMax }: Grid): Promise<void> {
    const { perp } = account.client
    if (account.setting(symbol)?.mode !== 'cross') account.learn(await perp.setMarginMode({ symbol, mode: 'cross' }))
    else account.learn(await perp.setLeverage({ symbol, leverage: Math.min(botLeverage, leverageMax) }))
  }
}
