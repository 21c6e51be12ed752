/** Tells the signer that books and chains match, or that they do not. */
import type pg from 'pg'
import type { Clock } from '../../ports.ts'
import type { DigestSigner } from '../keys.ts'
import type { SignerLink } from '../signer/connect.ts'
import { type Reason, SignerRefused } from '../signer/reasons.ts'
import type { Status } from '../signer/wire.ts'
import { heartbeatDigest } from '../signer/statement.ts'

/** A link to the signer that is opened when it is needed. */
export type SignerDoor = { through<Result>(ask: (link: SignerLink) => Promise<Result>): Promise<Result> }

export type HeartbeatOptions = {
  readonly pool: pg.Pool
  readonly signer: SignerDoor
  /** Signs for the reconciliation. */
  readonly sign: DigestSigner
  readonly clock: Clock
}

type Line = { readonly seq: number; readonly head: string }

export class Heartbeat {
  readonly #options: HeartbeatOptions
  #last = 0

  constructor(options: HeartbeatOptions) {
    this.#options = options
  }

  /**
   * Names the newest line of the signer's journal that was ever seen. A signer with an older copy of its journal does not have it, and
   * refuses.
   *
   * returns  the signer's refusal
   * throws   PayoutWaits when it does not answer
   */
  async beat(isMatch: boolean): Promise<Reason | undefined> {
    const { signer, sign, clock } = this.#options
    const status = (): Promise<Status> => signer.through((link) => link.status())
    // A link from before the signer's restart is opened anew.
    const now = await status().catch(status)
    const seen = (await this.#seen()) ?? now
    this.#last = Math.max(clock(), this.#last + 1)
    const heartbeat = { at: this.#last, isMatch, seq: seen.seq, head: seen.head }
    const refusal = await refusalOf(signer.through((link) => link.beat({ heartbeat, signature: sign(heartbeatDigest(heartbeat)) })))
    if (refusal === undefined) await this.#remember(now)
    await this.#note(isMatch, refusal)
    return refusal
  }

  async #seen(): Promise<Line | undefined> {
    const { rows } = await this.#options.pool.query<Line>('select seq, head from treasury_signer')
    return rows[0]
  }

  async #remember({ seq, head }: Line): Promise<void> {
    const { pool, clock } = this.#options
    await pool.query(
      `insert into treasury_signer (seq, head, seen_at) values ($1, $2, $3)
       on conflict (id) do update set seq = excluded.seq, head = excluded.head, seen_at = excluded.seen_at where excluded.seq >= treasury_signer.seq`,
      [seq, head, clock()],
    )
  }

  async #note(isMatch: boolean, refusal: Reason | undefined): Promise<void> {
    await this.#options.pool.query(
      `insert into treasury_beats (at, is_match, refusal) values ($1, $2, $3)
       on conflict (id) do update set at = excluded.at, is_match = excluded.is_match, refusal = excluded.refusal`,
      [this.#last, isMatch, refusal ?? null],
    )
  }
}

async function refusalOf(asked: Promise<unknown>): Promise<Reason | undefined> {
  try {
    await asked
    return undefined
  } catch (cause) {
    if (cause instanceof SignerRefused) return cause.reason
    throw cause
  }
}
