import type { Command } from '../../protocol/command/index.ts'

/**
 * Places that a command takes of its user's ring of client ids at most. An accepted list also takes one for each leg that has
 * an id, which the legs of a list with an id always have.
 */
export function placesOf(command: Command): number {
  const own = 'clientId' in command && command.clientId !== '' ? 1 : 0
  if (command.type !== 'spot.placeOco') return own
  if (own > 0) return 3
  return Number((command.limitClientId ?? '') !== '') + Number((command.stopClientId ?? '') !== '')
}
