import type { Millis } from '@candor/core/money/brand.ts'
import { receiptLine } from '@candor/core/proof/receipt.ts'
import { decodeCommand } from '@candor/core/protocol/codec/command.ts'
import { SEQ, USER } from '@candor/core/protocol/codec/layout.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { Event, OutcomeEvent } from '@candor/core/protocol/event/index.ts'
import { movementsFrom, type Seq, type UserId } from '@candor/core/protocol/ids.ts'
import { Columns, type Statement } from '../columns.ts'
import type { Known } from '../known.ts'
import { commandFacts } from './commands.ts'
import { eventTellings } from './events.ts'
import type { Told } from './told.ts'
import { ifSo, orderOf, Words } from './words.ts'

/** Where a command stands among others: see `decodeCommand`. */
export type CommandPlace = { readonly data: Float64Array; readonly offset: number }

const tellings: Readonly<Record<Event['type'], readonly Told<Event>[] | string>> = eventTellings as Readonly<
  Record<Event['type'], readonly Told<Event>[] | string>
>
const facts = commandFacts as Readonly<Record<Command['type'], ((command: Command, words: Words) => object) | 'house'>>

/**
 * For each command and customer, the lines of the receipt: the command if it came in the customer's name, and the customer's own events.
 * The exchange's own programs get none.
 */
export class ReceiptProjection {
  readonly #words: Words
  readonly #house: Set<UserId>
  /** Earlier commands have no receipts. */
  readonly #after: Seq
  readonly #rows = new Columns('receipts', { seq: 'bigint', user_id: 'bigint', at_ms: 'bigint', lines: 'text' })
  /** Lines of the current command, by customer. */
  readonly #lines = new Map<UserId, string>()

  /** `house`: users of the house. `after`: the last command without receipts, because they came with a later version. */
  constructor(known: Known, house: Iterable<UserId>, after: Seq) {
    this.#words = new Words(known)
    this.#house = new Set(house)
    this.#after = after
  }

  get size(): number {
    return this.#rows.length
  }

  /** `place`: the command; absent where only events are at hand. */
  applyCommand(events: readonly Event[], seq: Seq, at: Millis, place: CommandPlace | undefined): void {
    if (seq <= this.#after) return this.#noteHouse(events)
    const outcome = events.at(-1) as OutcomeEvent
    // A number that is no user's may become one's later.
    const hasSender = place !== undefined && outcome.refusal !== 'USER_UNKNOWN'
    const sender = hasSender ? this.#command(place, seq) : undefined
    for (const event of events) this.#event(event)
    if (sender !== undefined) this.#add(sender, receiptLine('event', 'outcome', outcomeOf(outcome)))
    if (this.#lines.size > 0) this.#write(seq, at)
  }

  take(): readonly (Statement | undefined)[] {
    return [this.#rows.take()]
  }

  #command({ data, offset }: CommandPlace, seq: Seq): UserId | undefined {
    if (data[offset + SEQ] !== seq) throw new Error(`The command at the place of ${seq} is ${data[offset + SEQ]}`)
    const user = data[offset + USER] as UserId
    if (user === 0 || this.#house.has(user)) return undefined
    const { command } = decodeCommand(data, offset)
    const tell = facts[command.type]
    if (tell === 'house') return undefined
    this.#add(user, receiptLine('command', command.type, tell(command, this.#words)))
    return user
  }

  #event(event: Event): void {
    if (event.type === 'user.housed') this.#noteHouse([event])
    const telling = tellings[event.type]
    if (typeof telling === 'string') return
    for (const told of telling) {
      const user = told.to(event)
      if (user !== 0 && !this.#house.has(user)) this.#add(user, receiptLine('event', event.type, told.facts(event, this.#words)))
    }
  }

  #add(user: UserId, line: string): void {
    const before = this.#lines.get(user)
    this.#lines.set(user, before === undefined ? line : before + line)
  }

  #write(seq: Seq, at: Millis): void {
    const lines = this.#lines.size === 1 ? this.#lines : [...this.#lines].sort(([a], [b]) => a - b)
    for (const [user, text] of lines) this.#rows.add(seq).add(user).add(at).add(text)
    this.#lines.clear()
  }

  #noteHouse(events: readonly Event[]): void {
    for (const event of events) {
      if (event.type !== 'user.housed') continue
      if (event.isHouse) this.#house.add(event.user)
      else this.#house.delete(event.user)
    }
  }
}

/** `movement`: the place in the journal of a transfer, a loan or a withdrawal, or of the first one when this is a repeat. */
function outcomeOf({ isRepeat, order, refusal }: OutcomeEvent): object {
  const movement = order < movementsFrom ? undefined : order - movementsFrom
  return { isRepeat: ifSo(isRepeat), movement, order: movement === undefined ? orderOf(order) : undefined, refusal }
}
