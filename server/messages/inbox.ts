import type { Channel } from '@candor/core/protocol/wire/user.ts'
import type { Generated, Kysely } from 'kysely'
import type { Clock } from '../ports.ts'
import type { Store } from '../store/open.ts'

type InboxTables = {
  inbox: {
    id: Generated<number>
    channel: Channel
    recipient: string
    sender: string
    subject: string
    body: string
    received_at: number
  }
}

export type Received = {
  readonly id: number
  readonly channel: Channel
  readonly to: string
  readonly from: string
  readonly subject: string
  readonly text: string
  readonly receivedAt: number
}

const keptMax = 500
const shownMax = 100

/** Sandbox only: keeps the newest 500 messages instead of sending them. */
export class Inbox {
  readonly #db: Kysely<InboxTables>
  readonly #clock: Clock

  constructor(store: Store, clock: Clock = Date.now) {
    this.#db = store.db.withTables<InboxTables>() as unknown as Kysely<InboxTables>
    this.#clock = clock
  }

  async add(message: Omit<Received, 'id' | 'receivedAt'>): Promise<void> {
    const { id } = await this.#db
      .insertInto('inbox')
      .values({
        channel: message.channel,
        recipient: message.to.toLowerCase(),
        sender: message.from,
        subject: message.subject,
        body: message.text,
        received_at: this.#clock(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await this.#db
      .deleteFrom('inbox')
      .where('id', '<=', id - keptMax)
      .execute()
  }

  /** Messages of one recipient or of all, newest first. */
  async list(to?: string): Promise<readonly Received[]> {
    const rows = await this.#db
      .selectFrom('inbox')
      .selectAll()
      .$if(to !== undefined, (query) => query.where('recipient', '=', (to as string).toLowerCase()))
      .orderBy('id', 'desc')
      .limit(shownMax)
      .execute()
    return rows.map((row) => ({
      id: row.id,
      channel: row.channel,
      to: row.recipient,
      from: row.sender,
      subject: row.subject,
      text: row.body,
      receivedAt: row.received_at,
    }))
  }
}
