import { Requests } from '@candor/core/exchange/requests.ts'
import type { RequestHashes } from '@candor/core/exchange/request-kept.ts'
import type { Millis } from '@candor/core/money/brand.ts'
import { encodeCommand } from '@candor/core/protocol/codec/command.ts'
import { BODY, CLIENT_ID } from '@candor/core/protocol/codec/layout.ts'
import { opcodeOf, Records } from '@candor/core/protocol/codec/records.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { OrderId, UserId } from '@candor/core/protocol/ids.ts'
import type { Ask, Outcome, Submit } from '@candor/core/protocol/port.ts'
import { type Refusal, refusals } from '@candor/core/protocol/refusal.ts'
import type pg from 'pg'
import { Refused } from '../../refused.ts'
import { type RecordedRequest, recordedIds, recordedRequest, recordedSince } from '../../store/query/request-ids.ts'
import type { Freshness } from '../freshness.ts'
import { SeenIds } from './seen-ids.ts'

/** Of the requests that the core certainly remembers, the part that passes between two looks at how far it remembers. */
const share = 8
/** When other gateways looked so often, this one looks again: what all let pass since stays below the whole. */
const heardMax = 3
/** With less than this part of the ring left, a user's ids are looked for in the tables as well. */
const nearEnd = 4
/** With less than this part, they are waited for. */
const lastEnd = 16
/** So long a request waits for tables that are behind. */
const tablesMaxMs = 5_000
const usersMax = 100_000
const seenMin = 2_048
const seenBytesMax = 2 ** 27

export type OldIdsParts = {
  readonly submit: Submit
  readonly ask: Pick<Ask, 'requestRoom'>
  readonly freshness: Pick<Freshness, 'reached'>
  readonly pool: pg.Pool
  /** Tells other gateways that this one lets more requests of a user pass. */
  readonly tell?: (user: UserId) => void
}

/**
 * `left`: requests that pass before the next look, which begins when `half` are left. `heard`: how often others looked meanwhile.
 * `seen`: ids in the tables; undefined: the core remembers all.
 */
type Standing = { left: number; half: number; heard: number; seen: SeenIds | undefined; looking: Promise<void> | undefined }

type OfUser = Extract<Command, { readonly user: UserId }>

/**
 * The way to the engine for requests with client ids. The core remembers each user's last ones; the follower writes down those that
 * it may forget within a day (`RequestProjection`). A request whose id stands there gets the first outcome from there and does not
 * reach the engine.
 *
 * Users who are far from the end of their ring pass at once: how far is asked of the core now and then. For the others this keeps
 * which ids stand in the tables, and reads the new ones now and then. What is not there yet is in the ring: each look waits for tables
 * that contain everything up to the moment of looking, and lets pass only a part of the ring until the next one. Gateways tell each
 * other of their looks. When the core or the tables can't be asked, the request is refused as not executed.
 */
