import type { Decimal } from '@candor/core/money/brand.ts'
import {
  type OwnLimitKind,
  ownLimitKinds,
  type WireActive,
  type WireOwnLimit,
  type WireOwnLimitChange,
  type WireOwnLimits,
} from '@candor/core/protocol/wire/own-limits.ts'
import type { Selectable } from 'kysely'
import { Refused } from '../../refused.ts'
import { ownResults } from '../../store/query/own-results.ts'
import { addNotice } from '../../store/notices.ts'
import type { Store } from '../../store/open.ts'
import { record } from '../audit.ts'
import type { Person } from '../factors/factors.ts'
import { requireLiving } from '../sessions.ts'
import type { IdentityDb, OwnLimitTable } from '../tables.ts'
import { depositedSince } from './deposits.ts'
import { dayMs, periodOf } from './periods.ts'
import { activeGapMs, checksPerTurn, confirmMs, raiseWaitMs } from './policy.ts'
import type { RestParts, Rests } from './rests.ts'

export type OwnLimitParts = Pick<RestParts, 'db' | 'clock' | 'onFault'> & {
  readonly store: Store
  readonly rests: Rests
  readonly mode: 'sandbox' | 'production'
}

const lossKinds = ownLimitKinds.filter((kind) => kind.startsWith('loss'))
const depositKinds = ownLimitKinds.filter((kind) => kind.startsWith('deposit'))
type LimitRow = Selectable<OwnLimitTable>

/**
 * The limits that customers set for themselves. A lower one counts at once. A higher one, or none, waits, and then needs its owner's
 * second word. A limit that is reached begins a pause until the end of its period.
 */
export class OwnLimits {
  readonly #parts: OwnLimitParts

  constructor(parts: OwnLimitParts) {
    this.#parts = parts
  }

  async of(account: string): Promise<WireOwnLimits> {
    const { db, rests, clock } = this.#parts
    const now = clock()
    const [rows, time, rest, results, deposits] = await Promise.all([
      db.selectFrom('own_limits').selectAll().where('account', '=', account).execute(),
      this.#timeOf(account),
      rests.of(account),
      this.#resultsOf(account, lossKinds),
      Promise.all(depositKinds.map((kind) => depositedSince(db, account, periodOf(kind, now).start))),
    ])
    return {
      limits: ownLimitKinds.map((kind) =>
        wireOf(
          kind,
          rows.find((row) => row.kind === kind),
          now,
        ),
      ),
      results: [
        ...lossKinds.map((kind, at) => ({ kind, result: results[at] ?? null })),
        ...depositKinds.map((kind, at) => ({ kind, result: deposits[at] ?? null })),
      ],
      minutesToday: Math.floor(time.seconds / 60),
      checkEvery: time.checkEvery,
      rest,
    }
  }

  /**
   * Sets a limit: a lower one at once, a higher one or none after the wait. The present value again ends what waits.
   *
   * throws  Refused LIMIT_INVALID, UNAUTHENTICATED
   */
  async set({ kind, value }: WireOwnLimitChange, { session, visitor }: Person): Promise<void> {
    const { db, clock, mode } = this.#parts
    const { account } = session
    if (kind === 'session-day' && value !== null && !/^\d{1,4}$/.test(value)) throw new Refused('LIMIT_INVALID', { field: 'value' })
    if (value !== null && !(Number(value) > 0)) throw new Refused('LIMIT_INVALID', { field: 'value' })
    await db.transaction().execute(async (tx) => {
      const row = await this.#locked(tx, account, kind, session.id)
      const now = clock()
      const present = row?.value ?? null
      const isHigher = present !== null && (value === null || Number(value) > Number(present))
      const set = isHigher
        ? { value: present, has_next: true, next_value: value, next_at: now + raiseWaitMs[mode] }
        : { value, has_next: false, next_value: null, next_at: null }
      await tx
        .insertInto('own_limits')
        .values({ account, kind, ...set })
        .onConflict((conflict) => conflict.columns(['account', 'kind']).doUpdateSet(set))
        .execute()
      const detail = { kind, value: value ?? '', isHigher }
      await record(tx, clock, { account, action: 'own-limit-set', visitor, session: session.id, detail })
    })
  }

  /** The second word for a higher limit, after its wait. throws  Refused LIMIT_WAITS, NOT_FOUND, UNAUTHENTICATED */
  async confirm(kind: OwnLimitKind, { session, visitor }: Person): Promise<void> {
    const { db, clock } = this.#parts
    const { account } = session
    await db.transaction().execute(async (tx) => {
      const row = await this.#locked(tx, account, kind, session.id)
      const now = clock()
      if (!row?.has_next || isLapsed(row, now)) throw new Refused('NOT_FOUND')
      if (row.next_at! > now) throw new Refused('LIMIT_WAITS', { retryAfter: Math.ceil((row.next_at! - now) / 1_000) })
      await tx
        .updateTable('own_limits')
        .set({ value: row.next_value, has_next: false, next_value: null, next_at: null })
        .where('account', '=', account)
        .where('kind', '=', kind)
        .execute()
      const detail = { kind, value: row.next_value ?? '', isHigher: true }
      const id = await record(tx, clock, { account, action: 'own-limit-raised', visitor, session: session.id, detail })
      await addNotice(tx, { account, kind: 'limit-raised', values: { limit: kind }, event: `limit-raised ${id}`, at: now })
    })
  }

