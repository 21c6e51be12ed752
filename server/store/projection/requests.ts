import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Millis } from '@candor/core/money/brand.ts'
import type { Exchange } from '@candor/core/exchange/exchange.ts'
import type { KeptRequest } from '@candor/core/exchange/requests/kept.ts'
import { BlockPack } from '../request-block.ts'
import { Columns, type Statement } from './columns.ts'

/** The part of the replaying core that this file uses. */
export type RequestSource = Pick<Exchange, 'seq' | 'atMs' | 'requestRoom' | 'requests' | 'watchRequests'>

/** Stands for all users in the table of recorded users. */
const everyone = -1 as UserId
const minuteMs = 60_000
/** A repeat gets the first outcome for a day; older ones are deleted minute by minute. */
export const requestsKeptMs = 86_400_000 + minuteMs
/** When everybody is recorded, each batch takes at least this many of the requests that the core already remembers. */
const restAtOnce = 20_000
/** It takes this many for each new request too, so that all are in the tables long before the other half is used. */
const restPerNew = 4
/** Rows inserted at once: a block may have tens of kilobytes. */
const blocksAtOnce = 16
/** When less than one part in this many of a user's ring is left, the remembered requests of joining users are written at once. */
const joinEnd = 4
/** Estimated count of requests written for one joining user: half a retail ring. */
const perJoining = 500
/** Count of requests whose size is that of one row of another table. */
const perRow = 8
const sparePacksMax = 256

/**
 * Records requests that the core may forget within a day. The core remembers the last ones of each user in a ring, so only users
 * who fill half of their ring are recorded: all requests remembered by then, and each later one. They are in the tables long
 * before the first one leaves the ring; one walk at the end of a batch finds those of all joining users. When the rings of all
 * users together become crowded, everybody is recorded. Requests of one user in one batch share a row.
 */
export class RequestProjection {
  readonly #recorded: Set<UserId>
  readonly #blocks = new Columns(
    'request_blocks',
    { user_id: 'bigint', seq: 'bigint', at_ms: 'bigint', ids: 'bytea', outcomes: 'bytea' } as const,
    '',
    blocksAtOnce,
  )
  readonly #users = new Columns('recorded_users', { user_id: 'bigint' }, 'do nothing')
  /** Contents of the next row, by user. */
  readonly #packs = new Map<UserId, BlockPack>()
  readonly #spare: BlockPack[] = []
  /** Users who reached half of their ring since the last `take`: one walk finds the remembered requests of all of them. */
  readonly #joining = new Set<UserId>()
  /** Counts since the last `take`: recorded requests, and the new ones among them. */
  #count = 0
  #newCount = 0
  #core: RequestSource | undefined
  /** Requests that the core already remembered when everybody began to be recorded. */
  #rest: Generator<KeptRequest> | undefined
  #minute: number
  #before: number | undefined

  /** `at`: time of the last command that the tables hold. `recorded`: users whose requests they hold. */
  constructor(at: Millis, recorded: Iterable<UserId> = []) {
    this.#minute = Math.floor(at / minuteMs)
    this.#recorded = new Set(recorded)
  }

  /** Size in rows of other tables. */
  get size(): number {
    // Each new request brings along several of the remembered ones.
    return Math.ceil((this.#count + this.#joining.size * perJoining) / (this.#rest === undefined ? perRow : 1))
  }

  follow(core: RequestSource): void {
    this.#core = core
    core.watchRequests((request) => this.#note(core, request))
  }

  /** Called for each applied command with its time. An audit has no core: it records no requests and deletes none. */
  passed(at: Millis): void {
    const minute = Math.floor(at / minuteMs)
    if (minute === this.#minute || this.#core === undefined) return
    this.#minute = minute
    this.#before = minute * minuteMs - requestsKeptMs
  }

  take(): readonly (Statement | undefined)[] {
    if (this.#core !== undefined) this.#join(this.#core)
    this.#takeRest()
    for (const [user, pack] of this.#packs) {
      this.#endBlock(user, pack)
      if (this.#spare.length < sparePacksMax) this.#spare.push(pack)
    }
    this.#packs.clear()
    this.#count = 0
    this.#newCount = 0
    const before = this.#before
    this.#before = undefined
    const old = before === undefined ? undefined : { text: 'delete from request_blocks where at_ms < $1', batches: [[String(before)]] }
    return [old, this.#blocks.take(), this.#users.take()]
  }

  #note(core: RequestSource, request: KeptRequest): void {
    const { user } = request
    const { isCrowded, ownRing, ownLeft } = core.requestRoom(user)
    if (isCrowded && !this.#recorded.has(everyone)) this.#rest ??= core.requests()
    if (!this.#recorded.has(user) && !this.#recorded.has(everyone)) {
      if (ownLeft * 2 <= ownRing) {
        this.#joining.add(user)
        // The walk at the end of the batch finds this one too.
        if (ownLeft * joinEnd > ownRing) return
        this.#join(core)
      } else if (!isCrowded) return
    }
    this.#newCount++
    this.#push(request)
  }

  /** Records joining users, with their requests from one walk through those of all users. */
  #join(core: RequestSource): void {
    if (this.#joining.size === 0) return
    for (const one of core.requests(this.#joining)) this.#push(one)
    for (const user of this.#joining) this.#isRecorded(user)
    this.#joining.clear()
  }

  #push(request: KeptRequest): void {
    const { user } = request
    let pack = this.#packs.get(user)
    if (pack === undefined) this.#packs.set(user, (pack = this.#spare.pop() ?? new BlockPack()))
    pack.add(request)
    this.#count++
    if (pack.isFull) this.#endBlock(user, pack)
  }

  /** The times of the requests are not known, so all are kept for a day from now. */
  #endBlock(user: UserId, pack: BlockPack): void {
    const { seq, atMs } = this.#core!
    if (pack.ids.length > 0) this.#blocks.add(user).add(seq).add(atMs).addBytes(pack.ids).addBytes(pack.outcomes)
    pack.clear()
  }

  #isRecorded(user: UserId): void {
    this.#recorded.add(user)
    this.#users.push(user)
  }

  #takeRest(): void {
    if (this.#rest === undefined) return
    const most = Math.max(restAtOnce, restPerNew * this.#newCount)
    for (let n = 0; n < most; n++) {
      const { value, done } = this.#rest.next()
      if (done === true) {
        this.#rest = undefined
        return this.#isRecorded(everyone)
      }
      this.#push(value)
    }
  }
}
