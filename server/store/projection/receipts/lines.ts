import { receiptLine } from '@candor/core/proof/receipt.ts'
import { decodeCommand } from '@candor/core/protocol/codec/command.ts'
import { SEQ, USER } from '@candor/core/protocol/codec/layout.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { Event, OutcomeEvent } from '@candor/core/protocol/event/index.ts'
import { movementsFrom, type Seq, type UserId } from '@candor/core/protocol/ids.ts'
import type { CommandPlace } from '../each-command.ts'
import type { Known } from '../known.ts'
import { commandFacts } from './commands.ts'
import { eventTellings } from './events.ts'
import type { Told } from './told.ts'
import { ifSo, orderOf, Words } from './words.ts'

const tellings: Readonly<Record<Event['type'], readonly Told<Event>[] | string>> = eventTellings as Readonly<
  Record<Event['type'], readonly Told<Event>[] | string>
>
const facts = commandFacts as Readonly<Record<Command['type'], ((command: Command, words: Words) => object) | 'house'>>

/** The house's own users, who get no receipts, and the last command without receipts, because they came with a later version. */
export type ReceiptStart = { readonly house: Iterable<UserId>; readonly after: Seq }

/**
 * For each command and customer, the lines of the receipt: the command if it came in the customer's name, and the customer's own events.
 * The exchange's own programs get none. Commands must come in their order, each once.
 */
export class ReceiptLines {
  readonly #words: Words
  readonly #house: Set<UserId>
  readonly #after: Seq
  /** Lines of the current command, by customer. */
  readonly #lines = new Map<UserId, string>()

  /** `known`: must have what the events of a command list before the command comes here. */
  constructor(known: Known, { house, after }: ReceiptStart) {
    this.#words = new Words(known)
    this.#house = new Set(house)
    this.#after = after
  }

  /**
   * The lines of one command's receipts, in the order of user numbers. They hold until the next call.
   *
   * events  of the command, its outcome last
   * place   the command; absent where only events are at hand
   */
  of(events: readonly Event[], place: CommandPlace | undefined): Iterable<readonly [UserId, string]> {
    this.#lines.clear()
    const outcome = events.at(-1) as OutcomeEvent
    if (outcome.seq <= this.#after) {
      this.#noteHouse(events)
      return this.#lines
    }
    // A number that is no user's may become one's later.
    const hasSender = place !== undefined && outcome.refusal !== 'USER_UNKNOWN'
    const sender = hasSender ? this.#command(place, outcome.seq) : undefined
    for (const event of events) this.#event(event)
    if (sender !== undefined) this.#add(sender, receiptLine('event', 'outcome', outcomeOf(outcome)))
    return this.#lines.size < 2 ? this.#lines : [...this.#lines].sort(([a], [b]) => a - b)
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
