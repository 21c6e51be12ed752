import type { OracleState, Request } from './state.ts'

/** Remembered requests of a retail customer. */
const retailMax = 1_000
/** Remembered requests of any other user. */
const makerMax = 20_000

/**
 * The request of a user with this client id; undefined if there is none, or if it is forgotten because it is too old and its order
 * is closed.
 */
export function requestOf(state: OracleState, user: number, clientId: string): Request | undefined {
  const request = state.requests.get(`${user} ${clientId}`)
  if (request === undefined) return undefined
  const since = state.requestCounts.get(user)! - request.ordinal
  const isLast = since <= (state.users[user - 1]?.isRetail === true ? retailMax : makerMax)
  return isLast || isOpen(state, request) ? request : undefined
}

/** Remembers a user's next request. */
export function rememberRequest(state: OracleState, user: number, clientId: string, request: Omit<Request, 'ordinal'>): void {
  const ordinal = state.requestCounts.get(user) ?? 0
  state.requestCounts.set(user, ordinal + 1)
  state.requests.set(`${user} ${clientId}`, { ...request, ordinal })
}

/** Whether the order of a request, or a leg of its list, is still open. */
function isOpen(state: OracleState, { order, refusal }: Request): boolean {
  if (order === 0 || refusal !== undefined) return false
  return state.orders.has(order) || [...state.orders.values()].some(({ list }) => list === order)
}
