/** Many orders at once: decided by the real core and written as rows of the journal, but in thousands, without an engine. */
import { encodeCommand } from '@candor/core/protocol/codec/command.ts'
import { OUTCOME_LENGTH, OUTCOME_REFUSAL } from '@candor/core/protocol/codec/event-layout.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import { JournalWriter } from '../../../server/journal/append.ts'
import { beginPayload, sealPayload } from '../../../server/journal/payload.ts'
import { recover } from '../../../server/journal/recover.ts'
import { digestOf } from '../../../server/journal/replay.ts'
import { chain, coreVersion, type Row } from '../../../server/journal/row.ts'
import { saveSnapshot } from '../../../server/journal/snapshots.ts'
import type { Store } from '../../../server/store/open.ts'

const perBatch = 128
const rowsAtOnce = 1_000
/** Commands of a millisecond. */
const perMs = 100

export type Bulk = { readonly orders: number; readonly commands: number; readonly seq: number }

/**
 * Appends `next` commands until so many orders were accepted, from where the journal ends, and a snapshot of the state behind them. No engine
 * may run.
 */
export async function writeInBulk(store: Store, orders: number, next: () => Command): Promise<Bulk> {
  const { exchange, head: start } = await recover(store.pool)
  const writer = await JournalWriter.lead(store.url)
  const firstSeq = exchange.seq
  const { atMs } = exchange
  const [batch, events] = [new Records(), new Records()]
  let [head, placed, rows]: [Row | typeof start, number, Row[]] = [start, 0, []]
  while (placed < orders) {
    events.clear()
    beginPayload(batch)
    const refused: { seq: number; refusal: number }[] = []
    const firstAt = atMs + Math.floor((exchange.seq - firstSeq) / perMs)
    for (let n = 0; n < perBatch; n++) {
      const command = next()
      const at = batch.length
      encodeCommand(command, { seq: exchange.seq + 1, at: firstAt, keyId: 0 }, batch)
      exchange.execute(batch.data, at, events)
      const refusal = events.data[events.length - OUTCOME_LENGTH + OUTCOME_REFUSAL] as number
      if (refusal !== 0) refused.push({ seq: exchange.seq, refusal })
      else if (command.type === 'spot.place') placed++
    }
    const payload = sealPayload(batch, refused).slice()
    const row = chain(head, writer.epoch, { seq: exchange.seq, n: perBatch, firstAt, coreVersion, eventsDigest: digestOf(events), payload })
    rows.push(row)
    head = row
    if (rows.length < rowsAtOnce && placed < orders) continue
    await write(store, writer.epoch, rows)
    rows = []
  }
  await writer.close()
  await saveSnapshot(store.pool, { ...head, coreVersion, dump: exchange.dump() })
  return { orders: placed, commands: exchange.seq - firstSeq, seq: exchange.seq }
}

async function write({ pool }: Store, epoch: number, rows: readonly Row[]): Promise<void> {
  const bytes = (pick: (row: Row) => Uint8Array): readonly Buffer[] => rows.map((row) => Buffer.from(pick(row)))
  await pool.query(
    `insert into journal (seq, n, first_at, prev_hash, hash, events_digest, payload, epoch, core_version)
     select *, ${epoch}, ${coreVersion} from unnest($1::bigint[], $2::integer[], $3::bigint[], $4::bytea[], $5::bytea[], $6::bytea[], $7::bytea[])`,
    [
      rows.map(({ seq }) => seq),
      rows.map(({ n }) => n),
      rows.map(({ firstAt }) => firstAt),
      ...[bytes((row) => row.prevHash), bytes((row) => row.hash), bytes((row) => row.eventsDigest), bytes((row) => row.payload)],
    ],
  )
}
