import { RequestHash } from '@candor/core/exchange/requests/hash.ts'
import { placesOf } from '@candor/core/exchange/requests/places.ts'
import type { RequestHashes } from '@candor/core/exchange/requests/kept.ts'
import { clientIdSlots, packText } from '@candor/core/protocol/codec/text.ts'
import type { Seq, UserId } from '@candor/core/protocol/ids.ts'
import type { Ask, Outcome, Submit } from '@candor/core/protocol/port.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Millis } from '@candor/core/money/brand.ts'
import type pg from 'pg'
import { Refused } from '../../refused.ts'
import { readWatermark, type Watermark } from '../../store/projector/watermark.ts'
import { type RecordedRequest, recordedIds, recordedRequest, recordedSince } from '../../store/query/request-blocks.ts'
import { packId } from '../../store/request-block.ts'
import type { Freshness } from '../freshness.ts'
import { CommandHashes, outcomeOf } from './first-outcome.ts'
import { isNamed, isOfUser, type Named, type OfUser } from './named.ts'
import { SeenIds, seenKept } from './seen-ids.ts'

/** Part of the ring that may pass between two looks at how far the core remembers: one in this many. */
const share = 8
/** Part of the ring that may pass when the tables have the rest: one in this many. */
const seenShare = 16
/** The tables are read again when more than this part of the ring may have reached them since. */
const readAt = 4
/**
 * After this many looks by other gateways this gateway looks again, so that the requests that all of them have let pass since
 * stay below the half of the ring that may be unseen.
 */
const heardMax = 3
/** With less than this part of the ring left, a user's ids are also looked for in the tables. */
const nearEnd = 4
/** With less than this part left, a request waits for the tables while they lack more than half of the ring. */
const lastEnd = 16
/** How long a request waits for tables that are behind. */
const tablesMaxDefaultMs = 5_000
/** Pause between two looks for a user who waits, in milliseconds. */
const pauseMs = 10
/** After this many commands the rings of all users are looked at again: rings become small after twice as many. */
const commandsMax = 2 ** 20
const usersMax = 100_000
const looksMax = 64
/** Those of a user with the most ids take three megabytes. */
const seenBytesMaxDefault = 2 ** 29

export type OldIdsParts = {
  readonly submit: Submit
  readonly ask: Pick<Ask, 'requestRoom'>
  readonly freshness: Pick<Freshness, 'reached'>
  readonly pool: pg.Pool
  /** Tells other gateways that this one let more requests of a user pass. */
  readonly tell?: (user: UserId) => void
  /** Hears, once, that the core is certain about each user's very last requests only: nothing may be sent again without a look. */
  readonly onCrowded?: () => void
  /** Test only: how long a request waits for tables that are behind. */
  readonly tablesMaxMs?: number
  /** Test only: what the filters of all users take. */
  readonly seenBytesMax?: number
}

const nothingNew: Watermark = { seq: Number.MAX_SAFE_INTEGER as Seq, at: Number.MAX_SAFE_INTEGER as Millis }

/** Number of the user's next request as of a journal position. */
type Look = { readonly seq: number; readonly next: number }

/**
 * The state of a user. `left`: requests that may pass before the next look, which starts when `half` are left; `allowed`: as many as the
 * look allowed. `heard`: looks of other gateways since; `released`: commands of the user that the engine released since. `seen`: ids in the tables; undefined: the core remembers all. `looks`: oldest first, starting with the
 * last one that the tables cover.
 */
type Standing = {
  left: number
  half: number
  allowed: number
  heard: number
  released: number
  seen: SeenIds | undefined
  looks: Look[]
  looking: Promise<void> | undefined
  /** Requests that came after one whose id is being looked for in the tables. */
  waiting: Waiting[] | undefined
}

type Waiting = { readonly command: OfUser; readonly keyId: number | undefined; readonly send: (sent: Promise<Outcome>) => void }
type Room = Awaited<ReturnType<Ask['requestRoom']>>

