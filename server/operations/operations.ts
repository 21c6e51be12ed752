import { scaleOf } from '@candor/core/money/scale.ts'
import { parseUnits } from '@candor/core/money/units.ts'
import type { Units } from '@candor/core/money/brand.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Submit } from '@candor/core/protocol/port.ts'
import { differences, type TermKind, type Terms } from '@candor/core/protocol/wire/changes.ts'
import type { Selectable } from 'kysely'
import { areActing, proposalLivesMs } from '../four-eyes.ts'
import type { Clock } from '../ports.ts'
import { Refused } from '../refused.ts'
import type { StaffAction, StaffLog } from '../staff/log.ts'
import type { Decider } from '../staff/proposals.ts'
import { alone, Turns } from './alone.ts'
import { type AskTerms, closing, commandsOf, currentOf } from './kinds.ts'
import { type Area, areaOf, type OperationsDb, type OperationsTables, type OperationTable, type Payment } from './tables.ts'
import { requireUnderCap, type PostingCap, postingCapOf } from './posting-cap.ts'
import { holdersOf, postingSubject } from './postings.ts'
import { requireNotOwnFirm } from './firms.ts'
import { requirePrepared } from './presales.ts'
import { fromText, toText } from './terms.ts'

export type OperationsParts = {
  readonly db: OperationsDb
  readonly clock: Clock
  readonly ask: AskTerms
  readonly submit: Submit
  readonly log: Pick<StaffLog, 'write'>
  /** USDT that one member may propose to post by hand on a UTC day. */
  readonly postingsPerDay: number
  readonly onFault: (cause: unknown) => void
}

/** The complete new terms that somebody wishes. `subject`: the market's symbol, the region's code, else empty. */
export type OperationWish = {
  readonly kind: TermKind
  readonly subject: string
  readonly terms: Terms
  readonly payment?: Payment | undefined
  readonly reason: string
}

/** A wish that only closes. `terms` names the products of a region that stay open; other kinds have one thing to close. */
export type ClosingWish = Pick<OperationWish, 'kind' | 'subject' | 'reason'> & { readonly terms?: Terms | undefined }

/** `waits`: approved, but the core can't be reached; it gets the command as soon as it can. */
export type Done = { readonly state: 'done'; readonly seq: number | null } | { readonly state: 'waits' }

export type OperationRow = Selectable<OperationTable>

/** Who may decide in an area. The database checks the same. */
export const deciders: Readonly<Record<Area, readonly ('administrator' | 'risk' | 'compliance' | 'treasury')[]>> = {
  markets: ['administrator', 'risk'],
  fees: ['administrator', 'risk'],
  countries: ['administrator', 'compliance'],
  house: ['administrator', 'risk'],
  postings: ['administrator', 'treasury'],
  networks: ['administrator', 'risk'],
  presales: ['administrator', 'risk'],
  firms: ['administrator', 'compliance'],
}

const retryMs = 15_000

/**
 * Decisions of the staff about terms. One member proposes with a reason, another approves within a day while the terms are still those
 * that the proposer saw; closing needs one. The approval is stored before its command is sent, and commands may be sent twice, so a
 * process that is killed between the two leaves no decision half done. Decisions are carried out one at a time.
 */
export class Operations implements AsyncDisposable {
  readonly #parts: OperationsParts
  readonly #retry: NodeJS.Timeout
  readonly #turns = new Turns()
  /** Whether something approved may still wait for its command. */
  #isBehind = true

  constructor(parts: OperationsParts) {
    this.#parts = parts
    this.#retry = setInterval(() => void (this.#isBehind && this.finish()), retryMs).unref()
  }

