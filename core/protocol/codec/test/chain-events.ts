import { plain } from '../../../money/test/plain.ts'
import type { ChainEvent } from '../../event/chain.ts'
import * as chainWriters from '../chain/write.ts'
import type { Cases } from './cases.ts'

const chain = plain(chainWriters)

const deposit = { network: 2, credit: 77, user: 3, asset: 1, amount: 25_000_000 }
const credited = { ...deposit, isFinal: true, repaid: 4_000_000, debt: 9 }
const orphaned = { ...deposit, taken: 20_000_000, debt: 5_000_000 }
const repaid = { user: 3, asset: 1, amount: 5_000_000, debt: 2 }
const facts = { withdrawal: 9_001, user: 3, asset: 1, network: 2, amount: 25_000_000, fee: 1_000_000 }
const requested = { ...facts, destination: 12, people: 2 as const }
const decided = { ...facts, first: 5, second: 6, reason: 'documents were checked by phone' }
const changed = { asset: 1, network: 2, terms: { isOpen: true, min: 10, fee: 1, autoMax: 100, singleMax: 1000 } }

export const chainEvents: Cases<ChainEvent['type']> = {
  'deposit.credited': { put: (into) => chain.writeDepositCredited(into, credited), event: credited },
  'deposit.final': { put: (into) => chain.writeDepositFinal(into, deposit), event: deposit },
  'deposit.orphaned': { put: (into) => chain.writeDepositOrphaned(into, orphaned), event: orphaned },
  'deposit.repaid': { put: (into) => chain.writeDebtRepaid(into, repaid), event: repaid },
  'withdrawal.requested': { put: (into) => chain.writeWithdrawalRequested(into, requested), event: requested },
  'withdrawal.approved': { put: (into) => chain.writeWithdrawalDecided(into, 'withdrawal.approved', decided), event: decided },
  'withdrawal.rejected': { put: (into) => chain.writeWithdrawalDecided(into, 'withdrawal.rejected', decided), event: decided },
  'withdrawal.cancelled': { put: (into) => chain.writeWithdrawalEnded(into, 'withdrawal.cancelled', facts), event: facts },
  'withdrawal.paid': { put: (into) => chain.writeWithdrawalEnded(into, 'withdrawal.paid', facts), event: facts },
  'withdrawal.failed': { put: (into) => chain.writeWithdrawalEnded(into, 'withdrawal.failed', facts), event: facts },
  'withdraw.terms': { put: (into) => chain.writeWithdrawTermsChanged(into, changed), event: changed },
}
