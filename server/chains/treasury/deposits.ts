/**
 * What deposit addresses should have: what customers sent and no sweep took. Of very many addresses a turn looks at some, another part each
 * time, so that its time does not grow with them.
 */
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { Expected } from './expected.ts'
import type { Own } from './own.ts'
import type { Holding } from './sample.ts'

/** Deposit addresses that are read in one turn; the rest is read in the next ones. */
const partMax = 2_000

/** Deposits that are, or may be, at their address. */
const unswept = `network = $1 and swept_block is null and asset is not null and block_number <= $2 and state not in ('orphaned', 'failed')`

/** What left deposit addresses, and no sweep settled yet. `$3`: own addresses. */
const gone = `
  select sender as address, contract, sum(value) as sum from treasury_flows
  where network = $1 and not is_done and (what is null or what not in ('payout', 'internal')) and block <= $2 and not (sender = any($3))
    and exists (select from deposit_addresses d where d.network = $1 and d.address = sender)
  group by sender, contract`

/** A deposit that was not checked yet, or is held, may be there or not. */
const sums = `sum(raw) as high, sum(case when state in ('credited', 'final', 'small') then raw else 0 end) as low`

/** The deposit addresses that turns look at, one part after the other. */
export class DepositParts {
  readonly #max: number
  /** The contract and the address after which the next part begins: anywhere at first, so that restarts leave none out. */
  #after: Holding
  #next: Holding

  constructor(max = partMax) {
    this.#max = max
    this.#after = { contract: '', holder: '' }
    this.#next = this.#after
  }

  /** The same part until `advance`. With them all addresses that something left, which are few. */
  async of(client: pg.ClientBase, own: Own, block: number): Promise<readonly Holding[]> {
    this.#after = this.#after.holder === '' ? anywhere(own) : this.#after
    const found: Holding[] = []
    const contracts = own.tokens.map(({ contract }) => contract).toSorted()
    const first = Math.max(contracts.indexOf(this.#after.contract), 0)
    const turns = [...contracts.slice(first), ...contracts.slice(0, first)].map((contract) => ({ contract, from: '' }))
    // The first token comes last once more, up to where it began.
    const began = { contract: contracts[first]!, from: this.#after.holder }
    for (const { contract, from } of [began, ...turns.slice(1), ...turns.slice(0, 1)]) {
      const left = this.#max - found.length
      if (left <= 0) break
      const { rows } = await client.query<{ address: string }>(
        `select address from deposits where ${unswept} and contract = $3 and address > $4 group by address order by address limit $5`,
        [own.network, block, contract, from, left],
      )
      found.push(...rows.map(({ address: holder }) => ({ holder, contract })))
    }
    this.#next = found.at(-1) ?? this.#after
    const { rows } = await client.query<{ address: string; contract: string }>(`${gone}`, [own.network, block, [...own.roles.keys()]])
    return unique([...found, ...rows.map(({ address: holder, contract }) => ({ holder, contract }))])
  }

  /** A turn is over. */
  advance(): void {
    this.#after = this.#next
  }
}

function anywhere({ kind, tokens }: Own): Holding {
  const contracts = tokens.map(({ contract }) => contract)
  const [at, ...rest] = randomBytes(9)
  const text = Buffer.from(rest).toString(kind === 'evm' ? 'hex' : 'base64url')
  return { contract: contracts[at! % contracts.length]!, holder: `${kind === 'evm' ? '0x' : 'T'}${text}` }
}

function unique(holdings: readonly Holding[]): readonly Holding[] {
  return [...new Map(holdings.map((each) => [`${each.holder} ${each.contract}`, each])).values()]
}

/** What these should have at a block. */
export async function expectedDeposits(
  client: pg.ClientBase,
  own: Own,
  block: number,
  holdings: readonly Holding[],
): Promise<readonly Expected[]> {
  const { rows } = await client.query<{ holder: string; contract: string; low: string; high: string }>(
    `with wanted as (select distinct * from unnest($4::text[], $5::text[]) as w (address, contract)),
     sent as (
       select address, contract, ${sums} from deposits join wanted using (address, contract) where ${unswept} group by address, contract
     ), gone as (${gone})
     select address as holder, contract, (coalesce(s.low, 0) - coalesce(g.sum, 0))::text as low, (coalesce(s.high, 0) - coalesce(g.sum, 0))::text as high
     from wanted left join sent s using (address, contract) left join gone g using (address, contract)`,
    [own.network, block, [...own.roles.keys()], holdings.map(({ holder }) => holder), holdings.map(({ contract }) => contract)],
  )
  return rows.map(({ holder, contract, low, high }) => ({ holder, contract, low: BigInt(low), high: BigInt(high) }))
}

/** By token: what all deposit addresses together have at least. */
export async function depositSums(client: pg.ClientBase, own: Own, block: number): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await client.query<{ contract: string; low: string }>(
    `with sent as (select contract, ${sums} from deposits where ${unswept} and contract = any($4) group by contract),
     gone as (select contract, sum(sum) as sum from (${gone}) g group by contract)
     select contract, (coalesce(s.low, 0) - coalesce(g.sum, 0))::text as low from sent s full join gone g using (contract)`,
    [own.network, block, [...own.roles.keys()], own.tokens.map(({ contract }) => contract)],
  )
  return new Map(rows.map(({ contract, low }) => [contract, BigInt(low)]))
}
