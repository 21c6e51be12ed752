import { setTimeout as sleep } from 'node:timers/promises'
import type { UserId } from '@candor/core/protocol/ids.ts'

const keptMax = 100_000
const waitMaxDefaultMs = 500
const pollMs = 10
/** Between two calls for haste. */
const hurryEveryMs = 100

/**
 * Query tables follow the journal a little later. A user who has just written something waits here until the tables
 * contain it, so that nobody reads a history that misses their own last order; after half a second the answer is given
 * as it is.
 */
export class Freshness {
  readonly #watermark: () => Promise<number>
  /** In two halves, the older of which is forgotten whole. */
  #written = new Map<UserId, number>()
  #writtenBefore = new Map<UserId, number>()
  readonly #hurry: () => void
  readonly #waitMaxMs: number
  #projected = 0
  #hurriedAt = Number.NEGATIVE_INFINITY

  /**
   * watermark  the last journal position that the tables contain
   * hurry      tells whoever fills the tables that somebody waits for them
   * waitMaxMs  test only
   */
  constructor(watermark: () => Promise<number>, hurry: () => void = () => undefined, waitMaxMs = waitMaxDefaultMs) {
    this.#watermark = watermark
    this.#hurry = hurry
    this.#waitMaxMs = waitMaxMs
  }

  /** The answer to a request that was sent again tells of an older position: what the user wrote since stays. */
  wrote(user: UserId, seq: number): void {
    if (seq < this.lastOf(user)) return
    this.#written.set(user, seq)
    if (this.#written.size < keptMax / 2) return
    this.#writtenBefore = this.#written
    this.#written = new Map()
  }

  /** Position in the journal of the last thing that this user wrote, as far as it is remembered; 0 for none. */
  lastOf(user: UserId): number {
    return this.#written.get(user) ?? this.#writtenBefore.get(user) ?? 0
  }

  async settled(user: UserId): Promise<void> {
    await this.reached(this.lastOf(user))
  }

  /** True once the tables contain the command at this journal position; false when that takes too long. */
  async reached(seq: number): Promise<boolean> {
    const until = performance.now() + this.#waitMaxMs
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
