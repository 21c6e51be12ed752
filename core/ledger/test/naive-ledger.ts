/** The ledger's naive twin: a map of all accounts by name, with all sums as BigInt. */
export class NaiveLedger {
  readonly #accounts = new Map<string, { available: bigint; held: bigint }>()

  of(owner: number, kind: number, asset: number): { available: bigint; held: bigint } {
    const name = `${owner}/${kind}/${asset}`
    const known = this.#accounts.get(name)
    if (known !== undefined) return known
    const account = { available: 0n, held: 0n }
    this.#accounts.set(name, account)
    return account
  }

  move(from: readonly [number, number, number], to: readonly [number, number, number], amount: number): void {
    this.of(...from).available -= BigInt(amount)
    this.of(...to).available += BigInt(amount)
  }

  /** Names and sums of all accounts that are not empty, sorted. */
  list(): readonly string[] {
    return [...this.#accounts]
      .filter(([, { available, held }]) => available !== 0n || held !== 0n)
      .map(([name, { available, held }]) => `${name} ${available} ${held}`)
      .sort()
  }
}
