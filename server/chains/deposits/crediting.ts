import type pg from 'pg'
import type { Clock } from '../../ports.ts'
import { inTransaction } from '../../store/transaction.ts'
import type { Receipt } from '../ports.ts'
import type { Cursor } from '../scan/cursors.ts'
import type { Checks, Verdict } from './checks.ts'
import { CreditBatch, lockRows } from './credit-batch.ts'
import { lockPostings, writePostings } from './postings.ts'
import type { DepositRow } from './tables.ts'
import type { DepositToken } from './terms.ts'

export type CreditingOptions = {
  readonly pool: pg.Pool
  readonly network: string
  /** What customers call it. Default: its name. */
  readonly label?: string
  /** Blocks, that of the deposit included, after which it is credited; 0: when it is final. */
  readonly confirmations: number
  readonly tokens: ReadonlyMap<string, DepositToken>
  readonly checks: Checks
  readonly clock: Clock
  readonly log: (line: { readonly message: string; readonly cause?: unknown }) => void
}

const batch = 200
/** Deposits that are asked about at the same time. */
const checksAtOnce = 16

type Due = DepositRow & { readonly is_final: boolean }
type Checked = { readonly deposit: DepositRow; readonly verdict: Verdict }

/** Moves deposits on that are deep enough: allots their numbers and writes what the core is told. */
export class Crediting {
  readonly #options: CreditingOptions

  constructor(options: CreditingOptions) {
    this.#options = options
  }

  /** Credits what is deep enough, and marks what became final. */
  async turn(): Promise<void> {
    for (let after = 0; ; ) {
      const due = await this.#due(after)
      if (due.length === 0) break
      after = due.at(-1)!.id
      await this.#decide(await this.#check(due))
    }
    await this.#finish()
  }

  async #due(after: number): Promise<readonly Due[]> {
    const { pool, network, confirmations } = this.#options
    const { rows } = await pool.query<Due>(
      `select d.*, d.block_number <= c.final as is_final from deposits d join chain_cursors c on c.network = d.network
       where d.network = $1 and d.state = 'confirming' and d.id > $3
         and d.block_number <= case when $2 > 0 then greatest(c.final, c.block - $2 + 1) else c.final end
       order by d.id limit ${batch}`,
      [network, confirmations, after],
    )
    return rows
  }

  async #check(due: readonly Due[]): Promise<readonly Checked[]> {
    const checked: Checked[] = []
    const receipts = await this.#options.checks.receipts(due)
    for (let from = 0; from < due.length; from += checksAtOnce)
      checked.push(...(await Promise.all(due.slice(from, from + checksAtOnce).map((deposit) => this.#checkOne(deposit, receipts)))))
    return checked
  }

  async #checkOne(deposit: Due, receipts: ReadonlyMap<string, Receipt>): Promise<Checked> {
    const { tokens, checks, log } = this.#options
    const token = tokens.get(deposit.contract)
    if (token === undefined) return { deposit, verdict: { kind: 'held', why: 'unlisted' } }
    const verdict = await checks.verdict(deposit, token, deposit.is_final, receipts).catch((cause: unknown): Verdict => {
      log({ message: `Deposit ${deposit.id} can't be checked now, trying again`, cause })
      return { kind: 'wait' }
    })
    if (verdict.kind === 'held' || verdict.kind === 'failed') log({ message: `Deposit ${deposit.id} is ${verdict.kind}: ${verdict.why}` })
    return { deposit, verdict }
  }

  /** The cursor stands still meanwhile, so that no block of these vanishes between the check and the credit. */
  async #decide(checked: readonly Checked[]): Promise<void> {
    const decided = checked.filter(({ verdict }) => verdict.kind !== 'wait')
    if (decided.length === 0) return
    await inTransaction(this.#options.pool, async (client) => {
      const cursor = await this.#lock(client)
      if (cursor === undefined) return
      await lockPostings(client)
      const rows = await lockRows(client, decided)
      const verdicts = new Map(decided.map(({ deposit, verdict }) => [deposit.id, verdict]))
      const good = rows.filter(({ id }) => verdicts.get(id)?.kind === 'good')
      const { tokens, network, label = network, clock } = this.#options
      const batch = await CreditBatch.open(client, good, { tokens, label, final: cursor.final, at: clock() })
      for (const row of rows) {
        const verdict = verdicts.get(row.id)!
        if (verdict.kind === 'good') batch.credit(row)
        else if (verdict.kind !== 'wait') batch.put(row, verdict.kind, verdict.why)
      }
      await batch.write(client)
    })
  }

  /** Undefined: nothing was read yet. */
  async #lock(client: pg.PoolClient): Promise<Cursor | undefined> {
    const { rows } = await client.query<Cursor>('select block, final, audited from chain_cursors where network = $1 for share', [
      this.#options.network,
    ])
    return rows[0]
  }

  async #finish(): Promise<void> {
    const { pool, network, clock } = this.#options
    await inTransaction(pool, async (client) => {
      const final = (await this.#lock(client))?.final ?? 0
      const { rowCount } = await client.query(
        `select from deposits where network = $1 and state = 'credited' and block_number <= $2 limit 1`,
        [network, final],
      )
      if (rowCount === 0) return
      await lockPostings(client)
      const { rows } = await client.query<{ id: number }>(
        `update deposits set state = 'final', final_at = $3 where network = $1 and state = 'credited' and block_number <= $2 returning id`,
        [network, final, clock()],
      )
      await writePostings(
        client,
        'final',
        rows.map(({ id }) => id),
        { isFinal: true, at: clock() },
      )
    })
  }
}
