import type { Decimal } from '@candor/core/money/brand.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import { sql } from 'kysely'
import type { Clock } from '../../ports.ts'
import { Refused } from '../../refused.ts'
import { secondsUntil } from '../codes.ts'
import type { IdentityDb } from '../tables.ts'
import { periodOf } from './periods.ts'

const usdtDigits = 6
const kinds = ['deposit-day', 'deposit-week', 'deposit-month'] as const

/** Gross inflow of accounts: nothing that leaves is deducted. */
export class Deposits {
  readonly #db: IdentityDb
  readonly #clock: Clock

  constructor(db: IdentityDb, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /**
   * Counts an amount before it is paid in. Returns a function that takes it back if nothing was.
   *
   * usdt    its worth in millionths of a USDT
   * throws  Refused DEPOSIT_LIMIT with the seconds until the limit's period ends
   */
  async take(account: string, usdt: bigint): Promise<() => Promise<void>> {
    const now = this.#clock()
    const { start: day } = periodOf('deposit-day', now)
    const amount = formatUnits(usdt, usdtDigits)
    await this.#db.transaction().execute(async (tx) => {
      await tx.selectFrom('accounts').select('id').where('id', '=', account).forUpdate().executeTakeFirstOrThrow()
      for (const kind of kinds) {
        const { start, end } = periodOf(kind, now)
        const { rows } = await sql`
          select from own_limits l where l.account = ${account} and l.kind = ${kind} and l.value < ${amount}::numeric
            + (select coalesce(sum(d.amount), 0) from deposit_days d where d.account = ${account} and d.day_ms >= ${start})`.execute(tx)
        if (rows.length > 0) throw new Refused('DEPOSIT_LIMIT', { retryAfter: secondsUntil(end, now) })
      }
      await add(tx, account, day, amount)
    })
    return () => add(this.#db, account, day, `-${amount}`)
  }
}

/** Gross deposits of an account since a UTC day, in USDT. */
export async function depositedSince(db: IdentityDb, account: string, day: number): Promise<Decimal> {
  const { rows } = await sql<{ sum: Decimal }>`
    select trim_scale(coalesce(sum(amount), 0))::text as sum from deposit_days where account = ${account} and day_ms >= ${day}`.execute(db)
  return rows[0]?.sum ?? ('0' as Decimal)
}

async function add(db: IdentityDb, account: string, day: number, amount: string): Promise<void> {
  await sql`
    insert into deposit_days (account, day_ms, amount) values (${account}, ${day}, greatest(${amount}::numeric, 0))
    on conflict (account, day_ms) do update set amount = greatest(deposit_days.amount + ${amount}::numeric, 0)`.execute(db)
}
