import type { Clock } from '../../ports.ts'
import type pg from 'pg'
import type { SignerLink } from '../signer/connect.ts'
import type { PayoutChain } from './chain.ts'
import type { PayoutTimes } from './pauses.ts'
import type { Approved } from './rows.ts'

/** Moments between which a process can end. Tests end it there. */
export const steps = ['taken', 'bound', 'planned', 'signed', 'stored', 'sent', 'noted', 'proved', 'settled', 'finished', 'done'] as const
export type Step = (typeof steps)[number]

export type PayoutOptions = {
  readonly pool: pg.Pool
  readonly network: string
  readonly chain: PayoutChain
  readonly signer: Pick<SignerLink, 'signAll' | 'end'>
  /** Approved withdrawals of the network that the core has not ended. */
  readonly approved: () => Promise<readonly Approved[]>
  /** Tells the core what became of a withdrawal. Telling it twice changes nothing. */
  readonly finish: (withdrawal: number, isPaid: boolean) => Promise<void>
  /** The reconciliation's signature that these can never be in a block. It proves this by itself, and throws when it can't. */
  readonly signDead: (network: string, withdrawal: number, txids: readonly string[]) => Promise<string>
  /** The number of the signer's policy, as far as it is known. With another one, what the signer refused is tried again at once. */
  readonly policy?: () => number | undefined
  /** Whether the contract of a token does what it should; undefined: not known yet. */
  readonly isTokenGood?: (contract: string | undefined) => boolean | undefined
  readonly onStep?: (step: Step, withdrawal: number) => void | Promise<void>
  readonly clock?: Clock
  readonly times?: Partial<PayoutTimes>
}
