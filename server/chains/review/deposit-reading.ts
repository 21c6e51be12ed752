import { formatUnits } from '@candor/core/money/units.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Ask } from '@candor/core/protocol/port.ts'
import {
  type DepositPage,
  type DepositProposal,
  type DepositRow,
  type DepositView,
  depositViews,
} from '@candor/core/protocol/wire/console/deposits.ts'
import type pg from 'pg'
import type { Clock } from '../../ports.ts'
import type { ShownNetwork } from './reading.ts'

export type DepositReadingOptions = {
  readonly pool: pg.Pool
  readonly clock: Clock
  readonly ask: Pick<Ask, 'chainStanding' | 'listing'>
  readonly networks: readonly (ShownNetwork & {
    readonly tokens: readonly { readonly asset: string; readonly contract?: string | undefined; readonly decimals: number }[]
  })[]
}

const pageSize = 50

type Row = Omit<DepositRow, 'amount' | 'isRaw' | 'url' | 'debts' | 'proposal' | 'last'> & {
  readonly raw: string
  readonly user_no: number
  readonly proposal: DepositProposal | null
  readonly last: { readonly by: readonly string[]; readonly at: number; readonly reason: string } | null
}

/** `$1`: now. */
const rowText = `
  select d.id, a.uid, d.network, d.asset, d.contract, d.raw::text as raw, d.sender, d.address, d.txid, d.block_number as block, d.state, d.why,
    d.seen_at as "seenAt", d.user_no,
    (select json_build_object('id', o.id, 'isReleased', o.is_released, 'reason', o.reason, 'proposedBy', s.email,
       'proposedAt', o.proposed_at, 'expiresAt', o.expires_at)
     from deposit_decisions o join staff s on s.id = o.proposed_by
     where o.deposit = d.id and o.state = 'open' and o.expires_at > $1) as proposal,
    (select json_build_object('by', json_build_array(p.email, s.email), 'at', o.decided_at, 'reason', o.reason)
     from deposit_decisions o join staff p on p.id = o.proposed_by join staff s on s.id = o.decided_by
     where o.deposit = d.id and o.state = 'approved' order by o.id desc limit 1) as last
  from deposits d join accounts a on a.id = d.account`

/** Deposits that are not as usual. Held ones that wait longest come first, all others newest first. */
export class DepositReading {
  readonly #options: DepositReadingOptions

  constructor(options: DepositReadingOptions) {
    this.#options = options
  }

  /** `before`: the last one of the page before. */
  async page(view: DepositView, before?: number, size = pageSize): Promise<DepositPage> {
    const { pool, clock } = this.#options
    const isQueue = view === 'held'
    const [{ rows }, counts] = await Promise.all([
      pool.query<Row>(
        `${rowText} where d.state = $2 ${before === undefined ? '' : `and d.id ${isQueue ? '>' : '<'} $4`}
         order by d.id ${isQueue ? 'asc' : 'desc'} limit $3`,
        [clock(), view, size + 1, ...(before === undefined ? [] : [before])],
      ),
      this.#counts(),
    ])
    const shown = rows.slice(0, size)
    const debts = view === 'orphaned' ? await this.#debtsOf(shown) : new Map<number, DepositRow['debts']>()
    const deposits = shown.map((row) => this.#shown(row, debts.get(row.user_no) ?? []))
    const last = deposits.at(-1)
    return { deposits, counts, ...(rows.length > size && last !== undefined ? { next: last.id } : {}) }
  }

  async #counts(): Promise<DepositPage['counts']> {
    const { rows } = await this.#options.pool.query<{ state: DepositView; count: number }>(
      'select state, count(*)::int as count from deposits where state = any($1) group by state',
      [[...depositViews]],
    )
    const of = (view: DepositView): number => rows.find(({ state }) => state === view)?.count ?? 0
    return Object.fromEntries(depositViews.map((view) => [view, of(view)])) as DepositPage['counts']
  }

  /** What the customers of these deposits owe; nothing while the engine is away. */
  async #debtsOf(rows: readonly Row[]): Promise<ReadonlyMap<number, DepositRow['debts']>> {
    const { ask } = this.#options
    const users = [...new Set(rows.map(({ user_no: user }) => user))]
    try {
      const { assets } = await ask.listing()
      const found = await Promise.all(
        users.map(async (user) => {
          const { debts } = await ask.chainStanding(user as UserId)
          const shown = debts.map(({ asset, amount }) => {
            const { symbol, scale } = assets.find(({ id }) => id === asset)!
            return { asset: symbol, amount: formatUnits(amount, scale) }
          })
          return [user, shown] as const
        }),
      )
      return new Map(found)
    } catch {
      return new Map()
    }
  }

  #shown({ raw, user_no: _, network: name, ...row }: Row, debts: DepositRow['debts']): DepositRow {
    const network = this.#options.networks.find((one) => one.name === name)
    const token = network?.tokens.find(
      ({ contract, asset }) => contract === row.contract || (contract === undefined && asset === row.asset),
    )
    return {
      ...{ ...row, network: network?.label ?? name, debts },
      amount: token === undefined ? raw : decimalOf(raw, token.decimals),
      isRaw: token === undefined,
      url: network?.explorer === undefined ? null : network.explorer.replace('{txid}', row.txid),
    }
  }
}

/** A whole number of a token's smallest unit as decimal text. */
function decimalOf(raw: string, decimals: number): string {
  const digits = raw.padStart(decimals + 1, '0')
  const [whole, rest] = [digits.slice(0, digits.length - decimals), digits.slice(digits.length - decimals)]
  const short = rest.replace(/0+$/, '')
  return short === '' ? whole : `${whole}.${short}`
}
