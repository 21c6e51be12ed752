import { type Receipt, readReceiptText } from '@candor/core/proof/receipt.ts'
import type { Key, Translate } from '../../app/translate.ts'

/**
 * All events that a receipt can have, the most telling ones first: what ends something before what it moved, money before books, and
 * entries of the ledger, which come with everything, near the end.
 */
export const eventsByWeight: readonly string[] = [
  ...['perp.liquidated', 'margin.liquidated', 'perp.takenOver', 'perp.deleveraged', 'option.settled', 'option.struck', 'option.opened'],
  ...['convert.filled', 'convert.ended', 'convert.accepted', 'convert.quoted'],
  ...['presale.allocated', 'presale.released', 'presale.subscribed'],
  ...['withdrawal.paid', 'withdrawal.failed', 'withdrawal.rejected', 'withdrawal.approved', 'withdrawal.cancelled', 'withdrawal.requested'],
  // A deposit that is credited or dropped may settle an earlier debt at once.
  ...['deposit.credited', 'deposit.orphaned', 'deposit.final', 'deposit.repaid'],
  // These cancel orders.
  ...['user.changed', 'user.certified', 'user.rested', 'firm.joined', 'firm.terms', 'option.admitted', 'option.limits'],
  ...['algo.ended', 'algo.placed', 'algo.part', 'algo.missed'],
  ...['traded', 'perp.fundingPaid', 'referral.paid', 'perp.closed'],
  ...['order.prevented', 'match.prevented', 'order.triggered', 'order.entered', 'order.amended', 'order.closed', 'order.accepted'],
  ...['margin.loan', 'lend.claim', 'perp.settings', 'perp.position', 'perp.level', 'margin.level', 'user.tierChanged', 'perp.tierChanged'],
  ...['entry', 'outcome'],
]

/** What a receipt is about, in words: the customer's command, which may have been refused, or, without one, the most telling event. */
export function titleOf({ command, events }: Pick<Receipt, 'command' | 'events'>, t: Translate): string {
  const what = whatOf(command?.name ?? mostTelling(events.map(({ name }) => name)) ?? '', t)
  const isRefused = events.some(({ name, facts }) => name === 'outcome' && facts['refusal'] !== undefined)
  return isRefused ? t('receipts.refused', { what }) : what
}

/** The same of a receipt in a list, from its text. `kind` stands for a text that can't be read. */
export function titleOfText(text: string, kind: string, t: Translate): string {
  const receipt = readReceiptText(text)
  return receipt === undefined ? whatOf(kind, t) : titleOf(receipt, t)
}

/** Words of a command or an event: those for receipts, or else those of the list of activities. A name without any stands for itself. */
export function whatOf(kind: string, t: Translate): string {
  const name = kind.replace(/\.(.)/, (_, letter: string) => letter.toUpperCase())
  return t(`receipts.what.${name}` as Key, { defaultValue: '' }) || t(`activity.did.${name}` as Key, { defaultValue: '' }) || kind
}

/** An event that a later version of the exchange has is the most telling one that there is, for want of better knowledge. */
function mostTelling(names: readonly string[]): string | undefined {
  return names.toSorted((a, b) => eventsByWeight.indexOf(a) - eventsByWeight.indexOf(b))[0]
}
