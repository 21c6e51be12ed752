import type pg from 'pg'
import type { Clock } from '../../ports.ts'
import type { LastingLink } from '../payout/link.ts'
import { type Reason, SignerRefused } from '../signer/reasons.ts'

type KeyRow = {
  readonly user_no: number
  readonly id: string
  readonly what: 'add' | 'remove'
  readonly public_key: string
  readonly engine: string
}

/** Refusals that say nothing about the passkey: the signer is told again. */
const passing: readonly Reason[] = ['BUSY', 'HALTED', 'CLOCK_BACK', 'JOURNAL_FAILED', 'FAULT']

/** Tells the signer of customers' passkeys, in the order in which the engine signed for them. */
export class Keyring {
  readonly #pool: pg.Pool
  readonly #signer: Pick<LastingLink, 'addKey' | 'removeKey'>
  readonly #clock: Clock

  constructor(pool: pg.Pool, signer: Pick<LastingLink, 'addKey' | 'removeKey'>, clock: Clock) {
    this.#pool = pool
    this.#signer = signer
    this.#clock = clock
  }

  /** throws  PayoutWaits or SignerRefused when the signer can't say now: the next turn tells it again */
  async turn(): Promise<void> {
    const { rows } = await this.#pool.query<KeyRow>(
      `select user_no, id, what, public_key, engine from signer_keys where told_at is null order by signed_at, what limit 100`,
    )
    for (const row of rows) {
      const refusal = await this.#tell(row)
      await this.#pool.query('update signer_keys set told_at = $3, refusal = $4 where id = $1 and what = $2', [
        ...[row.id, row.what, this.#clock(), refusal ?? null],
      ])
    }
  }

  async #tell({ user_no: user, id, what, public_key: publicKey, engine }: KeyRow): Promise<string | undefined> {
    try {
      if (what === 'add') await this.#signer.addKey({ user, id, publicKey, engine })
      else await this.#signer.removeKey({ user, id, engine })
      return undefined
    } catch (cause) {
      if (cause instanceof SignerRefused && !passing.includes(cause.reason)) return cause.reason
      throw cause
    }
  }
}
