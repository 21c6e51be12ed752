import type { Command } from '../../protocol/command/index.ts'

/**
 * Most places that a command takes in its user's ring of client ids. An accepted list also takes one for each leg with an id; the
 * legs of a list with an id always have one.
 */
export function placesOf(command: Command): number {
  const own = 'clientId' in command && command.clientId !== '' ? 1 : 0
  if (command.type === 'spot.placeList') {
    const { working, legs } = command
    return own + [...(working === undefined ? [] : [working]), ...legs].filter(({ clientId }) => clientId !== '').length
  }
  if (command.type !== 'spot.placeOco') return own
  if (own > 0) return 3
  return Number((command.limitClientId ?? '') !== '') + Number((command.stopClientId ?? '') !== '')
}
