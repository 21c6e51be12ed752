import assert from 'node:assert/strict'
import type { DepositCommand, SubmitDeposit } from '../deposits/commands.ts'

/** What the core does with deposits, written down plainly. */
export class FakeCore {
  /** All commands that were carried out, repeats left out. */
  readonly carried: DepositCommand[] = []
  readonly #state = new Map<number, { user: number; asset: number; amount: number; state: 'credited' | 'final' | 'orphaned' }>()
  /** Called before and after each command; may throw. */
  before: (command: DepositCommand) => void = () => undefined
  after: (command: DepositCommand) => void = () => undefined
  refuse: (command: DepositCommand) => string | undefined = () => undefined

  readonly submit: SubmitDeposit = async (command) => {
    this.before(command)
    const refusal = this.refuse(command)
    if (refusal === undefined) this.#carry(command)
    this.after(command)
    return { refusal }
  }

  #carry(command: DepositCommand): void {
    const known = this.#state.get(command.credit)
    if (command.type === 'chain.credit') {
      if (known !== undefined) return
      this.#state.set(command.credit, {
        ...{ user: command.user, asset: command.asset, amount: command.amount, state: command.isFinal ? 'final' : 'credited' },
      })
    } else {
      assert.ok(known, `${command.type} comes after its credit`)
      const next = command.type === 'chain.final' ? 'final' : 'orphaned'
      if (known.state === next) return
      assert.equal(known.state, 'credited', `${command.type} of a credit that is ${known.state}`)
      known.state = next
    }
    this.carried.push(command)
  }

  /** Of one asset, or of all that there are. */
  balance(user: number, asset?: number): number {
    return [...this.#state.values()]
      .filter((one) => one.user === user && one.state !== 'orphaned' && (asset === undefined || one.asset === asset))
      .reduce((sum, { amount }) => sum + amount, 0)
  }

  /** What is credited and may still vanish. */
  unfinal(user: number): number {
    return [...this.#state.values()]
      .filter((one) => one.user === user && one.state === 'credited')
      .reduce((sum, { amount }) => sum + amount, 0)
  }
}