export class OldIds {
  readonly #parts: OldIdsParts
  readonly #users = new Map<UserId, Standing>()
  readonly #records = new Records()
  /** Only hashes with it. */
  readonly #requests = new Requests(
    () => false,
    () => false,
  )
  #seenBytes = 0
  /** Rows from this time on may be missing in what was seen. */
  #readUntil = Number.POSITIVE_INFINITY
  /** The last read of new rows, which never rejects, and the one that starts after it. */
  #lastRead: Promise<void> = Promise.resolve()
  #nextRead: Promise<void> | undefined

  constructor(parts: OldIdsParts) {
    this.#parts = parts
  }

  readonly submit: Submit = (command, keyId) => {
    if (!isOfUser(command)) return this.#parts.submit(command, keyId)
    const standing = this.#users.get(command.user)
    const isNamed = 'clientId' in command && command.clientId !== ''
    // Nothing overtakes a request that waits for a look.
    if (standing === undefined ? isNamed : standing.left <= 0 && (isNamed || standing.looking !== undefined)) {
      return this.#afterLook(command, keyId)
    }
    if (standing === undefined || !isNamed) return this.#parts.submit(command, keyId)
    return this.#pass(standing, command, keyId)
  }

  /** Another gateway lets more requests of this user pass. */
  heard(user: UserId): void {
    const standing = this.#users.get(user)
    if (standing !== undefined && ++standing.heard >= heardMax) standing.left = 0
  }

  /** What others said may not have come: every user is looked at anew. */
  doubtAll(): void {
    for (const standing of this.#users.values()) standing.left = 0
  }

  #pass(standing: Standing, command: OfUser, keyId: number | undefined): Promise<Outcome> {
    standing.left--
    if (standing.left === standing.half) this.#look(command.user, standing).catch(() => undefined)
    if (standing.seen === undefined) return this.#parts.submit(command, keyId)
    const hashes = this.#hashesOf(command)
    if (!standing.seen.has(hashes.idLow, hashes.idHigh)) return this.#parts.submit(command, keyId)
    return this.#answer(hashes, command, keyId)
  }

  async #afterLook(command: OfUser, keyId: number | undefined): Promise<Outcome> {
    const standing = this.#standing(command.user)
    await this.#look(command.user, standing)
    return this.submit(command, keyId)
  }

  async #answer(hashes: RequestHashes, command: OfUser, keyId: number | undefined): Promise<Outcome> {
    const found = await recordedRequest(this.#parts.pool, hashes).catch(notNow)
    return found === undefined ? this.#parts.submit(command, keyId) : outcomeOf(found, hashes)
  }

  /** One look at a time. throws  Refused UNAVAILABLE */
  #look(user: UserId, standing: Standing): Promise<void> {
    standing.looking ??= this.#lookNow(user, standing).finally(() => (standing.looking = undefined))
    return standing.looking
  }

  async #lookNow(user: UserId, standing: Standing): Promise<void> {
    standing.heard = 0
    this.#parts.tell?.(user)
    const { seq, ring, left, isEnough } = await this.#room(user)
    if (isEnough) {
      this.#forget(standing)
      return this.#allow(standing, Math.floor(left / share))
    }
    await this.#tablesReach(seq)
    await this.#read(user, standing).catch(notNow)
    this.#allow(standing, Math.floor(ring / share))
  }

  /**
   * How far back the core remembers, and whether that is enough without the tables. Tables that are behind hold nobody up while
   * nothing has left the ring. Other gateways may let requests pass during that wait, so the core is asked again after it.
   */
  async #room(user: UserId): Promise<{ readonly seq: number; readonly ring: number; readonly left: number; readonly isEnough: boolean }> {
    const { ask, freshness } = this.#parts
    const room = await ask.requestRoom(user)
    if (room.left * nearEnd >= room.ring) return { ...room, isEnough: true }
    if (room.left * lastEnd < room.ring || (await freshness.reached(room.seq).catch(notNow))) return { ...room, isEnough: false }
    const after = await ask.requestRoom(user)
    return { ...after, isEnough: after.left * lastEnd >= after.ring }
  }

  async #tablesReach(seq: number): Promise<void> {
    const until = performance.now() + tablesMaxMs
    while (!(await this.#parts.freshness.reached(seq).catch(notNow))) if (performance.now() > until) throw unavailable()
  }

  #allow(standing: Standing, left: number): void {
    standing.left = Math.max(1, left)
    standing.half = standing.left >> 1
  }

  /** What is new in the tables; of a user who was not met before, all. */
  #read(user: UserId, standing: Standing): Promise<void> {
    if (standing.seen?.isFull === true) this.#forget(standing)
    return standing.seen === undefined ? this.#readAll(user, standing) : this.#readNew()
  }

  /** Reads the new rows of all users. A read that is under way may have missed some, so all callers share the one that starts after it. */
  #readNew(): Promise<void> {
    this.#nextRead ??= this.#lastRead.then(() => {
      this.#nextRead = undefined
      const read = this.#readSince()
      this.#lastRead = read.catch(() => undefined)
      return read
    })
    return this.#nextRead
  }

  async #readSince(): Promise<void> {
    let until = this.#readUntil
    for (const { user, at, hashes } of await recordedSince(this.#parts.pool, this.#readUntil)) {
      const seen = this.#users.get(user as UserId)?.seen
      for (let n = 0; seen !== undefined && n < hashes.length; n += 8) seen.add(hashes.readInt32BE(n), hashes.readInt32BE(n + 4))
      until = Math.max(until, at)
    }
    this.#readUntil = Math.max(this.#readUntil, until)
  }

  async #readAll(user: UserId, standing: Standing): Promise<void> {
    const { pool } = this.#parts
    const { rows } = await pool.query<{ at: number; count: number }>(
      'select at_ms as at, (select count(*) from request_ids where user_id = $1)::integer as count from projection',
      [user],
    )
    const { at, count } = rows[0]!
    const seen = new SeenIds(Math.max(seenMin, 2 * count))
    this.#readUntil = Math.min(this.#readUntil, at)
    // From now on it gets what others read that is new; nothing passes before the rest is there.
    standing.seen = seen
    this.#seenBytes += seen.bytes
    try {
      for await (const page of recordedIds(pool, user)) for (const { low, high } of page) seen.add(low, high)
    } catch (cause) {
      this.#forget(standing)
      throw cause
    }
    for (const other of this.#users.values()) {
      if (this.#seenBytes <= seenBytesMax) return
      if (other !== standing && other.looking === undefined) this.#forget(other)
    }
  }

  /** What it may do from now on begins with a look. */
  #forget(standing: Standing): void {
    this.#seenBytes -= standing.seen?.bytes ?? 0
    standing.seen = undefined
    standing.left = 0
  }

  #standing(user: UserId): Standing {
    const known = this.#users.get(user)
    if (known !== undefined) return known
    const standing: Standing = { left: 0, half: 0, heard: 0, seen: undefined, looking: undefined }
    if (this.#users.size >= usersMax) {
      const [oldest, forgotten] = this.#users.entries().next().value!
      this.#forget(forgotten)
      this.#users.delete(oldest)
    }
    this.#users.set(user, standing)
    return standing
  }

  #hashesOf(command: OfUser): RequestHashes {
    const records = this.#records
    records.clear()
    encodeCommand(command, { seq: 0, at: 0, keyId: 0 }, records)
    return this.#requests.hashes(command.user, records.data, CLIENT_ID, opcodeOf(records.data[0]!), BODY, records.length)
  }
}

function isOfUser(command: Command): command is OfUser {
  return 'user' in command
}

function unavailable(): Refused {
  return new Refused('UNAVAILABLE', { retryAfter: 1 })
}

function notNow(): never {
  throw unavailable()
}

const refusalOfId = new Map<number, Refusal>(Object.entries(refusals).map(([name, { id }]) => [id, name as Refusal]))

/** The first outcome again, as the core would give it. */
function outcomeOf({ bodyLow, bodyHigh, number, refusal, seq, at }: RecordedRequest, hashes: RequestHashes): Outcome {
  const isSame = bodyLow === hashes.bodyLow && bodyHigh === hashes.bodyHigh
  const outcome = {
    ...{ seq, at: at as Millis, user: 0 as UserId, order: (isSame ? number : 0) as OrderId },
    ...{ refusal: isSame ? refusalOfId.get(refusal) : ('CLIENT_ID_REUSED' as const), isRepeat: isSame },
  }
  return { ...outcome, events: [{ type: 'outcome', ...outcome }] }
}
