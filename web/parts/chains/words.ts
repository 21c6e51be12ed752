import type { WireDeposit, WireDepositState, WireWithdrawal, WireWithdrawalStatus } from '@candor/core/protocol/wire/chains.ts'
import type { WithdrawalReason } from '@candor/core/protocol/wire/withdrawal-reasons.ts'
import type { Formats } from '../../app/formats.ts'
import type { Key, Translate } from '../../app/translate.ts'

export type Tone = 'good' | 'waits' | 'bad'

/** How far a deposit is, in a few words. */
export function depositWord({ state, confirmations, needed }: WireDeposit, t: Translate): string {
  if (state !== 'confirming') return t(`chains.state.${state}`)
  return needed === 0 ? t('chains.state.waiting') : t('chains.state.confirming', { done: Math.min(confirmations, needed), needed })
}

/** What that means, in a sentence; undefined where nothing is left to say. */
export function aboutDeposit(deposit: WireDeposit, t: Translate, format: Formats): string | undefined {
  const { state, needed, asset, waiting } = deposit
  if (state === 'final') return undefined
  if (state === 'confirming') return needed === 0 ? t('chains.about.waiting') : t('chains.about.confirming', { needed })
  if (state !== 'small') return t(`chains.about.${state}`)
  if (waiting === undefined) return undefined
  return t('chains.about.small', { sum: format.sum(waiting.sum, asset, true), min: format.number(waiting.min), asset })
}

const depositTones: Readonly<Record<WireDepositState, Tone>> = {
  ...({ confirming: 'waits', credited: 'good', final: 'good', small: 'waits', held: 'waits' } as const),
  ...({ orphaned: 'bad', failed: 'bad' } as const),
}
export const depositTone = ({ state }: WireDeposit): Tone => depositTones[state]

const withdrawalTones: Readonly<Record<WireWithdrawalStatus, Tone>> = {
  ...({ 'under-review': 'waits', completed: 'good', rejected: 'bad', cancelled: 'bad' } as const),
}
export const withdrawalTone = ({ status }: WireWithdrawal): Tone => withdrawalTones[status]

const reasons: Readonly<Record<WithdrawalReason, Key>> = {
  'not-asked': 'chains.reasons.not-asked',
  address: 'chains.reasons.address',
  identity: 'chains.reasons.identity',
  deposit: 'chains.reasons.deposit',
  unclear: 'chains.reasons.unclear',
  'on-wish': 'chains.reasons.on-wish',
}

/** Why a withdrawal was rejected. A reason that this version does not know is shown as it was written. */
export function reasonWord(reason: string, t: Translate): string {
  return Object.hasOwn(reasons, reason) ? t(reasons[reason as WithdrawalReason]) : reason
}

/** Page of a transaction, if the network has one that is safe to open. */
export function explorerUrl(explorer: string | null | undefined, txid: string): string | undefined {
  const url = explorer?.replace('{txid}', encodeURIComponent(txid))
  return url !== undefined && /^https?:\/\//.test(url) ? url : undefined
}
