import type { WireExplanation, WireExplanationSubject } from '@candor/core/protocol/wire/explain/explanation.ts'
import { segment, type CallOptions, type Http } from '../../http.ts'

/** Why one of the customer's results is as it is. Asking again gives the same explanation. */
export function ask(http: Http, body: WireExplanationSubject, options?: CallOptions): Promise<WireExplanation> {
  return http('POST', '/explanations', { ...options, body })
}

/** The explanation, or how far it is worked out. */
export function read(http: Http, id: string, options?: CallOptions): Promise<WireExplanation> {
  return http('GET', `/explanations/${segment(id)}`, options)
}
