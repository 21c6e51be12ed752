import type { PhotoSide, WirePapers, WirePapersDraft } from '@candor/core/protocol/wire/papers.ts'
import type { CallOptions, Http } from '../http.ts'

/** A photo of 10 MB over a slow connection. */
const uploadMs = 180_000

/** The user's own identity check. */
export function mine(http: Http, options?: CallOptions): Promise<WirePapers> {
  return http('GET', '/papers', options)
}

/** Saves a part of the draft. */
export function save(http: Http, draft: WirePapersDraft, options?: CallOptions): Promise<WirePapers> {
  return http('PATCH', '/papers', { ...options, body: draft })
}

/** Saves a photo in place of the one before. `photo`: a JPEG or PNG of at most 10 MB, with its type. */
export function putPhoto(http: Http, side: PhotoSide, photo: Blob, options?: CallOptions): Promise<WirePapers> {
  return http('PUT', `/papers/photos/${side}`, { timeoutMs: uploadMs, ...options, body: photo })
}

/** A saved photo, as long as the check may be changed. */
export function photo(http: Http, side: PhotoSide, options?: CallOptions): Promise<Blob> {
  return http('GET', `/papers/photos/${side}`, { ...options, answer: 'file' })
}

export function removePhoto(http: Http, side: PhotoSide, options?: CallOptions): Promise<WirePapers> {
  return http('DELETE', `/papers/photos/${side}`, options)
}

/** Sends the check to the reviewers. From then on it can't be changed until they have decided. */
export function send(http: Http, options?: CallOptions): Promise<WirePapers> {
  return http('POST', '/papers/send', options)
}
