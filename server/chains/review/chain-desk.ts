import { sql } from 'kysely'
import { areActing, proposalLivesMs } from '../../four-eyes.ts'
import type { Clock } from '../../ports.ts'
import { Refused } from '../../refused.ts'
import { isLeftBehind } from '../../store/query/left-behind.ts'
import { isOfPayment } from '../payout/refused.ts'
import { refuseOwn } from './own-withdrawal.ts'
import { type ChainDecision, movementRoles, type Officer, type ReviewDb, withdrawalRoles } from './tables.ts'

export type ChainDeskOptions = {
  readonly db: ReviewDb
  readonly clock: Clock
}

type Kind = ChainDecision['kind']
type About = Pick<ChainDecision, 'kind' | 'withdrawal' | 'network' | 'txid'>

const rolesOf: Readonly<Record<Kind, readonly string[]>> = { ending: withdrawalRoles, movement: movementRoles }

/**
 * Two members end an approved withdrawal that the signer refuses or that never became a payment, or say that what came to an own address was the operator's: one proposes
 * with a reason, another approves within a day. What left an own address only the configuration explains, since whoever has taken the
 * gateway can write what members say.
 */
export class ChainDesk {
  readonly #options: ChainDeskOptions

  constructor(options: ChainDeskOptions) {
    this.#options = options
  }

  /**
   * Proposes to end a withdrawal for which nothing was signed. Returns the proposal's number.
   *
   * throws  Refused NOT_FOUND, FORBIDDEN for their own account, WITHDRAWAL_STATE, PROPOSAL_OPEN
   */
  proposeEnding(withdrawal: number, reason: string, officer: Officer): Promise<number> {
    const about = { kind: 'ending', withdrawal, network: null, txid: null } as const
    return this.#options.db.transaction().execute((tx) => this.#propose(tx, about, reason, officer))
  }