/**
 * Passes requests with client ids to the engine. The core remembers each user's last requests. The follower stores in the tables
 * those that the core may forget within a day (`RequestProjection`). A request whose id is in the tables gets its first outcome
 * from there and does not reach the engine.
 *
 * Requests of users far from the end of their ring pass at once; now and then the core is asked for the distance. For other users
 * this class keeps the ids that are in the tables and reads new ones now and then. Ids not yet in the tables are still in the
 * ring: a look lets a sixteenth of the ring pass if at most half of it is newer than the rows that were read. Gateways tell each
 * other about their looks. When neither the core nor the tables can be asked, the request is refused as not executed.
 */
export class OldIds {
  readonly #parts: OldIdsParts
  readonly #users = new Map<UserId, Standing>()
  readonly #hashes = new CommandHashes()
  readonly #hash = new RequestHash()
  readonly #id = new Float64Array(clientIdSlots)
  #isCrowded = false
  /** Journal position at which all users were last looked at again. */
  #doubtedAt = 0
  #seenCount = 0
  /** `seen` covers the tables up to this position; undefined when nothing is seen. */
  #upTo: Watermark | undefined
  /** The last read of new rows, which never rejects, and the one that starts after it. */
  #lastRead: Promise<unknown> = Promise.resolve()
  #nextRead: Promise<Watermark> | undefined

  constructor(parts: OldIdsParts) {
    this.#parts = parts
  }

  readonly submit: Submit = (command, keyId) => {
    if (!isOfUser(command)) return this.#parts.submit(command, keyId)
    const standing = this.#users.get(command.user)
    // No request overtakes one that waits for a look, or for the tables' answer about its id.
    if (standing?.waiting !== undefined) return new Promise((send) => standing.waiting!.push({ command, keyId, send }))
    const count = placesOf(command)
    if (standing === undefined ? count > 0 : standing.left <= 0 && (count > 0 || standing.looking !== undefined)) {
      return this.#afterLook(command, keyId)
    }
    if (standing === undefined || count === 0) return this.#parts.submit(command, keyId)
    return this.#pass(standing, command, count, keyId)
  }

  /** Another gateway let more requests of this user pass. */
  heard(user: UserId): void {
    const standing = this.#users.get(user)
    if (standing !== undefined && ++standing.heard >= heardMax) standing.left = 0
  }

  /**
   * A command of this user was released, from whichever gateway it came: what others let pass counts also when their messages about it were
   * lost.
   */
  saw(user: UserId): void {
    const standing = this.#users.get(user)
    if (standing === undefined || ++standing.released < heardMax * standing.allowed) return
    standing.heard = heardMax
    standing.left = 0
  }

