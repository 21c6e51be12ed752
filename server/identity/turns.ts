/**
 * Waiting work of many owners. Owners take turns, however much each of them has brought: somebody with little waits for as many
 * others as there are, not for all that these have brought.
 */
export class Turns<Work> {
  /** The order of the owners is the order of their turns. */
  readonly #lines = new Map<string, Work[]>()

  /** Adds work behind the owner's own. */
  add(owner: string, work: Work): void {
    const line = this.#lines.get(owner)
    if (line) line.push(work)
    else this.#lines.set(owner, [work])
  }

  /** The work whose turn it is, with its owner, whose next turn comes after those of all others. */
  next(): { readonly owner: string; readonly work: Work } | undefined {
    for (const [owner, line] of this.#lines) {
      const work = line.shift() as Work
      this.#lines.delete(owner)
      if (line.length > 0) this.#lines.set(owner, line)
      return { owner, work }
    }
    return undefined
  }

  /** Number of owners. */
  get size(): number {
    return this.#lines.size
  }

  waitingOf(owner: string): number {
    return this.#lines.get(owner)?.length ?? 0
  }

  /** Takes out the last work of whoever has most waiting, if that is more than `atLeast`. */
  dropLongest(atLeast: number): Work | undefined {
    let longest: Work[] = []
    for (const line of this.#lines.values()) if (line.length > longest.length) longest = line
    return longest.length > Math.max(1, atLeast) ? longest.pop() : undefined
  }
}
