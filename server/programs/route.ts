import type { KeyScope } from '@candor/core/protocol/wire/keys.ts'
import type { Family } from '../live/program-names.ts'
import { origins } from '../origins.ts'
import type { ApiAuth } from './auth.ts'
import type { ApiUser } from './key-ring.ts'
import { type Params, type Sent, type Values, valuesOf } from './params.ts'

/** A request as every route sees it. A signature covers `query` and `body` as they arrived. */
export type Call = {
  readonly method: Method
  readonly path: string
  readonly family: Family
  readonly key: string | undefined
  readonly query: string
  readonly body: Uint8Array | undefined
  readonly sent: Sent
  readonly ip: string
  readonly at: number
  /** Headers of the answer besides the common ones. */
  readonly answerHeaders: Record<string, string>
  /**
   * Charges weight to the address.
   *
   * throws  ApiError -1003
   */
  readonly charge: (weight: number) => void
}

export const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const
export type Method = (typeof methods)[number]

export type Weight<P extends Params> = number | ((values: Values<P>) => number)

/** One path with one method: the same over HTTP and, if it has a name there, on the WebSocket API. */
export type Route = {
  readonly method: Method
  readonly path: string
  /** Permission that a key must have; undefined: open to everybody. */
  readonly scope: KeyScope | undefined
  /** False with a scope: the key alone suffices, without time and signature. */
  readonly isSigned: boolean
  readonly params: Params
  /** Names whose absence is reported before time and signature are checked. */
  readonly mandatory: readonly string[]
  readonly weight: (values: Values<Params>) => number
  /** Resolves to the body of the answer. throws  ApiError or Refused, which also become answers */
  readonly answer: (values: Values<Params>, user: ApiUser, call: Call) => unknown
}

type Place<P extends Params> = { readonly method: Method; readonly path: string; readonly weight: Weight<P> }

/** A route open to everybody. */
export function publicRoute<const P extends Params>(
  path: string,
  weight: Weight<P>,
  params: P,
  answer: (values: Values<P>, call: Call) => unknown,
): Route {
  const route = { method: 'GET', path, weight } as const
  return made(route, undefined, false, params, (values, _user, call) => answer(values, call))
}

/** A route that needs only a key, without a signature. */
export function keyRoute<const P extends Params>(
  place: Place<P>,
  params: P,
  answer: (values: Values<P>, user: ApiUser, call: Call) => unknown,
): Route {
  return made(place, 'read', false, params, answer)
}

export function signedRoute<const P extends Params>(
  place: Place<P> & { readonly scope: KeyScope },
  params: P,
  answer: (values: Values<P>, user: ApiUser, call: Call) => unknown,
): Route {
  return made(place, place.scope, true, params, answer)
}

function made<P extends Params>(
  { method, path, weight }: Place<P>,
  scope: KeyScope | undefined,
  isSigned: boolean,
  params: P,
  answer: (values: Values<P>, user: ApiUser, call: Call) => unknown,
): Route {
  const mandatory = Object.keys(params).filter((name) => params[name]?.isMandatory)
  const weigh = typeof weight === 'number' ? () => weight : weight
  return { method, path, scope, isSigned, params, mandatory, weight: weigh as Route['weight'], answer: answer as Route['answer'] }
}

/** The caller of an HTTP request. throws  see ApiAuth */
export function userOf({ scope, isSigned, mandatory }: Route, call: Call, auth: ApiAuth): ApiUser | Promise<ApiUser> | undefined {
  if (scope === undefined) return undefined
  return isSigned ? auth.signed(call, { scope, mandatory }) : auth.known(call.key, call.ip, scope)
}

/** The answer for an authenticated caller: parameters first, then weight, then the answer. throws  ApiError or Refused */
export function answerOf(route: Route, call: Call, user: ApiUser | undefined): unknown {
  // Official clients send extra parameters to the paths of the wallet and of Futures and expect no error there.
  const values = valuesOf(route.params, call.sent, route.path.startsWith('/api/'))
  call.charge(route.weight(values))
  if (user === undefined || route.method === 'GET') return route.answer(values, user as ApiUser, call)
  const { account, user: id, keyId, class: userClass } = user
  const origin = { account, user: id, class: userClass, session: null, key: keyId, ip: call.ip, device: '' }
  return origins.run(origin, () => route.answer(values, user, call))
}
