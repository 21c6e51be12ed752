import { Exchange } from '@candor/core/exchange/exchange.ts'
import { encodeCommand } from '@candor/core/protocol/codec/command.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type pg from 'pg'
import { encodePayload } from '../../../journal/payload.ts'
import { digestOf } from '../../../journal/replay.ts'
import { chain, coreVersion, emptyHead, type Head, type Row } from '../../../journal/row.ts'
import { nextCommands, openingCommands, seeded } from './workload.ts'

/** A leader without an engine: decides commands and writes the rows of the journal, as many as a test asks for at once. */
export class WrittenJournal {
  readonly exchange = Exchange.create()
  readonly #pool: pg.Pool
  readonly #random: () => number
  #head: Head = emptyHead
  at: number

  constructor(pool: pg.Pool, seed = 1, at = Date.UTC(2026, 0, 15, 23, 50)) {
    this.#pool = pool
    this.#random = seeded(seed)
    this.at = at
  }

  get seq(): number {
    return this.#head.seq
  }

  /** Each list of commands is one batch: one row. */
  async append(...batches: readonly (readonly Command[])[]): Promise<void> {
    await this.#write(batches.map((commands) => this.#decide(commands)))
  }

  /** Assets, markets, users and money, as the first row. */
  async open(): Promise<void> {
    await this.append(openingCommands())
  }

  /** Mixed orders of all kinds, in `batches` batches of up to `most` commands, over `stepMs` or less each. */
  async trade(batches: number, most = 20, stepMs = 400): Promise<void> {
    let rows: Row[] = []
    for (let batch = 1; batch <= batches; batch++) {
      this.at += Math.floor(this.#random() * stepMs)
      rows.push(this.#decide(nextCommands(this.#random, 1 + Math.floor(this.#random() * most))))
      if (rows.length < 500 && batch < batches) continue
      await this.#write(rows)
      rows = []
    }
  }

  async #write(rows: readonly Row[]): Promise<void> {
    const columns = [
      rows.map(({ seq }) => seq),
      rows.map(({ n }) => n),
      rows.map(({ firstAt }) => firstAt),
      rows.map(({ prevHash }) => prevHash),
      rows.map(({ hash }) => hash),
      rows.map(({ eventsDigest }) => eventsDigest),
      rows.map(({ payload }) => payload),
    ].map((column) => column.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value)))
    await this.#pool.query(
      `insert into journal (seq, n, first_at, prev_hash, hash, events_digest, payload, epoch, core_version)
       select *, 1, ${coreVersion} from unnest($1::bigint[], $2::integer[], $3::bigint[], $4::bytea[], $5::bytea[], $6::bytea[], $7::bytea[])`,
      columns,
    )
  }

  #decide(commands: readonly Command[]): Row {
    const records = new Records()
    const events = new Records()
    const firstAt = this.at
    for (const command of commands) {
      const offset = records.length
      encodeCommand(command, { seq: this.exchange.seq + 1, at: this.at, keyId: 0 }, records)
      this.exchange.execute(records.data, offset, events)
    }
    const batch = { seq: this.exchange.seq, n: commands.length, firstAt, coreVersion, eventsDigest: digestOf(events) }
    const row = chain(this.#head, 1, { ...batch, payload: encodePayload({ commands: records, refused: [] }) })
    this.#head = row
    return row
  }
}
