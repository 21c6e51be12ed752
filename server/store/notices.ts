import { type NoticeKind, noticeChannels, noticesKept, type NoticeTerms, noticeTerms } from '@candor/core/protocol/wire/notices.ts'
import { CompiledQuery, type Kysely } from 'kysely'

/** Notices that other code sends to the owner's addresses at once. */
const toldElsewhere: ReadonlySet<NoticeKind> = new Set<NoticeKind>([
  ...(['new-device', 'factor-failed', 'password-changed', 'factor-added', 'factor-removed', 'key-widened'] as const),
  ...(['recovery-renewed', 'address-set', 'address-removed', 'payment-set', 'account-frozen', 'account-unfrozen'] as const),
  ...(['regain-begun', 'allow-list-ending', 'withdrawal-address-added', 'withdrawal-address-removed'] as const),
  ...(['webhook-created', 'webhook-off', 'papers-verified', 'papers-rejected', 'papers-revoked'] as const),
])

/** Kinds of which those with one `event_id` share a notice: their amounts are added up and counted, and it is unread again. */
const joinedKinds = ['coins-moved', 'loan-taken', 'loan-repaid'] as const satisfies readonly NoticeKind[]
const isJoined = `kind in (${joinedKinds.map((kind) => `'${kind}'`).join(', ')})`

/** The kinds that the tables of trading write for an account as often as it trades or moves coins. */
export const quietKinds = [
  ...(['second-settled', 'order-filled', 'algo-ended', 'order-ended'] as const satisfies readonly NoticeKind[]),
  ...joinedKinds,
] as const
/** The kinds that customers who excluded themselves don't get, whatever they asked for. */
const invitingKinds = Object.entries(noticeTerms as Readonly<Record<NoticeKind, NoticeTerms>>)
  .filter(([, { invites }]) => invites)
  .map(([kind]) => kind)
const isUnwelcome = `event.kind in (${invitingKinds.map((kind) => `'${kind}'`).join(', ')}) and exists (
  select from own_rests where account = accounts.id and cause = 'self-exclusion' and event.at >= own_rests.at and event.at < until)`

/** The kinds of which an account can get many. */
const frequentKinds: readonly NoticeKind[] = [...quietKinds, 'price-alert']
const isQuiet = `kind in (${frequentKinds.map((kind) => `'${kind}'`).join(', ')})`

/** Each kind with the channels on which this table sends it, and whether it does so until the customer decides otherwise. */
const channelRows = Object.entries(noticeTerms as Readonly<Record<NoticeKind, NoticeTerms>>).flatMap(([kind, terms]) =>
  noticeChannels
    .filter((channel) => terms[channel] !== undefined)
    .filter((channel) => !(toldElsewhere.has(kind as NoticeKind) && (channel === 'mail' || channel === 'sms')))
    .map((channel) => `('${kind}', '${channel}', ${terms[channel] !== 'off'})`),
)

/** The arrays that `addNotices` takes, one value per notice. `data`: JSON. `at`: milliseconds. `seq`: of the command, 0 for none. */
export const noticeColumns = { owner: 'text', kind: 'text', data: 'text', event_id: 'text', at: 'bigint', seq: 'bigint' } as const
const types = Object.values(noticeColumns)

/**
 * The statement that writes notices: for the inbox, and for each channel on which it is still to be sent. An event that already made
 * its notice makes none, or is added to it. Of each account the newest notices are kept, frequent ones and others apart: whoever holds a stolen session
 * can make any number of frequent ones, and must not push out the others by them.
 *
 * owner      the column of `accounts` that names the owner
 * condition  on a row of `event`
 * data       the values of a row of `event`
 */
export function addNotices(owner: 'id' | 'core_user', condition = 'true', data = 'event.data'): string {
  return `
    with told as (
      select owner, kind, ${data} as data, event_id, at, seq
      from unnest(${types.map((type, at) => `$${at + 1}::${type}[]`).join(', ')}) as event (${Object.keys(noticeColumns).join(', ')})
      where ${condition}
    ), event as (
      select * from told where not ${isJoined}
      union all
      select owner, kind, ((array_agg(data order by seq))[1]::jsonb || jsonb_build_object(
        'amount', coalesce(sum((data::jsonb ->> 'amount')::numeric), 0)::text, 'count', count(*)::text))::text, event_id, min(at), max(seq)
      from told where ${isJoined} group by owner, kind, event_id
    ), joined as (
      update notices old set read_at = null, data = old.data || jsonb_build_object(
        'amount', ((old.data ->> 'amount')::numeric + (event.data::jsonb ->> 'amount')::numeric)::text,
        'count', ((old.data ->> 'count')::bigint + (event.data::jsonb ->> 'count')::bigint)::text)
      from event join accounts on accounts.${owner} = event.owner::${owner === 'id' ? 'uuid' : 'bigint'}
      where event.${isJoined} and old.account = accounts.id and old.event_id = event.event_id
    ), wanted as (
      select accounts.id as account, event.*, terms.channel
      from event join accounts on accounts.${owner} = event.owner::${owner === 'id' ? 'uuid' : 'bigint'}
      join (values ${channelRows.join(', ')}) as terms (kind, channel, is_on) on terms.kind = event.kind
      left join notice_preferences chosen on chosen.account = accounts.id and chosen.kind = event.kind and chosen.channel = terms.channel
      where coalesce(chosen.is_on, terms.is_on) and not (${isUnwelcome})
    ), added as (
      insert into notices (account, kind, data, event_id, created_at, in_inbox)
      select account, kind, data::jsonb, event_id, at, bool_or(channel = 'inbox') from wanted
      group by account, kind, data, event_id, at order by at, event_id
      on conflict (account, event_id) do nothing
      returning number, account, event_id, created_at, ${isQuiet} as is_quiet
    ), dropped as (
      delete from notices old using (select account, is_quiet, count(*) as more from added group by account, is_quiet) fresh
      where old.account = fresh.account and (old.${isQuiet}) = fresh.is_quiet and old.number <= (
        select kept.number from notices kept where kept.account = fresh.account and (kept.${isQuiet}) = fresh.is_quiet
        order by kept.number desc offset greatest(${noticesKept} - fresh.more, 0) limit 1)
    )
    insert into notice_sends (notice, channel, subscription, next_at, is_quiet)
    select added.number, wanted.channel, push.id, added.created_at, added.is_quiet
    from added join (select distinct account, event_id, channel from wanted) wanted using (account, event_id)
    left join push_subscriptions push on wanted.channel = 'push' and push.account = added.account
    where wanted.channel <> 'inbox' and (wanted.channel <> 'push' or push.id is not null)`
}

export type NewNotice = {
  readonly account: string
  readonly kind: NoticeKind
  readonly values: Readonly<Record<string, string>>
  /** Names the event: an account gets one notice of it, however often it is added. */
  readonly event: string
  readonly at: number
}

const addToAccounts = addNotices('id')

/** Writes a notice in the transaction of the event. */
export async function addNotice(db: Pick<Kysely<unknown>, 'executeQuery'>, { account, kind, values, event, at }: NewNotice): Promise<void> {
  await db.executeQuery(CompiledQuery.raw(addToAccounts, [[account], [kind], [JSON.stringify(values)], [event], [at], [0]]))
}
