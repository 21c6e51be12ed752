import type { CannedAnswer } from '@candor/core/protocol/wire/console/support.ts'
import type { Clock } from '../ports.ts'
import { Refused } from '../refused.ts'
import type { StaffLog } from '../staff/log.ts'
import type { Decider } from '../staff/proposals.ts'
import { asksForSecret } from './secrets.ts'
import type { SupportDb, SupportTables } from './tables.ts'

export type NewAnswer = { readonly lang: string; readonly title: string; readonly text: string }

const answersMax = 500

/** Texts that members insert into answers, by language. Each change is in the log with both texts. */
export class Canned {
  readonly #db: SupportDb
  readonly #clock: Clock
  readonly #log: Pick<StaffLog, 'write'>

  constructor(db: SupportDb, clock: Clock, log: Pick<StaffLog, 'write'>) {
    this.#db = db
    this.#clock = clock
    this.#log = log
  }

  async all(): Promise<readonly CannedAnswer[]> {
    return this.#db
      .selectFrom('support_answers as a')
      .innerJoin('staff as s', 's.id', 'a.changed_by')
      .select(['a.id', 'a.lang', 'a.title', 'a.text', 's.email as changedBy', 'a.changed_at as changedAt'])
      .where('a.removed_at', 'is', null)
      .orderBy('a.lang')
      .orderBy('a.title')
      .limit(answersMax)
      .execute()
  }

  /** Returns its number. throws  Refused ASKS_FOR_SECRET */
  async add(answer: NewAnswer, who: Decider): Promise<number> {
    requireHarmless(answer)
    return this.#db.transaction().execute(async (tx) => {
      const { id } = await tx
        .insertInto('support_answers')
        .values({ ...answer, changed_by: who.session.staff, changed_at: this.#clock() })
        .returning('id')
        .executeTakeFirstOrThrow()
      await this.#note(tx, who, id, undefined, answer)
      return id
    })
  }

  /** throws  Refused NOT_FOUND, ASKS_FOR_SECRET */
  async change(id: number, answer: NewAnswer, who: Decider): Promise<void> {
    requireHarmless(answer)
    await this.#db.transaction().execute(async (tx) => {
      const before = await this.#locked(tx, id)
      await tx
        .updateTable('support_answers')
        .set({ ...answer, changed_by: who.session.staff, changed_at: this.#clock() })
        .where('id', '=', id)
        .execute()
      await this.#note(tx, who, id, before, answer)
    })
  }

  /** throws  Refused NOT_FOUND */
  async remove(id: number, who: Decider): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      const before = await this.#locked(tx, id)
      await tx.updateTable('support_answers').set({ removed_at: this.#clock() }).where('id', '=', id).execute()
      await this.#note(tx, who, id, before)
    })
  }

  async #locked(tx: SupportDb, id: number): Promise<NewAnswer> {
    const row = await tx
      .selectFrom('support_answers')
      .select(['lang', 'title', 'text'])
      .where('id', '=', id)
      .where('removed_at', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw new Refused('NOT_FOUND')
    return row
  }

  #note(tx: SupportDb, { session, visitor }: Decider, id: number, before?: NewAnswer, after?: NewAnswer): Promise<void> {
    const actor = { staff: session.staff, session: session.id, visitor }
    const change = { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }
    return this.#log.write<SupportTables>(tx, actor, { action: 'answer-changed', subject: String(id), ...change })
  }
}

function requireHarmless({ text }: NewAnswer): void {
  if (asksForSecret(text)) throw new Refused('ASKS_FOR_SECRET', { field: 'text' })
}
