import { ApiError } from '@candor/client/errors.ts'
import type { BotAccount } from './account.ts'

/** Tops up an account from the sandbox's faucet, slowly, and never before the time that the faucet named. */
export class FaucetKeeper {
  readonly #notBefore = new Map<string, number>()
  readonly #everyMs = 2_000

  /** Returns true if the faucet paid. A refusal is not an error: the bots then quote with the funds they have. */
  async fill(account: BotAccount, name: string, asset: string, nowMs: number): Promise<boolean> {
    const key = `${name} ${asset}`
    if (nowMs < (this.#notBefore.get(key) ?? 0)) return false
    this.#notBefore.set(key, nowMs + this.#everyMs)
    try {
      await account.client.funds.faucet({ clientId: account.nextClientId(), asset })
      return true
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.code !== 'FAUCET_LIMIT' && error.code !== 'SANDBOX_ONLY' && error.code !== 'ASSET_UNKNOWN') throw error
      this.#notBefore.set(key, nowMs + (error.retryAfter ?? 3_600) * 1_000)
      return false
    }
  }
}