  /** Returns its number. throws  Refused, also for terms that the core would refuse, as far as that is known here */
  async propose({ kind, subject: wished, terms: given, payment, reason }: OperationWish, who: Decider): Promise<number> {
    const { db, clock, ask } = this.#parts
    const subject = kind === 'posting' ? postingSubject(given) : wished
    const now = await currentOf(ask, kind, subject)
    // A value written in another way is the same value.
    const isListing = kind === 'listing' || kind === 'futures-listing'
    const isNew = isListing || kind === 'posting'
    const terms = isNew ? given : toText(kind, fromText(kind, given, now.scales), now.scales)
    const found = differences(kind, now.terms, terms)
    if (found.length === 0 && payment === undefined) throw new Refused('FIELD_INVALID', { field: 'terms' })
    if (isListing && terms['symbol'] !== subject) throw new Refused('FIELD_INVALID', { field: 'subject' })
    if (payment !== undefined && kind !== 'second') throw new Refused('FIELD_UNKNOWN', { field: 'payment' })
    const wish = { id: 1, kind, terms, people: { proposer: 1, approver: 2, reason }, clientId: 'check' }
    commandsOf({ ...wish, ...(await this.#paid(db, payment ?? null)), holders: await holdersOf(db, kind, terms) }, subject, now)
    const at = clock()
    if (kind === 'presale') await requirePrepared(db, subject, terms, now.terms, at)
    return db.transaction().execute(async (tx) => {
      const { staff } = who.session
      const row = { kind, subject, terms: json(terms), base: json(now.terms), payment: json(payment ?? null), reason }
      const proposer = await this.#numberOf(tx, staff, areaOf[kind])
      await tx
        .updateTable('operations')
        .set({ state: 'expired' })
        .where('kind', '=', kind)
        .where('subject', '=', subject)
        .where('state', '=', 'open')
        .where('expires_at', '<=', at)
        .execute()
      if (kind === 'firm') await requireNotOwnFirm(tx, subject, staff)
      if (kind === 'posting') await requireUnderCap(tx, terms, { staff, at, cap: this.#parts.postingsPerDay })
      const made = await tx
        .insertInto('operations')
        .values({
          ...{ area: areaOf[kind], ...row, is_closing: false, proposed_by: staff, proposer },
          ...{ proposed_at: at, expires_at: at + proposalLivesMs },
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      if (!made) throw new Refused('PROPOSAL_OPEN')
      await this.#note(tx, who, 'operation-proposed', { id: made.id, kind, subject }, reason)
      return made.id
    })
  }

  /** What a member may still propose to post by hand today. */
  postingCap(staff: string): Promise<PostingCap> {
    const { db, clock, postingsPerDay: cap } = this.#parts
    return postingCapOf(db, { staff, at: clock(), cap })
  }

  /** Takes products off the market at once, on behalf of one member. throws  Refused */
  async close({ kind, subject, terms: wished, reason }: ClosingWish, who: Decider): Promise<Done> {
    const { clock, ask, db } = this.#parts
    return this.#alone(async () => {
      const { terms: before } = await currentOf(ask, kind, subject)
      const terms = kind === 'country' ? wished : before === null ? undefined : closing(kind, before)
      if (before === null || terms === undefined) throw new Refused('FIELD_INVALID', { field: 'kind' })
      const found = differences(kind, before, terms)
      if (found.length === 0 || found.some(({ after }) => after !== false)) throw new Refused('FIELD_INVALID', { field: 'terms' })
      const at = clock()
      const id = await db.transaction().execute(async (tx) => {
        const { staff } = who.session
        const proposer = await this.#numberOf(tx, staff, areaOf[kind])
        const made = await tx
          .insertInto('operations')
          .values({
            ...{ area: areaOf[kind], kind, subject, terms: json(terms), base: json(before), payment: null, reason, is_closing: true },
            ...{ proposed_by: staff, proposer, proposed_at: at, expires_at: at + proposalLivesMs },
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        await tx
          .updateTable('operations')
          .set({ state: 'approved', decided_by: staff, approver: proposer, decided_at: at })
          .where('id', '=', made.id)
          .execute()
        await this.#note(tx, who, 'operation-closed', { id: made.id, kind, subject }, reason)
        return made.id
      })
      return this.#carryOut(id)
    }, true)
  }

  /**
   * Approves somebody else's proposal and carries it out. `typed`: the payment as the approver read it.
   *
   * throws  Refused NOT_FOUND, PROPOSAL_CLOSED, PROPOSAL_STALE, SECOND_PERSON_NEEDED, SUM_DIFFERS, UNAVAILABLE, or by the core
   */
  async approve(id: number, area: Area, who: Decider, typed?: string): Promise<Done> {
    const { db, clock } = this.#parts
    return this.#alone(async () => {
      const proposed = await this.#find(db, id, area)
      const { staff } = who.session
      if (proposed.state !== 'open' || proposed.expires_at <= clock()) throw new Refused('PROPOSAL_CLOSED')
      if (proposed.proposed_by === staff) throw new Refused('SECOND_PERSON_NEEDED')
      requireSum(proposed, typed)
      if (await this.#isStale(proposed)) {
        await db.updateTable('operations').set({ state: 'expired' }).where('id', '=', id).where('state', '=', 'open').execute()
        throw new Refused('PROPOSAL_STALE')
      }
      await db.transaction().execute(async (tx) => {
        const isActing = await areActing(tx, [proposed.proposed_by, staff], deciders[area])
        await this.#opened(tx, id)
        if (!isActing) throw new Refused('PROPOSAL_CLOSED')
        if (proposed.kind === 'firm') await requireNotOwnFirm(tx, proposed.subject, staff)
        const approver = await this.#numberOf(tx, staff, area)
        await tx
          .updateTable('operations')
          .set({ state: 'approved', decided_by: staff, approver, decided_at: clock() })
          .where('id', '=', id)
          .execute()
        await this.#note(tx, who, 'operation-approved', proposed, proposed.reason)
      })
      return this.#carryOut(id)
    })
  }

  /** Declines somebody's proposal, or takes back the own. throws  Refused NOT_FOUND, PROPOSAL_CLOSED */
  async decline(id: number, area: Area, why: string, who: Decider): Promise<void> {
    const { db, clock } = this.#parts
    const { staff } = who.session
    await db.transaction().execute(async (tx) => {
      const found = await this.#find(tx, id, area)
      const approver = await this.#numberOf(tx, staff, area)
      await this.#opened(tx, id)
      await tx
        .updateTable('operations')
        .set({ state: 'declined', decided_by: staff, approver, decided_at: clock(), why })
        .where('id', '=', id)
        .execute()
      await this.#note(tx, who, 'operation-declined', found, why)
    })
  }

  /** Sends what is approved and has no outcome yet, because the core or this process was away. */
  async finish(): Promise<void> {
    await this.#alone(async () => undefined).catch(this.#parts.onFault)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#retry)
    await this.#turns.settled()
  }

  /**
   * One decision at a time, of all processes, and only after those before it have their outcome. `isUrgent`: not even a decision that
   * can't be carried out now delays it.
   */
  #alone<T>(work: () => Promise<T>, isUrgent = false): Promise<T> {
    const { db } = this.#parts
    return this.#turns.next(() =>
      alone(db, async () => {
        const unsent = await db
          .selectFrom('operations')
          .select('id')
          .where('state', '=', 'approved')
          .where('done_at', 'is', null)
          .orderBy('id')
          .execute()
        this.#isBehind = false
        for (const { id } of unsent) {
          const { state } = await this.#carryOut(id, true).catch(refusedOnly)
          if (state === 'waits' && !isUrgent) throw new Refused('UNAVAILABLE')
        }
        return work()
      }),
    )
  }

  /**
   * Sends an approved decision and stores the outcome. `isAgain`: it may have been sent before. It is dropped if the terms are neither
   * those that it replaces nor its own, so that it undoes no later decision.
   *
   * throws  Refused by the core
   */
  async #carryOut(id: number, isAgain = false): Promise<Done> {
    const { db, ask, submit, clock, onFault } = this.#parts
    const row = await db.selectFrom('operations').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    let seq: number | null = null
    let refusal: Refused['refusal'] | undefined
    try {
      const now = await currentOf(ask, row.kind, row.subject).catch(async (cause: unknown) => {
        // A market that is listed by now was listed by this decision.
        if (!(cause instanceof Refused) || cause.refusal !== 'MARKET_EXISTS') throw cause
        return { terms: null, listing: await ask.listing(), scales: { assets: [], markets: [], usdt: 0 } }
      })
      if (isAgain && now.terms !== null && (await this.#isStale(row)) && differences(row.kind, row.terms, now.terms).length > 0)
        throw new Refused('PROPOSAL_STALE')
      const people = { proposer: row.proposer, approver: row.approver!, reason: row.reason }
      const clientId = row.payment === null ? '' : `operation-${id}`
      const decision = { id, kind: row.kind, terms: row.terms, people, clientId, ...(await this.#paid(db, row.payment)) }
      const holders = await holdersOf(db, row.kind, row.terms)
      for (const command of commandsOf({ ...decision, holders }, row.subject, now)) {
        const outcome = await submit(command)
        refusal = outcome.refusal
        if (refusal !== undefined) break
        seq = outcome.seq
      }
    } catch (cause) {
      if (!(cause instanceof Refused) || isFault(cause)) {
        onFault(cause)
        this.#isBehind = true
        return { state: 'waits' }
      }
      refusal = cause.refusal
    }
    const outcome = refusal === undefined ? { seq } : { state: 'failed' as const, seq, refusal }
    await db
      .updateTable('operations')
      .set({ ...outcome, done_at: clock() })
      .where('id', '=', id)
      .where('done_at', 'is', null)
      .execute()
    if (refusal !== undefined) throw new Refused(refusal)
    return { state: 'done', seq }
  }

  async #isStale({ kind, subject, base }: OperationRow): Promise<boolean> {
    try {
      const { terms } = await currentOf(this.#parts.ask, kind, subject)
      return (terms === null) !== (base === null) || (terms !== null && differences(kind, base, terms).length > 0)
    } catch (cause) {
      if (cause instanceof Refused && cause.refusal === 'MARKET_EXISTS') return true
      throw cause
    }
  }

  async #find(db: OperationsDb, id: number, area: Area): Promise<OperationRow> {
    const row = await db.selectFrom('operations').selectAll().where('id', '=', id).where('area', '=', area).executeTakeFirst()
    if (!row) throw new Refused('NOT_FOUND')
    return row
  }

  async #opened(tx: OperationsDb, id: number): Promise<void> {
    const row = await tx.selectFrom('operations').select(['state', 'expires_at']).where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
    if (row.state !== 'open' || row.expires_at <= this.#parts.clock()) throw new Refused('PROPOSAL_CLOSED')
  }

  /** A member's number in the journal, if the member may decide. throws  Refused FORBIDDEN */
  async #numberOf(tx: OperationsDb, staff: string, area: Area): Promise<number> {
    if (!(await areActing(tx, [staff], deciders[area]))) throw new Refused('FORBIDDEN')
    return (await tx.selectFrom('staff').select('number').where('id', '=', staff).executeTakeFirstOrThrow()).number
  }

  /** The firm's account and sum of a payment. throws  Refused FIELD_INVALID */
  async #paid(db: OperationsDb, payment: Payment | null): Promise<{ readonly payer: UserId; readonly amount: Units }> {
    if (payment === null) return { payer: 1 as UserId, amount: 0 as Units }
    const { assets } = await this.#parts.ask.listing()
    const amount = parseUnits(payment.amount, scaleOf(assets, 'USDT'))
    if (amount === undefined || amount <= 0) throw new Refused('FIELD_INVALID', { field: 'payment.amount' })
    const firm = await db.selectFrom('accounts').select('core_user').where('uid', '=', payment.uid).executeTakeFirst()
    if (!firm || firm.core_user === null) throw new Refused('FIELD_INVALID', { field: 'payment.uid' })
    return { payer: firm.core_user as UserId, amount }
  }

  async #note(
    tx: OperationsDb,
    { session, visitor }: Decider,
    action: StaffAction,
    { id, kind, subject }: { readonly id: number; readonly kind: TermKind; readonly subject: string },
    why: string,
  ): Promise<void> {
    const actor = { staff: session.staff, session: session.id, visitor }
    await this.#parts.log.write<OperationsTables>(tx, actor, { action, subject: String(id), why, after: { kind, subject } })
  }
}

/** throws  Refused SUM_DIFFERS unless the approver typed the sum of a payment or posting again */
function requireSum({ kind, terms, payment }: Pick<OperationRow, 'kind' | 'terms' | 'payment'>, typed: string | undefined): void {
  const sum = kind === 'posting' ? (terms['amount'] as string) : payment?.amount
  const isSame = sum === undefined ? typed === undefined : typed !== undefined && isSameSum(sum, typed)
  if (!isSame) throw new Refused('SUM_DIFFERS')
}

/** Of two decimal texts; zeros at the end don't count. */
function isSameSum(one: string, other: string): boolean {
  const [short, shorter] = [one, other].map((text) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text))
  return short === shorter
}

/** The outcome of a command is unknown, or it did not arrive. */
const isFault = ({ refusal }: Refused): boolean => refusal === 'UNAVAILABLE' || refusal === 'STATUS_UNKNOWN' || refusal === 'CLOCK_UNSYNCED'

function refusedOnly(cause: unknown): { readonly state: 'done' } {
  if (!(cause instanceof Refused)) throw cause
  return { state: 'done' }
}

/** For a column of JSON; the driver would take a list for an array of PostgreSQL. */
const json = <T>(value: T): T => (value === null ? null : JSON.stringify(value)) as T
