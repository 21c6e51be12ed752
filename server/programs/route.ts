import type { KeyScope } from '@candor/core/protocol/wire/keys.ts'
import type { Family } from '../live/program-names.ts'
import type { ApiAuth } from './auth.ts'
import type { ApiUser } from './key-ring.ts'
import { type Params, type Sent, type Values, valuesOf } from './params.ts'

/** A request as every route sees it. What a signature covers is `query` and `body`, as they came. */
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
  /** Headers of the answer, beside those that every answer has. */
  readonly answerHeaders: Record<string, string>
  /**
   * Counts weight against the address.
   *
   * throws  ApiError -1003
   */
  readonly charge: (weight: number) => void
}

export const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const
export type Method = (typeof methods)[number]

export type Weight<P extends Params> = number | ((values: Values<P>) => number)

/** One path with one method: the same over HTTP and, where it has a name there, on the WebSocket API. */
export type Route = {
  readonly method: Method
  readonly path: string
  /** What a key must be good for; undefined: open to all. */
  readonly scope: KeyScope | undefined
  /** False with a scope: the key alone opens it, without time and signature. */
  readonly isSigned: boolean
  readonly params: Params
  /** Names whose absence is said before time and signature are looked at. */
  readonly mandatory: readonly string[]
  readonly weight: (values: Values<Params>) => number
  /** Resolves to the body of the answer. throws  ApiError or Refused, which are answers, too */
  readonly answer: (values: Values<Params>, user: ApiUser, call: Call) => unknown
}

type Place<P extends Params> = { readonly method: Method; readonly path: string; readonly weight: Weight<P> }

/** Open to all. */
export function publicRoute<const P extends Params>(
  path: string,
  weight: Weight<P>,
  params: P,
  answer: (values: Values<P>, call: Call) => unknown,
): Route {
  const route = { method: 'GET', path, weight } as const
  return made(route, undefined, false, params, (values, _user, call) => answer(values, call))
}

/** Opened by a key that is sent along, and by nothing more. */
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
  return { method, path, scope, isSigned, params, mandatory, weight: weigh as never, answer: answer as never }
}

/** Who asks over HTTP. throws  see ApiAuth */
export function userOf({ scope, isSigned, mandatory }: Route, call: Call, auth: ApiAuth): ApiUser | Promise<ApiUser> | undefined {
  if (scope === undefined) return undefined
  return isSigned ? auth.signed(call, { scope, mandatory }) : auth.known(call.key, call.ip, scope)
}

/** For whoever was let in: the parameters, then weight, then the answer. throws  ApiError or Refused */
export function answerOf(route: Route, call: Call, user: ApiUser | undefined): unknown {
  // Clients send along what was only meant for them to paths of the wallet and of contracts, and expect no fault there.
  const values = valuesOf(route.params, call.sent, route.path.startsWith('/api/'))
  call.charge(route.weight(values))
  return route.answer(values, user as ApiUser, call)
}