  /** The journal has reached this position. Even if this gateway is idle, others' requests may make the exchange crowded. */
  reached(seq: number): void {
    if (seq - this.#doubtedAt < commandsMax) return
    this.#doubtedAt = seq
    if (this.#upTo !== undefined && seq - this.#upTo.seq >= commandsMax) this.#forgetAll()
    if (!this.#isCrowded) this.doubtAll()
  }

  /** New ids were not read for long: a look for one user would read those of all users since, in one piece. */
  #forgetAll(): void {
    for (const one of this.#users.values()) if (one.seen !== undefined && one.looking === undefined) this.#forget(one)
  }

  /** This user's ring may have changed. */
  doubt(user: UserId): void {
    const standing = this.#users.get(user)
    if (standing !== undefined) doubt(standing)
  }

  /** All users are looked at again: messages of other gateways may be lost, and a restarted core counts from another number. */
  doubtAll(): void {
    for (const standing of this.#users.values()) doubt(standing)
  }

  #pass(standing: Standing, command: OfUser, count: number, keyId: number | undefined): Promise<Outcome> {
    const before = standing.left
    standing.left -= count
    if (before > standing.half && standing.left <= standing.half) this.#look(command.user, standing).catch(() => undefined)
    const { seen } = standing
    if (seen === undefined || !isNamed(command)) return this.#parts.submit(command, keyId)
    const hash = this.#hash
    packText(command.clientId, this.#id, 0, clientIdSlots)
    hash.hashId(command.user, this.#id, 0)
    return seen.has(hash.low, hash.high) ? this.#answer(standing, seen, command, keyId) : this.#parts.submit(command, keyId)
  }

  async #afterLook(command: OfUser, keyId: number | undefined): Promise<Outcome> {
    const standing = this.#standing(command.user)
    await this.#look(command.user, standing)
    return this.submit(command, keyId)
  }

  async #answer(standing: Standing, seen: SeenIds, command: Named, keyId: number | undefined): Promise<Outcome> {
    const hashes = this.#hashes.of(command)
    standing.waiting = []
    try {
      const first = await this.#firstOutcome(seen, hashes)
      // Created before the waiting requests are released.
      return first === undefined ? this.#parts.submit(command, keyId) : outcomeOf(first, hashes)
    } finally {
      this.#letGo(standing)
    }
  }

  /** The tables' answer about an id that seems to be in them. throws  Refused UNAVAILABLE */
  async #firstOutcome(seen: SeenIds, { user, idLow, idHigh }: RequestHashes): Promise<RecordedRequest | undefined> {
    const spans = [...seen.spansOf(idLow, idHigh)]
    if (spans.length === 0) return undefined
    const found = await recordedRequest(this.#parts.pool, user, packId(idLow, idHigh), spans).catch(notNow)
    if (found !== undefined) return found
    // The database may have lost the rows that were seen. The follower writes them again.
    const last = Math.max(...spans.map(({ to }) => to))
    if ((await readWatermark(this.#parts.pool).catch(notNow)).seq < last) throw unavailable()
    return undefined
  }

  /** Sends the requests that waited, in order, up to the next whose id must be looked for. */
  #letGo(standing: Standing): void {
    const waiting = standing.waiting ?? []
    standing.waiting = undefined
    let sent = 0
    while (sent < waiting.length && !isLookedFor(standing)) {
      const { command, keyId, send } = waiting[sent++]!
      // An exception must not block the following requests.
      send((async () => this.submit(command, keyId))())
    }
    for (; sent < waiting.length; sent++) standing.waiting!.push(waiting[sent]!)
  }

  /** Looks at a user's ring; one look at a time. throws  Refused UNAVAILABLE */
  #look(user: UserId, standing: Standing): Promise<void> {
    standing.looking ??= this.#lookNow(user, standing).finally(() => (standing.looking = undefined))
    return standing.looking
  }

  async #lookNow(user: UserId, standing: Standing): Promise<void> {
    this.#parts.tell?.(user)
    // Those whose last look is the longest ago are forgotten first.
    if (this.#users.delete(user)) this.#users.set(user, standing)
    const until = performance.now() + (this.#parts.tablesMaxMs ?? tablesMaxDefaultMs)
    for (;;) {
      // The core's answer already counts the requests that other gateways let pass before it.
      standing.heard = 0
      standing.released = 0
      const room = await this.#parts.ask.requestRoom(user)
      const { seq, ring, left, isCrowded, next } = room
      if (isCrowded && !this.#isCrowded) {
        // The allowances were computed for larger rings. Even users who send nothing lose ids when others fill the rest.
        this.#isCrowded = true
        this.#parts.onCrowded?.()
        this.doubtAll()
        continue
      }
      if (left * nearEnd >= ring) {
        this.#forget(standing)
        return this.#allow(standing, left / share)
      }
      standing.looks.push({ seq, next })
      const upTo = await this.#read(user, standing, room).catch(notNow)
      const isSeen = this.#unseen(standing, upTo, next) * 2 <= ring
      // Tables that are behind delay nobody as long as no request has left the ring.
      const isHeld = left * lastEnd >= ring
      if ((isSeen || isHeld) && standing.heard < heardMax) return this.#allow(standing, isSeen ? ring / seenShare : left / share)
      if (performance.now() > until) throw unavailable()
      await this.#parts.freshness.reached(seq).catch(notNow)
      await sleep(pauseMs)
    }
  }

  /** Whether requests before number `next` may be missing in the rows that were read. */
  #unseen({ looks }: Standing, upTo: Watermark, next: number): number {
    while (looks.length > 1 && looks[1]!.seq <= upTo.seq) looks.shift()
    if (looks.length > looksMax) looks.splice(1, 1)
    const known = looks[0]
    return known !== undefined && known.seq <= upTo.seq ? (next - known.next) | 0 : Number.POSITIVE_INFINITY
  }

  #allow(standing: Standing, count: number): void {
    standing.left = Math.max(1, Math.floor(count))
    standing.half = standing.left >> 1
    standing.allowed = standing.left
  }

  /**
   * Reads all rows of a user who is new here, otherwise new rows if much of the ring may be among them. Returns the position read
   * up to.
   */
  async #read(user: UserId, standing: Standing, { ring, next }: Pick<Room, 'ring' | 'next'>): Promise<Watermark> {
    if (standing.seen === undefined) return this.#readAll(user, standing)
    if (this.#upTo !== undefined && this.#unseen(standing, this.#upTo, next) * readAt <= ring) return this.#upTo
    return this.#readNew()
  }

  /** Reads the new rows of all users. A read already under way may have missed some, so callers share the one that starts after it. */
  #readNew(): Promise<Watermark> {
    this.#nextRead ??= this.#lastRead.then(() => {
      this.#nextRead = undefined
      const read = this.#readSince()
      this.#lastRead = read.catch(() => undefined)
      return read
    })
    return this.#nextRead
  }

