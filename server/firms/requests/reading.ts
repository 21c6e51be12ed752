import { hasRight, type Membership } from '../membership.ts'
import type { WirePage } from '@candor/core/protocol/wire/funds.ts'
import type { FirmRequestState, WireFirmRequest, WireFirmVerdict, WireFirmWish } from '@candor/core/protocol/wire/firm/requests.ts'
import { sql } from 'kysely'
import { decodeCursor, toPage } from '../../store/query/page.ts'
import type { RequestDb, RequestRow } from './tables.ts'
import type { WishParts } from './wishes.ts'

export type RequestFilter = { readonly state?: FirmRequestState | undefined; readonly before?: string | undefined; readonly limit: number }

type Found = RequestRow & { readonly asker: string; readonly now_people: number; readonly is_over: boolean }
type Parts = Pick<WishParts, 'db' | 'book'>

/**
 * A page of a firm's requests, newest first. Members whose role doesn't approve see neither who is to get a role nor what concerns an
 * account that they don't use.
 *
 * throws  Refused FIELD_INVALID for a cursor that no page gave
 */
export async function requestsOf(
  parts: Parts,
  by: Membership,
  { state, before, limit }: RequestFilter,
): Promise<WirePage<WireFirmRequest>> {
  const [number] = decodeCursor(before, 1)
  const { role, accounts } = by.member
  const rows = await found(parts.db)
    .where('firm_requests.firm', '=', by.firm.id)
    .$if(!hasRight(role, 'approve'), (query) =>
      query.where(sql<boolean>`(firm_requests.kind = 'rule' or firm_requests.account is not null and ${isUsed(accounts)})`),
    )
    .$if(number !== undefined, (query) => query.where('firm_requests.number', '<', number!))
    .$if(state !== undefined, (query) => query.where('firm_requests.state', '=', state!))
    .orderBy('firm_requests.number', 'desc')
    .limit(limit + 1)
    .execute()
  const verdicts = await verdictsOf(
    parts.db,
    rows.map(({ id }) => id),
  )
  return toPage(
    rows as unknown as readonly Found[],
    limit,
    (row) => wireRequest(parts, by, row, verdicts.get(row.id) ?? []),
    ({ number: last }) => [last],
  )
}

/** Whether the request is about one of these accounts; null for all. */
const isUsed = (accounts: readonly string[] | null) =>
  accounts === null ? sql`true` : sql`firm_requests.account = any(${accounts}::uuid[])`

/** One request as a member sees it. */
export async function requestOf(parts: Parts, by: Membership, id: string): Promise<WireFirmRequest> {
  const row = await found(parts.db).where('firm_requests.id', '=', id).executeTakeFirstOrThrow()
  const verdicts = await verdictsOf(parts.db, [id])
  return wireRequest(parts, by, row as unknown as Found, verdicts.get(id) ?? [])
}

function found(db: RequestDb) {
  return db
    .selectFrom('firm_requests')
    .innerJoin('firm_members', 'firm_members.id', 'firm_requests.asked_by')
    .selectAll('firm_requests')
    .select([
      'firm_members.label as asker',
      sql<number>`case when firm_requests.state = 'open' then firm_people(firm_requests) else firm_requests.people end`.as('now_people'),
      sql<boolean>`firm_requests.expires_at <= firm_now()`.as('is_over'),
    ])
}

async function verdictsOf(db: RequestDb, ids: readonly string[]): Promise<ReadonlyMap<string, readonly WireFirmVerdict[]>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('firm_verdicts')
    .innerJoin('firm_members', 'firm_members.id', 'firm_verdicts.member')
    .select(['firm_verdicts.request', 'firm_verdicts.member', 'firm_members.label', 'firm_verdicts.is_approved', 'firm_verdicts.at'])
    .where('firm_verdicts.request', 'in', ids)
    .orderBy('firm_verdicts.at')
    .execute()
  const verdicts = new Map<string, WireFirmVerdict[]>()
  for (const { request, member, label, is_approved: isApproved, at } of rows)
    verdicts.set(request, [...(verdicts.get(request) ?? []), { member, label, isApproved, at }])
  return verdicts
}

function wireRequest({ book }: Parts, { member }: Membership, row: Found, verdicts: readonly WireFirmVerdict[]): WireFirmRequest {
  const isOpen = row.state === 'open' && !row.is_over
  const canApprove = isOpen && hasRight(member.role, 'approve') && !verdicts.some((one) => one.member === member.id)
  return {
    ...wishOf(row, row.sealed === null ? undefined : book.openForFirm(row.sealed, row.id)),
    ...{ id: row.id, shown: row.shown, state: row.state, askedBy: row.asker, askedAt: row.asked_at, expiresAt: row.expires_at },
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...{ people: row.now_people, verdicts },
    ...{ canApprove, canRefuse: canApprove && !isAbout(member, row) },
    canCancel: row.state === 'open' && mayCancel(member, row),
    ...(row.withdrawal === null ? {} : { withdrawalId: String(row.withdrawal) }),
  }
}

/** Whoever asked takes it back, and whoever manages the firm, except whom it is about. */
export function mayCancel(member: Membership['member'], row: Pick<RequestRow, 'asked_by' | 'kind' | 'payload'>): boolean {
  return row.asked_by === member.id || (hasRight(member.role, 'manage') && !isAbout(member, row))
}

/** Whether a request is about this member, who could otherwise stop their own removal for ever. */
export function isAbout({ id }: Membership['member'], { kind, payload }: Pick<RequestRow, 'kind' | 'payload'>): boolean {
  return kind === 'member' && payload['member'] === id
}

function wishOf({ kind, payload }: RequestRow, beneficiary: string | undefined): WireFirmWish {
  const { middle: _, ...wished } = payload
  return { kind, [kind]: beneficiary === undefined ? wished : { ...wished, beneficiary } } as unknown as WireFirmWish
}
