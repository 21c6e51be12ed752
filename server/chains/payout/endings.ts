/** Withdrawals that two members ended before a payout began. The signer promises first never to sign for them; then the core is told. */
import type pg from 'pg'
import type { Clock } from '../../ports.ts'
import type { SignerLink } from '../signer/connect.ts'
import { SignerRefused } from '../signer/reasons.ts'
import type { Ending } from '../signer/statement.ts'

/** The engine's word for the signer that a withdrawal fails. */
export type SignedEnding = { readonly ending: Ending; readonly engine: string }

/** A row of `payout_endings` as the signer wants to see it. */
export const signedEnding = (e: string): string => `jsonb_build_object('engine', ${e}.engine, 'ending',
  jsonb_strip_nulls(jsonb_build_object('withdrawal', ${e}.withdrawal, 'user', ${e}.user_no, 'clientId', ${e}.client_id)))`

export type EndingsOptions = {
  readonly pool: pg.Pool
  readonly signer: Pick<SignerLink, 'end'>
  /** Tells the core what became of a withdrawal. Telling it twice changes nothing. */
  readonly finish: (withdrawal: number, isPaid: boolean) => Promise<void>
  readonly clock: Clock
  readonly log: (line: { readonly message: string; readonly cause?: unknown }) => void
  readonly onStep?: (step: 'promised' | 'finished', withdrawal: number) => void | Promise<void>
}

export class Endings {
  readonly #options: EndingsOptions
  /** Refusals of the signer, each of which is told once. */
  readonly #told = new Set<number>()

  constructor(options: EndingsOptions) {
    this.#options = options
  }

  /** throws  Error when the signer or the core does not answer: the next turn goes on */
  async turn(): Promise<void> {
    const { rows } = await this.#options.pool.query<SignedEnding>(
      `select e.engine, ${signedEnding('e')} -> 'ending' as ending from payout_endings e
       where e.done_at is null and not exists (select from payouts p where p.withdrawal = e.withdrawal) order by e.withdrawal limit 100`,
    )
    for (const row of rows) await this.#end(row)
  }

  /** A payout that begins meanwhile finds that the signer refuses it, and ends by itself: the core may hear it twice. */
  async #end({ ending, engine }: SignedEnding): Promise<void> {
    const { pool, finish, clock, onStep } = this.#options
    const { withdrawal } = ending
    if (!(await this.#isPromised({ ending, engine }))) return
    await onStep?.('promised', withdrawal)
    await finish(withdrawal, false)
    await onStep?.('finished', withdrawal)
    await pool.query('update payout_endings set done_at = $2 where withdrawal = $1', [withdrawal, clock()])
  }

  async #isPromised({ ending, engine }: SignedEnding): Promise<boolean> {
    const { signer, log } = this.#options
    try {
      await signer.end({ ending, engine })
      return true
    } catch (cause) {
      if (!(cause instanceof SignerRefused)) throw cause
      if (!this.#told.has(ending.withdrawal)) log({ message: `The signer does not end withdrawal ${ending.withdrawal}`, cause })
      this.#told.add(ending.withdrawal)
      return false
    }
  }
}
