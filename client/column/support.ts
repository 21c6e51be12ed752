import type {
  WireNewMessage,
  WireNewTicket,
  WireSupportDesk,
  WireSupportImage,
  WireThread,
  WireTickets,
} from '@candor/core/protocol/wire/support/tickets.ts'
import { type CallOptions, type Http, segment } from '../http.ts'

/** A picture of 10 MB over a slow connection. */
const uploadMs = 180_000

/** Whether somebody is at work. For visitors, too. */
export function desk(http: Http, options?: CallOptions): Promise<WireSupportDesk> {
  return http('GET', '/support', options)
}

/** The user's tickets, the last changed first. */
export function tickets(http: Http, options?: CallOptions): Promise<WireTickets> {
  return http('GET', '/support/tickets', options)
}

/** Opens a ticket. */
export function open(http: Http, body: WireNewTicket, options?: CallOptions): Promise<WireThread> {
  return http('POST', '/support/tickets', { ...options, body })
}

/** A ticket with its newest messages. `before`: of the page with earlier ones. */
export function thread(http: Http, id: string, query: { readonly before?: number } = {}, options?: CallOptions): Promise<WireThread> {
  return http('GET', `/support/tickets/${segment(id)}`, { ...options, query })
}

export function write(http: Http, id: string, body: WireNewMessage, options?: CallOptions): Promise<WireThread> {
  return http('POST', `/support/tickets/${segment(id)}/messages`, { ...options, body })
}

/** Marks messages as read up to a number. Repeated while the thread is shown, it says that somebody looks. */
export function read(http: Http, id: string, upTo: number, options?: CallOptions): Promise<void> {
  return http('POST', `/support/tickets/${segment(id)}/read`, { ...options, body: { upTo } })
}

export function close(http: Http, id: string, options?: CallOptions): Promise<WireThread> {
  return http('POST', `/support/tickets/${segment(id)}/close`, options)
}

export function reopen(http: Http, id: string, options?: CallOptions): Promise<WireThread> {
  return http('POST', `/support/tickets/${segment(id)}/reopen`, options)
}

/** Uploads a picture for the next message: a JPEG or PNG of at most 10 MB, with its type. */
export function addImage(http: Http, picture: Blob, options?: CallOptions): Promise<WireSupportImage> {
  return http('POST', '/support/images', { timeoutMs: uploadMs, ...options, body: picture })
}

export function image(http: Http, id: string, options?: CallOptions): Promise<Blob> {
  return http('GET', `/support/images/${segment(id)}`, { ...options, answer: 'file' })
}
