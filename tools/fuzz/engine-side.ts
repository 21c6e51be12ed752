/** The real engine behind the payouts and deposits of a fuzz, in place of the core that their tests write down. */
import assert from 'node:assert/strict'
import type { Units } from '@candor/core/money/brand.ts'
import type { AssetId, ClientId, NetworkNumber, UserId, WithdrawalNumber } from '@candor/core/protocol/ids.ts'
import type { DepositCommand } from '../../server/chains/deposits/commands.ts'
import type { FakeCore } from '../../server/chains/payout/test/people.ts'
import type { Random } from '../../server/chains/payout/test/fuzz.ts'
import type { TestExchange } from '../../server/main/test/exchange.ts'

export const fee = 100_000 as Units

/** A command or its answer is lost on its way. */
export class Lost extends Error {}

export class EngineSide {
  readonly #exchange: TestExchange
  readonly #core: FakeCore
  readonly #network: NetworkNumber
  readonly #users: readonly UserId[]
  readonly #asset: AssetId
  readonly #numbers = new Map<number, WithdrawalNumber>()

  constructor(
    exchange: TestExchange,
    core: FakeCore,
    about: { readonly network: NetworkNumber; readonly asset: AssetId; readonly users: readonly UserId[] },
  ) {
    this.#exchange = exchange
    this.#core = core
    this.#network = about.network
    this.#users = about.users
    this.#asset = about.asset
    Object.assign(core, { approved: this.#approved, finish: this.#finish })
  }

  userOf(withdrawal: number): UserId {
    return this.#users[withdrawal % this.#users.length]!
  }

  readonly #approved = async () => {
    for (const [withdrawal, { payment }] of this.#core.approvals)
      if (!this.#numbers.has(withdrawal)) await this.#request(withdrawal, payment.value)
    const open = new Set((await this.#exchange.link.ask.withdrawals()).filter((one) => one.isApproved).map((one) => one.withdrawal))
    return [...this.#core.approvals.values()].filter(({ payment }) => open.has(this.#numbers.get(payment.withdrawal)!))
  }

  async #request(withdrawal: number, value: bigint): Promise<void> {
    const { link } = this.#exchange
    const { refusal, seq } = await link.submit({
      ...{ type: 'withdraw.request', user: this.userOf(withdrawal), clientId: `n${this.#network}w${withdrawal}` as ClientId },
      ...{ asset: this.#asset, network: this.#network, amount: (Number(value) + fee) as Units, fee, destination: withdrawal },
    })
    assert.equal(refusal, undefined, `withdrawal ${withdrawal}`)
    const number = seq as number as WithdrawalNumber
    const decided = await link.submit({ type: 'withdraw.decide', withdrawal: number, isApproved: true, first: 0, second: 0, reason: '' })
    // The exchange's own review may have been first.
    assert.ok(decided.refusal === undefined || decided.refusal === 'WITHDRAWAL_STATE', String(decided.refusal))
    this.#numbers.set(withdrawal, number)
  }

  readonly #finish = async (withdrawal: number, isPaid: boolean): Promise<void> => {
    const { refusal } = await this.#exchange.link.submit({ type: 'withdraw.finish', withdrawal: this.#numbers.get(withdrawal)!, isPaid })
    assert.equal(refusal, undefined, `the end of ${withdrawal}`)
    assert.equal(this.#core.ended.get(withdrawal) ?? isPaid, isPaid, 'the core was told the opposite before')
    this.#core.ended.set(withdrawal, isPaid)
  }
}

/** Posts deposits to the engine; some commands and some answers are lost. */
export function lossySubmit({ link }: TestExchange, asset: AssetId, random: () => Random | undefined) {
  return async (command: DepositCommand) => {
    const isLost = (): boolean => random()?.below(10) === 0
    if (isLost()) throw new Lost('the command')
    const outcome = await link.submit(command.type === 'chain.credit' ? { ...command, asset } : command)
    if (isLost()) throw new Lost('the answer')
    return { refusal: outcome.refusal }
  }
}
