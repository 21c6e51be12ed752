import type { Units } from '@candor/core/money/brand.ts'
import type { AssetId, CreditNumber, NetworkNumber, UserId } from '@candor/core/protocol/ids.ts'
import type pg from 'pg'
import type { Clock } from '../../ports.ts'
import { inTransaction } from '../../store/transaction.ts'
import type { DepositCommand, SubmitDeposit } from './commands.ts'
import type { PostingRow } from './tables.ts'

export type PosterOptions = {
  readonly pool: pg.Pool
  readonly submit: SubmitDeposit
  /** Numbers of the core. throws  Error for an unknown network or asset */
  readonly networkOf: (network: string) => NetworkNumber
  readonly assetOf: (symbol: string) => AssetId
  readonly clock: Clock
  readonly log: (line: { readonly message: string; readonly cause?: unknown }) => void
}

/** Commands in flight at a time: they share the batches of the journal. */
const atOnce = 64

/**
 * Tells the core what the deposits' transactions wrote for it, in that order, until it is durable there. After a stop it begins with
 * what was not answered: the core carries each number out once.
 */
export class Poster {
  readonly #options: PosterOptions

  constructor(options: PosterOptions) {
    this.#options = options
  }

  /** Sends all that waits. throws  the fault of the first command that was not taken or whose result is unknown */
  async turn(): Promise<void> {
    for (;;) {
      const { rows } = await this.#options.pool.query<PostingRow>(
        `select id, network, kind, credit, deposit, user_no, asset, amount, is_final from deposit_postings where done_at is null
         order by id limit ${atOnce}`,
      )
      if (rows.length === 0) return
      await this.#send(untilRepeat(rows))
    }
  }

  async #send(postings: readonly PostingRow[]): Promise<void> {
    const outcomes = await Promise.allSettled(postings.map((posting) => this.#options.submit(this.#commandOf(posting))))
    const fault = outcomes.find((outcome) => outcome.status === 'rejected')
    await this.#done(
      outcomes.flatMap((outcome, place) =>
        outcome.status === 'fulfilled' ? [{ ...postings[place]!, refusal: outcome.value.refusal ?? null }] : [],
      ),
    )
    if (fault) throw fault.reason
  }

  #commandOf({ kind, credit, user_no, asset, network, amount, is_final }: PostingRow): DepositCommand {
    const { assetOf, networkOf } = this.#options
    const about = { credit: credit as CreditNumber, network: networkOf(network) }
    if (kind !== 'credit') return { type: `chain.${kind}`, ...about }
    return { type: 'chain.credit', ...about, user: user_no as UserId, asset: assetOf(asset), amount: amount as Units, isFinal: is_final }
  }

  async #done(answered: readonly (PostingRow & { readonly refusal: string | null })[]): Promise<void> {
    if (answered.length === 0) return
    const { pool, clock, log } = this.#options
    for (const { kind, deposit, refusal } of answered)
      if (refusal !== null) log({ message: `The core refused ${kind} of deposit ${deposit}: ${refusal}` })
    const credits = answered.filter(({ kind }) => kind === 'credit')
    await inTransaction(pool, async (client) => {
      await client.query(
        `update deposit_postings p set done_at = $1::bigint, refusal = f.refusal from unnest($2::bigint[], $3::text[]) as f (id, refusal)
         where p.id = f.id`,
        [clock(), answered.map(({ id }) => id), answered.map(({ refusal }) => refusal)],
      )
      await client.query(
        `update deposits d set
           credited_at = case when f.refusal is null then $1::bigint end,
           state = case when f.refusal is null then d.state else 'held' end,
           why = case when f.refusal is null then d.why else 'core: ' || f.refusal end,
           credit = case when f.refusal is null then d.credit end,
           amount = case when f.refusal is null then d.amount end,
           rest = case when f.refusal is null then d.rest else 0 end,
           final_at = case when f.refusal is null then d.final_at end
         from unnest($2::bigint[], $3::bigint[], $4::text[]) as f (deposit, credit, refusal)
         where d.id = f.deposit and d.credit = f.credit`,
        [...[clock(), credits.map(({ deposit }) => deposit), credits.map(({ credit }) => credit)], credits.map(({ refusal }) => refusal)],
      )
    })
  }
}

/** The first postings, up to one about a number that occurs already: that one is sent after the answer to the first. */
function untilRepeat(postings: readonly PostingRow[]): readonly PostingRow[] {
  const credits = new Set<number>()
  const end = postings.findIndex(({ credit }) => credits.size === credits.add(credit).size)
  return end < 0 ? postings : postings.slice(0, end)
}
