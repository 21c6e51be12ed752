import { setTimeout as sleep } from 'node:timers/promises'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { Refused } from '../refused.ts'

const keptMax = 100_000
const waitMaxDefaultMs = 500
/** Whoever asks for the row that an own command wrote gets nothing of use without it. */
const writtenMaxDefaultMs = 5_000
const pollMs = 10
/** Shortest time between two requests to the projector to hurry, in milliseconds. */
const hurryEveryMs = 100

/**
 * The query tables are slightly behind the journal. A user who has just written something waits here until the tables contain it,
 * so that a user's history never lacks the user's own last order. After half a second the answer is given anyway.
 */
export class Freshness {
  readonly #watermark: () => Promise<number>
  /** Kept in two halves; the older half is dropped as a whole. */
  #written = new Map<UserId, number>()
  #writtenBefore = new Map<UserId, number>()
  readonly #hurry: () => void
  readonly #waitMaxMs: number
  readonly #writtenMaxMs: number
  #projected = 0
  #hurriedAt = Number.NEGATIVE_INFINITY

  /**
   * watermark                the last journal position that the tables contain
   * hurry                    tells the projector that somebody waits
   * waitMaxMs, writtenMaxMs  test only
   */
  constructor(
    watermark: () => Promise<number>,
    hurry: () => void = () => undefined,
    waitMaxMs = waitMaxDefaultMs,
    writtenMaxMs = writtenMaxDefaultMs,
  ) {
    this.#watermark = watermark
    this.#hurry = hurry
    this.#waitMaxMs = waitMaxMs
    this.#writtenMaxMs = writtenMaxMs
  }

  /** The answer to a repeated request has an older position: the user's later writes still count. */
  wrote(user: UserId, seq: number): void {
    if (seq < this.lastOf(user)) return
    this.#written.set(user, seq)
    if (this.#written.size < keptMax / 2) return
    this.#writtenBefore = this.#written
    this.#written = new Map()
  }

  /** Journal position of the user's last write, as far as it is remembered; 0 for none. */
  lastOf(user: UserId): number {
    return this.#written.get(user) ?? this.#writtenBefore.get(user) ?? 0
  }

  async settled(user: UserId): Promise<void> {
    await this.reached(this.lastOf(user))
  }

  /**
   * Waits for the tables before the one row is read that the user's own command wrote or changed.
   *
   * throws  Refused STATUS_UNKNOWN when they are too far behind to tell
   */
  async written(user: UserId): Promise<void> {
    if (!(await this.reached(this.lastOf(user), this.#writtenMaxMs))) throw new Refused('STATUS_UNKNOWN')
  }

  /** Resolves to true once the tables contain the command at this journal position, or false when that takes too long. */
  async reached(seq: number, waitMaxMs = this.#waitMaxMs): Promise<boolean> {
    const until = performance.now() + waitMaxMs
    while (seq > this.#projected) {
      this.#projected = Math.max(this.#projected, await this.#watermark())
      if (seq <= this.#projected) break
      const now = performance.now()
      if (now >= until) return false
      if (now >= this.#hurriedAt + hurryEveryMs) {
        this.#hurriedAt = now
        this.#hurry()
      }
      await sleep(pollMs)
    }
    return true
  }
}
