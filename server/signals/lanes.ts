/** Work in lanes: that of one name comes one after the other, as it came, and waits for no other name. */
export class Lanes {
  /** The last work of each name that has any. */
  readonly #last = new Map<string, Promise<unknown>>()

  run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name) ?? Promise.resolve()
    const done = before.then(work, work)
    this.#last.set(name, done)
    const leave = (): void => {
      if (this.#last.get(name) === done) this.#last.delete(name)
    }
    done.then(leave, leave)
    return done
  }
}
