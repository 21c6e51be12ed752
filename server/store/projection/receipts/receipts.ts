import type { Millis } from '@candor/core/money/brand.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { Seq } from '@candor/core/protocol/ids.ts'
import { Columns, type Statement } from '../columns.ts'
import type { CommandPlace } from '../each-command.ts'
import type { Known } from '../known.ts'
import { ReceiptLines, type ReceiptStart } from './lines.ts'

/** The rows of receipts: see `ReceiptLines`. */
export class ReceiptProjection {
  readonly #lines: ReceiptLines
  readonly #rows = new Columns('receipts', { seq: 'bigint', user_id: 'bigint', at_ms: 'bigint', lines: 'text' })

  constructor(known: Known, start: ReceiptStart) {
    this.#lines = new ReceiptLines(known, start)
  }

  get size(): number {
    return this.#rows.length
  }

  /** `place`: the command; absent where only events are at hand. */
  applyCommand(events: readonly Event[], seq: Seq, at: Millis, place: CommandPlace | undefined): void {
    for (const [user, text] of this.#lines.of(events, place)) this.#rows.add(seq).add(user).add(at).add(text)
  }

  take(): readonly (Statement | undefined)[] {
    return [this.#rows.take()]
  }
}