  /**
   * Proposes to explain an unknown inflow by its transaction. Returns the proposal's number.
   *
   * throws  Refused NOT_FOUND, PROPOSAL_OPEN
   */
  proposeMovement(finding: number, reason: string, officer: Officer): Promise<number> {
    return this.#options.db.transaction().execute(async (tx) => {
      const found = await tx
        .selectFrom('treasury_findings')
        .select(['network', 'txid', 'kind'])
        .where('id', '=', finding)
        .where('closed_at', 'is', null)
        .executeTakeFirst()
      if (found === undefined || !isNameable(found)) throw new Refused('NOT_FOUND')
      const { network, txid } = found
      return this.#propose(tx, { kind: 'movement', withdrawal: null, network, txid }, reason, officer)
    })
  }

  /** Approves somebody else's proposal. throws  Refused NOT_FOUND, FORBIDDEN, PROPOSAL_CLOSED, PROPOSAL_STALE, SECOND_PERSON_NEEDED */
  async approve(kind: Kind, id: number, officer: Officer): Promise<void> {
    const { db, clock } = this.#options
    await db.transaction().execute(async (tx) => {
      const row = await find(tx, kind, id)
      const { proposed_by: proposer, reason } = row
      if (proposer === officer.id) throw new Refused('SECOND_PERSON_NEEDED')
      if (!(await areActing(tx, [proposer, officer.id], rolesOf[kind]))) throw new Refused('PROPOSAL_CLOSED')
      await this.#opened(tx, id)
      await check(tx, row, officer, clock())
      await tx
        .updateTable('chain_decisions')
        .set({ state: 'approved', decided_by: officer.id, decided_at: clock() })
        .where('id', '=', id)
        .execute()
      await officer.note(tx, `${kind}-approved`, subjectOf(row), { after: { id }, why: reason })
    })
  }

  /** Declines somebody's proposal, or takes back the own. throws  Refused NOT_FOUND, PROPOSAL_CLOSED, FORBIDDEN */
  async decline(kind: Kind, id: number, why: string, officer: Officer): Promise<void> {
    const { db, clock } = this.#options
    await db.transaction().execute(async (tx) => {
      const row = await find(tx, kind, id)
      if (!(await areActing(tx, [officer.id], rolesOf[kind]))) throw new Refused('FORBIDDEN')
      await this.#opened(tx, id)
      if (row.withdrawal !== null) await refuseOwn(tx, row.withdrawal, officer)
      await tx
        .updateTable('chain_decisions')
        .set({ state: 'declined', decided_by: officer.id, decided_at: clock(), why })
        .where('id', '=', id)
        .execute()
      await officer.note(tx, `${kind}-declined`, subjectOf(row), { after: { id }, why })
    })
  }

  async #propose(tx: ReviewDb, about: About, reason: string, officer: Officer): Promise<number> {
    const at = this.#options.clock()
    if (!(await areActing(tx, [officer.id], rolesOf[about.kind]))) throw new Refused('FORBIDDEN')
    await check(tx, about, officer, at)
    await tx
      .updateTable('chain_decisions')
      .set({ state: 'expired' })
      .where('kind', '=', about.kind)
      .where('withdrawal', 'is not distinct from', about.withdrawal)
      .where('network', 'is not distinct from', about.network)
      .where('txid', 'is not distinct from', about.txid)
      .where('state', '=', 'open')
      .where('expires_at', '<=', at)
      .execute()
    const made = await tx
      .insertInto('chain_decisions')
      .values({ ...about, reason, proposed_by: officer.id, proposed_at: at, expires_at: at + proposalLivesMs })
      .onConflict((clash) => clash.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!made) throw new Refused('PROPOSAL_OPEN')
    await officer.note(tx, `${about.kind}-proposed`, subjectOf(about), { after: { id: made.id }, why: reason })
    return made.id
  }

  async #opened(tx: ReviewDb, id: number): Promise<void> {
    const row = await tx
      .selectFrom('chain_decisions')
      .select(['state', 'expires_at'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (row.state !== 'open' || row.expires_at <= this.#options.clock()) throw new Refused('PROPOSAL_CLOSED')
  }
}

/** Whether two members can explain a difference by its transaction. */
export function isNameable({ kind, txid }: { readonly kind: string; readonly txid: string }): boolean {
  return txid !== '' && kind === 'unknown-inflow'
}

const subjectOf = ({ withdrawal, network, txid }: About): string => (withdrawal === null ? `${network} ${txid}` : String(withdrawal))

async function find(tx: ReviewDb, kind: Kind, id: number) {
  const row = await tx.selectFrom('chain_decisions').selectAll().where('id', '=', id).where('kind', '=', kind).executeTakeFirst()
  if (row === undefined) throw new Refused('NOT_FOUND')
  return row
}

/**
 * A withdrawal ends only while the signer refuses it, or while it was left behind without a payment. The signer has the last word. Inflows are named while nothing
 * explains them: the database then writes them as movements of the operator.
 */
async function check(tx: ReviewDb, { withdrawal, network, txid }: About, officer: Officer, now: number): Promise<void> {
  if (withdrawal === null) {
    const { rows } = await sql`
      select from treasury_flows where network = ${network} and txid = ${txid} and what = 'inflow' and not is_done and not exists (
        select from chain_decisions where kind = 'movement' and network = ${network} and txid = ${txid} and state = 'approved') limit 1`.execute(
      tx,
    )
    if (rows.length === 0) throw new Refused('PROPOSAL_STALE')
    return
  }
  const { rows } = await sql<{ state: string | null; trouble: string | null; isLeft: boolean }>`
    select p.state, p.trouble, ${sql.raw(isLeftBehind('w', 'p', String(now)))} as "isLeft"
    from core_withdrawals w left join payouts p on p.withdrawal = w.id where w.id = ${withdrawal}`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Refused('NOT_FOUND')
  await refuseOwn(tx, withdrawal, officer)
  if (!row.isLeft && (row.state !== 'taken' || !isOfPayment(row.trouble))) throw new Refused('WITHDRAWAL_STATE')
}