  async setCheckEvery(minutes: number, { session }: Person): Promise<void> {
    const row = { account: session.account, check_every: minutes }
    await this.#parts.db
      .insertInto('own_time')
      .values(row)
      .onConflict((conflict) => conflict.column('account').doUpdateSet({ check_every: minutes }))
      .execute()
  }

  /** A sign of life of the app in the customer's hand: the time since the one before counts, however many tabs there are. */
  async active(account: string): Promise<WireActive> {
    const { db, clock, rests, onFault } = this.#parts
    const now = clock()
    const day = now - (now % dayMs)
    const seconds = await db.transaction().execute(async (tx) => {
      await tx
        .insertInto('own_time')
        .values({ account })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      const row = await tx.selectFrom('own_time').selectAll().where('account', '=', account).forUpdate().executeTakeFirstOrThrow()
      const gap = now - row.last_at
      const passed = gap > 0 && gap <= activeGapMs ? Math.min(gap, now - day) : 0
      const sum = (row.day_ms === day ? row.seconds : 0) + Math.round(passed / 1_000)
      await tx.updateTable('own_time').set({ day_ms: day, seconds: sum, last_at: now }).where('account', '=', account).execute()
      const limit = await tx
        .selectFrom('own_limits')
        .select('value')
        .where('account', '=', account)
        .where('kind', '=', 'session-day')
        .executeTakeFirst()
      if (limit?.value != null && sum >= Number(limit.value) * 60) await rests.add(tx, { account, cause: 'session', until: day + dayMs })
      return sum
    })
    await rests.tell(account).catch(onFault)
    const [result = null] = await this.#resultsOf(account, ['loss-day'])
    return { minutesToday: Math.floor(seconds / 60), result, rest: await rests.of(account) }
  }

  /** Compares losses with limits, for those accounts that were compared longest ago. */
  async check(): Promise<void> {
    const { db, clock, onFault } = this.#parts
    const due = await db
      .selectFrom('own_limits')
      .select('account')
      .where('value', 'is not', null)
      .where('kind', 'in', lossKinds)
      .groupBy('account')
      .orderBy((row) => row.fn.min('checked_at'))
      .limit(checksPerTurn)
      .execute()
    for (const { account } of due) await this.#checkOne(account, clock()).catch(onFault)
  }

  async #checkOne(account: string, now: number): Promise<void> {
    const { db, rests } = this.#parts
    // First, so that an account that can't be compared waits its turn like all others.
    await db.updateTable('own_limits').set({ checked_at: now }).where('account', '=', account).execute()
    const rows = await db
      .selectFrom('own_limits')
      .select(['kind', 'value'])
      .where('account', '=', account)
      .where('value', 'is not', null)
      .where('kind', 'in', lossKinds)
      .execute()
    const results = await this.#resultsOf(
      account,
      rows.map(({ kind }) => kind),
    )
    const reached = rows.filter((row, at) => results[at] != null && -Number(results[at]) >= Number(row.value))
    if (reached.length === 0) return
    const until = Math.max(...reached.map(({ kind }) => periodOf(kind, now).end))
    const isNew = await db.transaction().execute(async (tx) => {
      await tx.selectFrom('accounts').select('id').where('id', '=', account).forUpdate().executeTakeFirstOrThrow()
      return rests.add(tx, { account, cause: 'loss', until })
    })
    if (isNew) await rests.tell(account)
  }

  async #resultsOf(account: string, kinds: readonly OwnLimitKind[]): Promise<readonly (Decimal | null)[]> {
    const { db, store, clock } = this.#parts
    const { core_user: user } = await db.selectFrom('accounts').select('core_user').where('id', '=', account).executeTakeFirstOrThrow()
    if (user === null || kinds.length === 0) return kinds.map(() => null)
    const now = clock()
    return ownResults(
      store.pool,
      user,
      kinds.map((kind) => periodOf(kind, now).start),
      now,
    )
  }

  async #timeOf(account: string): Promise<{ readonly seconds: number; readonly checkEvery: number }> {
    const row = await this.#parts.db.selectFrom('own_time').selectAll().where('account', '=', account).executeTakeFirst()
    const now = this.#parts.clock()
    const isToday = row?.day_ms === now - (now % dayMs)
    return { seconds: isToday ? row.seconds : 0, checkEvery: row?.check_every ?? 60 }
  }

  /** With the account's row locked, so that two tabs wait for each other, by a session that still lives. */
  async #locked(tx: IdentityDb, account: string, kind: OwnLimitKind, session: string): Promise<LimitRow | undefined> {
    await tx.selectFrom('accounts').select('id').where('id', '=', account).forUpdate().executeTakeFirstOrThrow()
    await requireLiving(tx, session)
    return tx.selectFrom('own_limits').selectAll().where('account', '=', account).where('kind', '=', kind).executeTakeFirst()
  }
}

/** Whether a raise was not confirmed in time. */
const isLapsed = ({ next_at: at }: LimitRow, now: number): boolean => at !== null && at + confirmMs <= now

function wireOf(kind: OwnLimitKind, row: LimitRow | undefined, now: number): WireOwnLimit {
  const at = row === undefined || isLapsed(row, now) ? null : row.next_at
  return { kind, value: row?.value ?? null, next: at === null ? null : { value: row?.next_value ?? null, at } }
}
