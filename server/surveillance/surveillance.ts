import type {
  Finding,
  FindingKind,
  FindingPage,
  FindingState,
  ReportDay,
  Surveillance,
  Verdict,
} from '@candor/core/protocol/wire/console/surveillance.ts'
import { type Kysely, sql } from 'kysely'
import type { Clock } from '../ports.ts'
import { Refused } from '../refused.ts'
import type { StaffLog } from '../staff/log.ts'
import type { Decider } from '../staff/proposals.ts'
import type { Day } from './days.ts'
import type { Reports } from './reports.ts'
import type { SurveillanceDb, SurveillanceTables } from './tables.ts'

export type FindingFilter = {
  readonly day?: Day | undefined
  readonly kind?: FindingKind | undefined
  readonly state?: FindingState | undefined
  readonly uid?: string | undefined
}

export type SurveillanceOptions = {
  readonly db: SurveillanceDb
  readonly clock: Clock
  readonly log: Pick<StaffLog, 'write'>
  readonly reports: Pick<Reports, 'due'>
}

const daysMax = 92
const pageSize = 50

/** Reports and findings as the staff read them, and their settling. Nothing here reaches an order, a price or an outcome. */
export class SurveillanceDesk {
  readonly #db: SurveillanceDb
  readonly #clock: Clock
  readonly #log: Pick<StaffLog, 'write'>
  readonly #reports: Pick<Reports, 'due'>

  constructor({ db, clock, log, reports }: SurveillanceOptions) {
    this.#db = db
    this.#clock = clock
    this.#log = log
    this.#reports = reports
  }

  /** The newest reports, and the past days that still lack one. */
  async overview(): Promise<Surveillance> {
    const [days, open, due] = await Promise.all([this.days(), this.openCount(), this.#reports.due()])
    return { days, open, due }
  }

  async days(): Promise<readonly ReportDay[]> {
    const rows = await this.#db
      .selectFrom('surveillance_reports as r')
      .select(['day', 'made_at', 'took_ms', 'seq', 'examined', 'counts'])
      .select((row) =>
        row
          .selectFrom('surveillance_findings as f')
          .leftJoin('surveillance_settlements as s', 's.finding', 'f.id')
          .select(sql<number>`count(*)`.as('open'))
          .whereRef('f.day', '=', 'r.day')
          .where('s.finding', 'is', null)
          .as('open'),
      )
      .orderBy('day', 'desc')
      .limit(daysMax)
      .execute()
    return rows.map(({ made_at: madeAt, took_ms: tookMs, open, ...row }) => ({ ...row, madeAt, tookMs, open: open ?? 0 }))
  }

  /** Findings that nobody has settled. */
  async openCount(): Promise<number> {
    const { count } = await this.#db
      .selectFrom('surveillance_findings as f')
      .leftJoin('surveillance_settlements as s', 's.finding', 'f.id')
      .select(sql<number>`count(*)`.as('count'))
      .where('s.finding', 'is', null)
      .executeTakeFirstOrThrow()
    return count
  }

  /** Findings, newest first. `before`: the number of the last one of the page before. */
  async page(filter: FindingFilter, before?: number, size = pageSize): Promise<FindingPage> {
    const { day, kind, state, uid } = filter
    const rows = await this.#findings()
      .$if(day !== undefined, (query) => query.where('f.day', '=', day!))
      .$if(kind !== undefined, (query) => query.where('f.kind', '=', kind!))
      .$if(state === 'open', (query) => query.where('s.finding', 'is', null))
      .$if(state !== undefined && state !== 'open', (query) => query.where('s.verdict', '=', state as Verdict))
      .$if(uid !== undefined, (query) => query.where(sql<boolean>`f.accounts @> array[${uid}]::text[]`))
      .$if(before !== undefined, (query) => query.where('f.number', '<', before!))
      .orderBy('f.number', 'desc')
      .limit(size + 1)
      .execute()
    const findings = rows.slice(0, size).map(shown)
    const last = findings.at(-1)
    return { findings, ...(rows.length > size && last !== undefined ? { next: last.number } : {}) }
  }

  /** throws  Refused NOT_FOUND */
  async one(id: string): Promise<Finding> {
    const row = await this.#findings().where('f.id', '=', id).executeTakeFirst()
    if (!row) throw new Refused('NOT_FOUND')
    return shown(row)
  }

  /**
   * Settles a finding, once and for all. Nobody settles one about the own account.
   *
   * throws  Refused NOT_FOUND, FORBIDDEN, FINDING_SETTLED
   */
  async settle(id: string, verdict: Verdict, reason: string, who: Decider): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      await requireMember(tx, who)
      const found = await tx.selectFrom('surveillance_findings').select(['kind', 'day', 'accounts']).where('id', '=', id).executeTakeFirst()
      if (!found) throw new Refused('NOT_FOUND')
      if (await isOwn(tx, found.accounts, who)) throw new Refused('FORBIDDEN')
      const settled = await tx
        .insertInto('surveillance_settlements')
        .values({ finding: id, verdict, reason, staff: who.session.staff, at: this.#clock() })
        .onConflict((clash) => clash.doNothing())
        .returning('finding')
        .executeTakeFirst()
      if (!settled) throw new Refused('FINDING_SETTLED')
      const { session, visitor } = who
      await this.#log.write<SurveillanceTables>(
        tx,
        { staff: session.staff, session: session.id, visitor },
        { action: `finding-${verdict}`, subject: id, why: reason, after: { ...found } },
      )
    })
  }

  #findings() {
    return this.#db
      .selectFrom('surveillance_findings as f')
      .leftJoin('surveillance_settlements as s', 's.finding', 'f.id')
      .leftJoin('staff as m', 'm.id', 's.staff')
      .select(['f.id', 'f.number', 'f.day', 'f.kind', 'f.market', 'f.accounts', 'f.roles', 'f.text', 'f.measures', 'f.orders'])
      .select(['f.from_at', 'f.to_at', 's.verdict', 's.reason', 's.at', 'm.email'])
  }
}

async function requireMember(tx: Kysely<SurveillanceTables>, { session }: Decider): Promise<void> {
  const found = await tx
    .selectFrom('staff')
    .select('id')
    .where('id', '=', session.staff)
    .where('state', '=', 'active')
    .where('role', 'in', ['compliance', 'risk'])
    .forShare()
    .executeTakeFirst()
  if (!found) throw new Refused('FORBIDDEN')
}

/** Whether one of the accounts is the member's own, or of a firm in which the member takes part. */
async function isOwn(tx: Kysely<SurveillanceTables>, uids: readonly string[], { session }: Decider): Promise<boolean> {
  const found = await tx
    .selectFrom('accounts as a')
    .select('a.id')
    .where('a.uid', 'in', uids)
    .where(sql<boolean>`account_is_own(${session.staff}, a.id)`)
    .executeTakeFirst()
  return found !== undefined
}

type Row = SurveillanceTables['surveillance_findings'] extends infer F
  ? { readonly [K in keyof F]: K extends 'number' ? number : F[K] }
  : never
type Settled = {
  readonly verdict: Verdict | null
  readonly reason: string | null
  readonly at: number | null
  readonly email: string | null
}

function shown({ from_at: from, to_at: to, verdict, reason, at, email, accounts, roles, ...row }: Omit<Row, 'weight'> & Settled): Finding {
  return {
    ...{ ...row, from, to, parties: accounts.map((uid, place) => ({ uid, role: roles[place]! })) },
    settled: verdict === null ? null : { verdict, reason: reason ?? '', by: email ?? '', at: at ?? 0 },
  }
}
