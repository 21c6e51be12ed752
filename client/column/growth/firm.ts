import type { WirePage } from '@candor/core/protocol/wire/funds.ts'
import type {
  WireFirm,
  WireFirmAccountChange,
  WireFirmBalances,
  WireFirmLogEntry,
  WireFirmMemberChange,
  WireFirmMove,
  WireFirms,
  WireNewFirm,
  WireNewFirmAccount,
  WireNewFirmMember,
} from '@candor/core/protocol/wire/firm/firm.ts'
import { type CallOptions, type Http, segment } from '../../http.ts'

/** Firms of the user, and invitations to firms. */
export function list(http: Http, options?: CallOptions): Promise<WireFirms> {
  return http('GET', '/firms', options)
}

/** Applies for a firm. Refused with `FIRM_NEEDS_TRUST` without a certificate and a second factor. */
export function apply(http: Http, form: WireNewFirm, options?: CallOptions): Promise<WireFirm> {
  return http('POST', '/firms', { ...options, body: form })
}

export function get(http: Http, firm: string, options?: CallOptions): Promise<WireFirm> {
  return http('GET', `/firms/${segment(firm)}`, options)
}

/** Opens a sub-account. */
export function openAccount(http: Http, firm: string, form: WireNewFirmAccount, options?: CallOptions): Promise<WireFirm> {
  return http('POST', `/firms/${segment(firm)}/accounts`, { ...options, body: form })
}

/** Renames an account, or archives an empty one. */
export function changeAccount(
  http: Http,
  firm: string,
  account: string,
  form: WireFirmAccountChange,
  options?: CallOptions,
): Promise<WireFirm> {
  return http('PATCH', `/firms/${segment(firm)}/accounts/${segment(account)}`, { ...options, body: form })
}

/** Balances of all accounts that the member sees. */
export function balances(http: Http, firm: string, options?: CallOptions): Promise<WireFirmBalances> {
  return http('GET', `/firms/${segment(firm)}/balances`, options)
}

/** Moves coins between the spot accounts of two accounts of the firm. A repeat with the same client id moves nothing again. */
export function move(http: Http, firm: string, form: WireFirmMove, options?: CallOptions): Promise<void> {
  return http('POST', `/firms/${segment(firm)}/moves`, { ...options, body: form })
}

/** Invites a viewer or trader. Refused with `FIRM_NEEDS_REQUEST` for a role that approves. */
export function invite(http: Http, firm: string, form: WireNewFirmMember, options?: CallOptions): Promise<WireFirm> {
  return http('POST', `/firms/${segment(firm)}/members`, { ...options, body: form })
}

export function changeMember(
  http: Http,
  firm: string,
  member: string,
  form: WireFirmMemberChange,
  options?: CallOptions,
): Promise<WireFirm> {
  return http('PATCH', `/firms/${segment(firm)}/members/${segment(member)}`, { ...options, body: form })
}

/** Ends a member or an invitation; one's own membership to leave the firm. */
export function endMember(http: Http, firm: string, member: string, options?: CallOptions): Promise<void> {
  return http('DELETE', `/firms/${segment(firm)}/members/${segment(member)}`, options)
}

export function accept(http: Http, firm: string, options?: CallOptions): Promise<WireFirm> {
  return http('POST', `/firms/${segment(firm)}/accept`, options)
}

export function decline(http: Http, firm: string, options?: CallOptions): Promise<void> {
  return http('POST', `/firms/${segment(firm)}/decline`, options)
}

/** What was done in the firm, newest first. */
export function log(
  http: Http,
  firm: string,
  query: { readonly before?: string; readonly limit?: number } = {},
  options?: CallOptions,
): Promise<WirePage<WireFirmLogEntry>> {
  return http('GET', `/firms/${segment(firm)}/log`, { ...options, query: { ...query } })
}

/** The newest entries as CSV. */
export function logFile(http: Http, firm: string, options?: CallOptions): Promise<Blob> {
  return http('GET', `/firms/${segment(firm)}/log/file`, { ...options, answer: 'file' })
}
