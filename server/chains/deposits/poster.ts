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
    for (const [place, outcome] of outcomes.entries())
      if (outcome.status === 'fulfilled') await this.#done(postings[place]!, outcome.value.refusal)
    if (fault) throw fault.reason
  }

  #commandOf({ kind, credit, user_no, asset, network, amount, is_final }: PostingRow): DepositCommand {
    const { assetOf, networkOf } = this.#options
    const about = { credit: credit as CreditNumber, network: networkOf(network) }
    if (kind !== 'credit') return { type: `chain.${kind}`, ...about }
    return { type: 'chain.credit', ...about, user: user_no as UserId, asset: assetOf(asset), amount: amount as Units, isFinal: is_final }
  }

  async #done({ id, kind, credit, deposit }: PostingRow, refusal: string | undefined): Promise<void> {
    const { pool, clock, log } = this.#options
    if (refusal !== undefined) log({ message: `The core refused ${kind} of deposit ${deposit}: ${refusal}` })
    await inTransaction(pool, async (client) => {
      await client.query('update deposit_postings set done_at = $2, refusal = $3 where id = $1', [id, clock(), refusal ?? null])
      if (kind !== 'credit') return
      if (refusal === undefined)
        await client.query('update deposits set credited_at = $2 where id = $1 and credit = $3', [deposit, clock(), credit])
      else
        await client.query(
          `update deposits set state = 'held', why = $2, credit = null, amount = null, rest = 0, final_at = null where id = $1 and credit = $3`,
          [deposit, `core: ${refusal}`, credit],
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
