import type { WireFirmRule } from '@candor/core/protocol/wire/firm/firm.ts'
import type { FirmRequestState, WireFirmRequest, WireNewFirmRequest } from '@candor/core/protocol/wire/firm/requests.ts'
import type { WirePage } from '@candor/core/protocol/wire/funds.ts'
import { type CallOptions, type Http, segment } from '../../http.ts'

/** How many people approve what in a firm. */
export function rule(http: Http, firm: string, options?: CallOptions): Promise<WireFirmRule> {
  return http('GET', `/firms/${segment(firm)}/rule`, options)
}

export type FirmRequestQuery = { readonly state?: FirmRequestState; readonly before?: string; readonly limit?: number }

/** Requests of a firm, newest first. */
export function list(http: Http, firm: string, query: FirmRequestQuery = {}, options?: CallOptions): Promise<WirePage<WireFirmRequest>> {
  return http('GET', `/firms/${segment(firm)}/requests`, { ...options, query: { ...query } })
}

/** Asks, which is the asker's approval as well. Refused with `PROOF_NEEDED` until the session has proved itself. */
export function ask(http: Http, firm: string, request: WireNewFirmRequest, options?: CallOptions): Promise<WireFirmRequest> {
  return http('POST', `/firms/${segment(firm)}/requests`, { ...options, body: request })
}

/** Approves. With enough approvals the request is carried out, and the answer says whether it could be. */
export function approve(http: Http, firm: string, request: string, options?: CallOptions): Promise<WireFirmRequest> {
  return http('POST', `/firms/${segment(firm)}/requests/${segment(request)}/approve`, { ...options, body: {} })
}

/** Refuses, which ends the request. */
export function refuse(http: Http, firm: string, request: string, options?: CallOptions): Promise<WireFirmRequest> {
  return http('POST', `/firms/${segment(firm)}/requests/${segment(request)}/refuse`, { ...options, body: {} })
}

/** Takes back a request that is not decided. */
export function cancel(http: Http, firm: string, request: string, options?: CallOptions): Promise<WireFirmRequest> {
  return http('POST', `/firms/${segment(firm)}/requests/${segment(request)}/cancel`, { ...options, body: {} })
}
