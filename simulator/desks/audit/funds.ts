import type { Command } from '@candor/core/protocol/command/index.ts'
import type { EntryReason, OutcomeEvent } from '@candor/core/protocol/event/index.ts'
import { fail } from '../failure.ts'
import type { Postings } from './postings.ts'

/** Reasons that occur only with the command of that name. */
const commanded: readonly EntryReason[] = ['faucet', 'endowment', 'transfer', 'supply']

/** Checks that a command that moves money moves exactly its amount between exactly its accounts. */
export class FundsAudit {
  readonly #postings: Postings

  constructor(postings: Postings) {
    this.#postings = postings
  }

  check(command: Command, { refusal, isRepeat }: OutcomeEvent): void {
    const expected = new Map<string, number>()
    if (refusal === undefined && !isRepeat) for (const [key, amount] of moves(command)) expected.set(key, amount)
    for (const [key, { byReason }] of this.#postings.touched) {
      for (const reason of commanded) {
        if (!byReason.has(reason)) continue
        const name = `${key} ${reason}`
        const amount = this.#postings.posted(key, reason)
        if (amount !== (expected.get(name) ?? 0)) fail(`${name} is ${amount}, the command says ${expected.get(name) ?? 0}`)
        expected.delete(name)
      }
    }
    for (const [name, amount] of expected) fail(`${name} of ${amount} has no entry`)
  }
}

function moves(command: Command): readonly (readonly [key: string, amount: number])[] {
  switch (command.type) {
    case 'funds.faucet': {
      const { user, asset, amount } = command
      return [
        [`outside:sandbox ${asset} faucet`, -amount],
        [`user ${user} spot ${asset} faucet`, amount],
      ]
    }
    case 'funds.system':
      return [
        [`outside:sandbox ${command.asset} endowment`, -command.amount],
        [`${command.account} ${command.asset} endowment`, command.amount],
      ]
    case 'funds.transfer': {
      const { user, asset, amount, from, to, market } = command
      const key = (kind: string): string => `user ${user} ${kind}${kind === 'margin-isolated' ? `:${market}` : ''} ${asset} transfer`
      return [
        [key(from), -amount],
        [key(to), amount],
      ]
    }
    case 'option.operate':
      if (command.amount === 0) return []
      return [
        [`user ${command.user} spot 1 transfer`, -command.amount],
        ['option-house 1 transfer', command.amount],
      ]
    case 'lend.supply': {
      const { user, asset, amount } = command
      return [
        [`user ${user} spot ${asset} supply`, -amount],
        [`user ${user} lend ${asset} supply`, amount],
      ]
    }
    default:
      return []
  }
}
