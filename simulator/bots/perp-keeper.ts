import { ApiError } from '@candor/client/errors.ts'
import type { BotAccount } from './account.ts'
import { botLeverage, topUp } from './perp.ts'
import type { Grid } from './units.ts'

/** Prepares futures trading: margin in the account, and the settings of each market. */
export class PerpKeeper {
  readonly #notBefore = new Map<BotAccount, number>()
  readonly #everyMs = 5_000

  /** Moves USDT between the spot and futures accounts, rarely. Returns true if it did. */
  async fund(account: BotAccount, nowMs: number): Promise<boolean> {
    if (nowMs < (this.#notBefore.get(account) ?? 0)) return false
    const amount = Math.trunc(topUp(account.perpUsdt, account.total('USDT')))
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
      // The amount that quotes and positions need can't be moved.
      if (error instanceof ApiError && (error.code === 'AMOUNT_BOUND' || error.code === 'INSUFFICIENT_BALANCE')) return false
      throw error
    }
  }

  /** Sends the next command needed for the bots' settings: cross margin, then leverage. */
  async settle(account: BotAccount, { symbol, leverageMax }: Grid): Promise<void> {
    const { perp } = account.client
    if (account.setting(symbol)?.mode !== 'cross') account.learn(await perp.setMarginMode({ symbol, mode: 'cross' }))
    else account.learn(await perp.setLeverage({ symbol, leverage: Math.min(botLeverage, leverageMax) }))
  }
}
