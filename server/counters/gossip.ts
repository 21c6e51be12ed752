import { randomUUID } from 'node:crypto'
import { type Count, gossipMs, type SharedCounts } from './counts.ts'
import { type CountList, HeardCounts } from './heard.ts'

/** A gateway with nothing to tell says so often that it is there. */
const aliveMs = 1_000
/** A gateway that is alone looks so often for others. */
const lookMs = 5_000
/** A gateway that was silent for so long is gone. */
const silentMs = 5_000
/** Between two requests to the same gateway to tell everything. */
const askAgainMs = 500
/** Counts in one message: some 200 kB. */
const countsMax = 4_000
const sweepMs = 60_000

/**
 * n               number of the sender's message: a gap tells that one was lost
 * asks            gateways that shall tell everything
 * isFirst, rest   of the messages that tell everything: the first one, and how many follow
 * isEnd           the sender's last message
 */
type Message = {
  readonly from: string
  readonly n: number
  readonly asks?: readonly string[]
  readonly isFirst?: boolean
  readonly rest?: number
  readonly isEnd?: boolean
  readonly counts?: Lists
}
type Lists = Readonly<Record<string, CountList>>

/** Another version of the exchange may tell something else while machines are upgraded one by one. */
function isMessage(value: unknown): value is Message {
  const { from, n, asks = [], counts = {} } = (value ?? {}) as Partial<Message>
  if (typeof from !== 'string' || !Number.isSafeInteger(n) || !Array.isArray(asks)) return false
  return typeof counts === 'object' && counts !== null && Object.values(counts).every((list) => Array.isArray(list))
}

/**
 * n          number of its last message
 * isBehind   it must tell everything: one of its messages was lost, or it is new
 * isTelling  it does so now, and none of these messages was lost so far
 * isKnown    it has told everything once
 */
type Other = { n: number; isBehind: boolean; isTelling: boolean; isKnown: boolean; heardAt: number; askedAt: number }

export type GossipParts = {
  readonly publish: (value: unknown) => void
  readonly onPublished: (listener: (value: unknown) => void) => void
  /** Kinds of counts by name; each gateway has the same. */
  readonly kinds: Readonly<Record<string, SharedCounts>>
  /** Called with the number of other gateways whenever it changes. */
  readonly onOthers?: (others: number) => void
  /** A monotonic clock of a test, which calls `tick` itself. */
  readonly now?: () => number
}

/**
 * Tells the other gateways ten times a second what this one has counted since, in one message for all counts, and adds theirs to the
 * sums that are enforced here. Values are told as they stand: a message may be lost, come late or twice. A gap in the numbers of a
 * gateway's messages makes it tell everything again. A gateway that starts has a new name, so its counts begin beside those that it had.
 * One that is alone notes nothing, and sends only a sign of life every five seconds.
 */
export class Gossip implements Disposable {
  readonly id = randomUUID()
  readonly #parts: GossipParts
  readonly #now: () => number
  readonly #heard: HeardCounts
  readonly #others = new Map<string, Other>()
  readonly #looker: NodeJS.Timeout | undefined
  #beat: NodeJS.Timeout | undefined
  #n = 0
  #sentAt = Number.NEGATIVE_INFINITY
  #sweptAt: number
  #isAsked = false
  #isClosed = false

