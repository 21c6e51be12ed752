import type { PhotoSide } from '@candor/core/protocol/wire/papers.ts'
import type {
  WireRegain,
  WireRegainCode,
  WireRegainCodeSent,
  WireRegainFinish,
  WireRegainPapers,
  WireRegainStep,
} from '@candor/core/protocol/wire/regain.ts'
import type { CallOptions, Http } from '../http.ts'

/** A photo of 10 MB over a slow connection. */
const uploadMs = 180_000

/** Sends a code to the next address of the account whose login waits for a second factor in this browser. */
export function sendCode(http: Http, options?: CallOptions): Promise<WireRegainCodeSent> {
  return http('POST', '/auth/regain/code', options)
}

/** Proves an address. After the last one the request begins. */
export function prove(http: Http, body: WireRegainCode, options?: CallOptions): Promise<WireRegainStep> {
  return http('POST', '/auth/regain', { ...options, body })
}

/** The request of this browser. */
export function mine(http: Http, options?: CallOptions): Promise<WireRegain> {
  return http('GET', '/auth/regain', options)
}

/** Saves a photo in place of the one before. `photo`: a JPEG or PNG of at most 10 MB, with its type. */
export function putPhoto(http: Http, side: PhotoSide, photo: Blob, options?: CallOptions): Promise<WireRegain> {
  return http('PUT', `/auth/regain/photos/${side}`, { timeoutMs: uploadMs, ...options, body: photo })
}

/** Sends the document to the reviewers. */
export function send(http: Http, body: WireRegainPapers, options?: CallOptions): Promise<WireRegain> {
  return http('POST', '/auth/regain/send', { ...options, body })
}

/** Sends the link again. */
export function resendLink(http: Http, options?: CallOptions): Promise<void> {
  return http('POST', '/auth/regain/link', options)
}

/** Withdraws the request of this browser. */
export function withdraw(http: Http, options?: CallOptions): Promise<void> {
  return http('DELETE', '/auth/regain', options)
}

/** Sets a new password and removes the second factors, by the token of the link. */
export function finish(http: Http, body: WireRegainFinish, options?: CallOptions): Promise<void> {
  return http('POST', '/auth/regain/finish', { ...options, body })
}

/** Stops the request of somebody else, as the owner. */
export function stop(http: Http, options?: CallOptions): Promise<void> {
  return http('POST', '/auth/regain/stop', options)
}