  async #readSince(): Promise<Watermark> {
    const since = this.#upTo
    const { upTo, rows } = await recordedSince(this.#parts.pool, since ?? nothingNew)
    for (const { user, seq, ids } of rows) {
      const seen = this.#users.get(user as UserId)?.seen
      seen?.add(seq, ids)
    }
    // A user who is new here may have set it back meanwhile.
    if (this.#upTo === since && since !== undefined) this.#upTo = upTo
    return upTo
  }

  async #readAll(user: UserId, standing: Standing): Promise<Watermark> {
    const { pool, seenBytesMax = seenBytesMaxDefault } = this.#parts
    const upTo = await readWatermark(pool)
    const seen = new SeenIds()
    // From now on `seen` also gets the rows that other reads find; nothing passes before the rest is read.
    standing.seen = seen
    this.#seenCount++
    if (this.#upTo === undefined || this.#upTo.seq > upTo.seq) this.#upTo = upTo
    const rows = await recordedIds(pool, user, seenKept).catch((cause: unknown) => {
      this.#unsee(standing)
      throw cause
    })
    await seen.load(rows)
    while (this.#seenBytes > seenBytesMax && this.#forgetLargest(standing));
    return upTo
  }

  /**
   * Forgets the largest filter, of equal ones the longest unused: a few users with very many ids don't push out those of all others. Returns
   * false when there is none but that of `except` and of users who are being looked at.
   */
  #forgetLargest(except: Standing): boolean {
    let largest: Standing | undefined
    for (const one of this.#users.values()) {
      if (one === except || one.looking !== undefined || one.seen === undefined) continue
      if (largest?.seen === undefined || one.seen.bytes > largest.seen.bytes) largest = one
    }
    if (largest !== undefined) this.#forget(largest)
    return largest !== undefined
  }

  get #seenBytes(): number {
    let bytes = 0
    for (const { seen } of this.#users.values()) bytes += seen?.bytes ?? 0
    return bytes
  }

  #forget(standing: Standing): void {
    this.#unsee(standing)
    standing.looks = []
    standing.left = 0
  }

  /** The allowances relied on `seen`, so the next request starts with a look. */
  #unsee(standing: Standing): void {
    if (standing.seen === undefined) return
    standing.seen = undefined
    standing.left = 0
    if (--this.#seenCount === 0) this.#upTo = undefined
  }

  #standing(user: UserId): Standing {
    const known = this.#users.get(user)
    if (known !== undefined) return known
    const standing: Standing = {
      ...{ left: 0, half: 0, allowed: 0, heard: 0, released: 0, looks: [] },
      ...{ seen: undefined, looking: undefined, waiting: undefined },
    }
    if (this.#users.size >= usersMax) {
      for (const [oldest, forgotten] of this.#users) {
        if (forgotten.looking !== undefined) continue
        this.#forget(forgotten)
        this.#users.delete(oldest)
        break
      }
    }
    this.#users.set(user, standing)
    return standing
  }
}

function isLookedFor({ waiting }: Standing): boolean {
  return waiting !== undefined
}

function doubt(standing: Standing): void {
  standing.left = 0
  standing.heard = heardMax
  standing.looks = []
}

function unavailable(): Refused {
  return new Refused('UNAVAILABLE', { retryAfter: 1 })
}

function notNow(): never {
  throw unavailable()
}
