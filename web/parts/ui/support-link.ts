import type { AboutKind } from '@candor/core/protocol/wire/support/tickets.ts'

/** The path on which a customer asks support about a record, or about the error with this code. */
export function supportLink(kind: AboutKind, id: string): string {
  return `/support?about=${encodeURIComponent(`${kind}:${id}`)}`
}