  constructor(parts: GossipParts) {
    this.#parts = parts
    this.#now = parts.now ?? (() => performance.now())
    this.#sweptAt = this.#now()
    this.#heard = new HeardCounts(parts.kinds, this.#now)
    parts.onPublished((value) => isMessage(value) && this.#hear(value))
    this.look()
    if (parts.now === undefined) this.#looker = setInterval(() => this.look(), lookMs).unref()
  }

  /** Number of other gateways that were heard within the last seconds. */
  get others(): number {
    return this.#others.size
  }

  /** Says that this gateway is there, as long as it is alone. */
  look(): void {
    if (this.#others.size === 0) this.#send({})
  }

  /** Called ten times a second while there are others. */
  tick(): void {
    const now = this.#now()
    for (const [id, { heardAt }] of this.#others) if (now - heardAt > silentMs) this.#drop(id)
    if (this.#others.size === 0) return
    this.#heard.again()
    if (now - this.#sweptAt >= sweepMs) {
      this.#sweptAt = now
      this.#heard.sweep()
    }
    if (this.#isAsked) this.#tellAll()
    const asks = this.#asks(now)
    const messages = this.#listsOf((counts) => counts.changed())
    for (const counts of messages) this.#send({ counts })
    if (asks.length > 0 || now - this.#sentAt >= aliveMs) this.#send({ asks })
  }

  [Symbol.dispose](): void {
    this.#send({ isEnd: true })
    this.#isClosed = true
    clearInterval(this.#looker)
    clearInterval(this.#beat)
  }

  #hear({ from, n, asks, isFirst = false, rest, isEnd = false, counts = {} }: Message): void {
    if (this.#isClosed || from === this.id) return
    if (isEnd) return this.#drop(from)
    const other = this.#others.get(from) ?? this.#join(from, n)
    other.heardAt = this.#now()
    if (n < other.n) return
    if (n > other.n + 1) {
      other.isBehind = true
      other.isTelling = false
    }
    other.n = n
    if (asks?.includes(this.id) === true) this.#isAsked = true
    if (isFirst) {
      other.isTelling = true
      this.#heard.forgetLevels(from)
    }
    for (const [kind, list] of Object.entries(counts)) this.#heard.hear(from, kind, list, other.isKnown)
    if (rest !== 0 || !other.isTelling) return
    other.isTelling = false
    other.isBehind = false
    other.isKnown = true
  }

  #join(from: string, n: number): Other {
    const other: Other = { n, isBehind: true, isTelling: false, isKnown: false, heardAt: 0, askedAt: Number.NEGATIVE_INFINITY }
    this.#others.set(from, other)
    if (this.#others.size === 1) {
      for (const counts of Object.values(this.#parts.kinds)) counts.watch(true)
      if (this.#parts.now === undefined) this.#beat = setInterval(() => this.tick(), gossipMs).unref()
    }
    this.#parts.onOthers?.(this.#others.size)
    return other
  }

  #drop(id: string): void {
    if (!this.#others.delete(id)) return
    this.#heard.forgetLevels(id)
    if (this.#others.size === 0) {
      clearInterval(this.#beat)
      for (const counts of Object.values(this.#parts.kinds)) counts.watch(false)
    }
    this.#parts.onOthers?.(this.#others.size)
  }

  /** The gateways that must tell everything. */
  #asks(now: number): readonly string[] {
    const asked: string[] = []
    for (const [id, other] of this.#others) {
      if (!other.isBehind || now - other.askedAt < askAgainMs) continue
      other.askedAt = now
      asked.push(id)
    }
    return asked
  }

  /** All at once: what is told between two of these messages would be older than what was told before. */
  #tellAll(): void {
    this.#isAsked = false
    const messages = this.#listsOf((counts) => counts.all())
    if (messages.length === 0) messages.push({})
    for (const [i, counts] of messages.entries()) this.#send({ isFirst: i === 0, rest: messages.length - 1 - i, counts })
  }

  #listsOf(read: (counts: SharedCounts) => readonly Count[]): Lists[] {
    const lists: Lists[] = []
    let list: Record<string, CountList> = {}
    let room = countsMax
    for (const [kind, counts] of Object.entries(this.#parts.kinds)) {
      const found = read(counts)
      for (let i = 0; i < found.length; ) {
        const part = found.slice(i, i + room)
        list[kind] = part.flat()
        i += part.length
        room -= part.length
        if (room > 0) continue
        lists.push(list)
        list = {}
        room = countsMax
      }
    }
    if (room < countsMax) lists.push(list)
    return lists
  }

  #send(what: Omit<Message, 'from' | 'n'>): void {
    this.#sentAt = this.#now()
    this.#parts.publish({ from: this.id, n: ++this.#n, ...what } satisfies Message)
  }
}
