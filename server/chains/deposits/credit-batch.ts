import type pg from 'pg'
import { nextCredit, writeCredits } from './postings.ts'
import type { DepositRow, DepositState } from './tables.ts'
import { tellOfSmall, type Waiting } from './small-notices.ts'
import type { DepositToken } from './terms.ts'

type Seen = { readonly deposit: Pick<DepositRow, 'id' | 'block_hash'> }

/** Those that are as they were when they were looked at, locked, oldest first. */
export async function lockRows(client: pg.PoolClient, seen: readonly Seen[]): Promise<readonly DepositRow[]> {
  const { rows } = await client.query<DepositRow>(
    `select d.* from deposits d join unnest($1::bigint[], $2::text[]) as f (id, hash) on f.id = d.id and f.hash = d.block_hash
     where d.state = 'confirming' order by d.id for update of d`,
    [seen.map(({ deposit }) => deposit.id), seen.map(({ deposit }) => deposit.block_hash)],
  )
  return rows
}

/** What a customer has of an asset below what is credited. `rest`: of credited deposits, in the token's unit. */
type Purse = { small: DepositRow[]; rest: bigint }

type Change = {
  readonly id: number
  readonly state: DepositState
  readonly why: string | null
  readonly amount: bigint | null
  readonly rest: bigint
  readonly credit: number | null
  readonly finalAt: number | null
}

type Options = {
  readonly tokens: ReadonlyMap<string, DepositToken>
  /** What customers call the network. */
  readonly label: string
  /** The last final block. */
  readonly final: number
  readonly at: number
}

const keyOf = ({ user_no, asset }: Pick<DepositRow, 'user_no' | 'asset'>): string => `${user_no} ${asset}`

/** The credits of a transaction: read at once, decided one after the other, written at once. Under the lock of postings. */
export class CreditBatch {
  readonly #options: Options
  readonly #purses: ReadonlyMap<string, Purse>
  /** By deposit: the last change counts. */
  readonly #changes = new Map<number, Change>()
  /** What waits for more, by owner and asset: the last deposit counts. */
  readonly #waiting = new Map<string, Waiting>()
  #nextCredit: number

  private constructor(options: Options, purses: ReadonlyMap<string, Purse>, nextCredit: number) {
    this.#options = options
    this.#purses = purses
    this.#nextCredit = nextCredit
  }

  static async open(client: pg.PoolClient, rows: readonly DepositRow[], options: Options): Promise<CreditBatch> {
    const purses = new Map<string, Purse>(rows.map((row) => [keyOf(row), { small: [], rest: 0n }]))
    const [network] = rows.map((row) => row.network)
    if (network === undefined) return new CreditBatch(options, purses, 0)
    const owners = [network, rows.map(({ user_no }) => user_no), rows.map(({ asset }) => asset)]
    const small = await client.query<DepositRow>(
      `select * from deposits where network = $1 and state = 'small' and (user_no, asset) in (select * from unnest($2::bigint[], $3::text[]))
       order by id for update`,
      owners,
    )
    for (const row of small.rows) purses.get(keyOf(row))!.small.push(row)
    const rests = await client.query<Pick<DepositRow, 'user_no' | 'asset'> & { readonly rest: string }>(
      `select user_no, asset, sum(rest)::text as rest from deposits
       where network = $1 and rest <> 0 and (user_no, asset) in (select * from unnest($2::bigint[], $3::text[])) group by user_no, asset`,
      owners,
    )
    for (const row of rests.rows) purses.get(keyOf(row))!.rest = BigInt(row.rest)
    return new CreditBatch(options, purses, await nextCredit(client))
  }

  /** Credits a deposit and the small ones that wait for it, or lets it wait if all together are too small. */
  credit(deposit: DepositRow): void {
    const token = this.#options.tokens.get(deposit.contract)!
    const purse = this.#purses.get(keyOf(deposit))!
    const all = [...purse.small, deposit]
    const sum = all.reduce((total, { raw }) => total + BigInt(raw), 0n)
    if (sum < BigInt(token.min) * token.unit) {
      purse.small = all
      this.put(deposit, 'small', null)
      this.#waiting.set(keyOf(deposit), { deposit, token, sum })
      return
    }
    this.#waiting.delete(keyOf(deposit))
    purse.small = all.filter((row) => this.#creditOne(row, token, purse) === 'small')
  }

  put({ id }: Pick<DepositRow, 'id'>, state: DepositState, why: string | null): void {
    this.#changes.set(id, { id, state, why, amount: null, rest: 0n, credit: null, finalAt: null })
  }

  async write(client: pg.PoolClient): Promise<void> {
    const changes = [...this.#changes.values()]
    if (changes.length === 0) return
    await client.query(
      `update deposits d set state = f.state, why = f.why, amount = f.amount, rest = f.rest, credit = f.credit, credited_at = null,
         final_at = f.final_at
       from unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::numeric[], $6::bigint[], $7::bigint[])
         as f (id, state, why, amount, rest, credit, final_at)
       where d.id = f.id`,
      [
        ...[changes.map(({ id }) => id), changes.map(({ state }) => state), changes.map(({ why }) => why)],
        ...[changes.map(({ amount }) => amount?.toString() ?? null), changes.map(({ rest }) => String(rest))],
        ...[changes.map(({ credit }) => credit), changes.map(({ finalAt }) => finalAt)],
      ],
    )
    const credited = changes.filter(({ credit }) => credit !== null).map(({ id }) => id)
    await writeCredits(client, credited, this.#options.at)
    const { label, at } = this.#options
    await tellOfSmall(client, [...this.#waiting.values()], { label, at })
  }

  #creditOne(row: DepositRow, { unit }: DepositToken, purse: Purse): DepositState {
    const { id, raw, block_number } = row
    const sum = BigInt(raw) + purse.rest
    // Down, as all money that the exchange gives: the rest counts with the next deposit. Below zero after an orphaned one.
    const amount = sum > 0n ? sum / unit : 0n
    if (amount > BigInt(Number.MAX_SAFE_INTEGER)) {
      this.put(row, 'held', 'too-large')
      return 'held'
    }
    if (amount === 0n) {
      this.put(row, 'small', null)
      return 'small'
    }
    const isFinal = block_number <= this.#options.final
    const state = isFinal ? 'final' : 'credited'
    const rest = BigInt(raw) - amount * unit
    const finalAt = isFinal ? this.#options.at : null
    this.#changes.set(id, { id, state, why: null, amount, rest, credit: this.#nextCredit++, finalAt })
    purse.rest = sum - amount * unit
    return state
  }
}
