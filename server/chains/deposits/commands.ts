import type { CreditDeposit, FinalDeposit, OrphanDeposit } from '@candor/core/protocol/command/chain.ts'

/** Commands of the core for deposits. */
export type DepositCommand = CreditDeposit | FinalDeposit | OrphanDeposit

/** Resolves when the command is durable; rejects when it was not taken or its result is unknown. */
export type SubmitDeposit = (command: DepositCommand) => Promise<{ readonly refusal: string | undefined }>
