import { parseUnits } from '@candor/core/money/units.ts'
import { type PostFunds, type PostingAccount, postingAccounts, type PostingPlace } from '@candor/core/protocol/command/funds.ts'
import type { DecisionNumber, UserId } from '@candor/core/protocol/ids.ts'
import type { TermKind, Terms } from '@candor/core/protocol/wire/changes.ts'
import { Refused } from '../refused.ts'
import type { Listing, People } from './kinds.ts'
import type { OperationsDb } from './tables.ts'

/** A posting as people write it: UIDs and names of accounts, the asset's symbol and decimal text. */
type Posting = { readonly from: string; readonly to: string; readonly asset: string; readonly amount: string }

/** Users of the core by the UIDs that terms name. */
export type Holders = ReadonlyMap<string, UserId>

/** The UIDs in terms: of a posting's customer, or of the hedger of conversions. */
function uidsIn(kind: TermKind, terms: Terms): readonly string[] {
  if (kind === 'conversion') return [terms['hedger'] as string].filter((uid) => uid !== '')
  if (kind !== 'posting') return []
  const { from, to } = terms as Posting
  return [from, to].filter((place) => !isFund(place))
}

/** throws  Refused USER_UNKNOWN */
export async function holdersOf(db: OperationsDb, kind: TermKind, terms: Terms): Promise<Holders> {
  const uids = uidsIn(kind, terms)
  if (uids.length === 0) return new Map()
  const rows = await db.selectFrom('accounts').select(['uid', 'core_user']).where('uid', 'in', uids).execute()
  const holders = new Map(rows.flatMap(({ uid, core_user: user }) => (user === null ? [] : [[uid, user as UserId] as const])))
  if (uids.some((uid) => !holders.has(uid))) throw new Refused('USER_UNKNOWN')
  return holders
}

/** What a posting is about: the customer, or the fund that receives. Of each, one proposal at a time is open. */
export function postingSubject(terms: Terms): string {
  const { from, to } = terms as Posting
  return isFund(to) && !isFund(from) ? from : to
}

/** The command. `decision`: the operation's number. throws  Refused FIELD_INVALID */
export function postingOf(terms: Terms, decision: DecisionNumber, holders: Holders, people: People, { assets }: Listing): PostFunds {
  const { from, to, asset: symbol, amount: text } = terms as Posting
  const asset = assets.find((one) => one.symbol === symbol)
  if (asset === undefined) throw new Refused('FIELD_INVALID', { field: 'terms.asset' })
  const amount = parseUnits(text, asset.scale)
  if (amount === undefined || amount <= 0) throw new Refused('FIELD_INVALID', { field: 'terms.amount' })
  // From one customer to another nothing is posted.
  if (from === to || (!isFund(from) && !isFund(to))) throw new Refused('FIELD_INVALID', { field: 'terms.to' })
  const placeOf = (name: string): PostingPlace => (isFund(name) ? { system: name } : { user: holders.get(name)! })
  return { type: 'funds.post', decision, from: placeOf(from), to: placeOf(to), asset: asset.id, amount, ...people }
}

function isFund(place: string): place is PostingAccount {
  return (postingAccounts as readonly string[]).includes(place)
}
