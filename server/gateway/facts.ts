/**
 * Readers of facts that other gateways tell. The engine repeats the last one of each topic for every process that starts: one that can't
 * be read, from another version or a gateway in other hands, must not end all of them. It counts as lost.
 */
import type { Revoked } from '../identity/sessions.ts'
import type { TicketChanged } from '../support/desk.ts'

export function revokedIn(fact: unknown): Revoked | undefined {
  const { account, sessions, isActing } = (fact ?? {}) as Partial<Revoked>
  if (typeof account !== 'string' || !Array.isArray(sessions)) return undefined
  return { account, sessions, isActing: isActing === true }
}

export function ticketIn(fact: unknown): TicketChanged | undefined {
  const { user, ticket } = (fact ?? {}) as Partial<TicketChanged>
  return typeof user === 'number' && typeof ticket === 'string' ? { user, ticket } : undefined
}
