import type { KeyScope } from '@candor/core/protocol/wire/keys.ts'
import type { ApiAuth } from './auth.ts'
import type { ApiUser } from './key-ring.ts'
import { type Params, type Sent, type Values, valuesOf } from './params.ts'

/** The two groups of paths that count their weight apart. */
export type Family = 'spot' | 'futures'

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

/**
 * One path with one method. It does everything itself, parameters and weight included, so that routes with keys check in
 * the order that theirs need. What it resolves to is the body of the answer; an ApiError or a Refused is the answer, too.
 */
export type Route = {
  readonly method: Method
  readonly path: string
  readonly handle: (call: Call) => unknown
}

export type Weight<P extends Params> = number | ((values: Values<P>) => number)

/** A route that needs no key: parameters, then weight, then the answer. */
export function publicRoute<const P extends Params>(
  path: string,
  weight: Weight<P>,
  params: P,
  answer: (values: Values<P>, call: Call) => unknown,
): Route {
  return {
    method: 'GET',
    path,
    handle(call) {
      const values = valuesOf(params, call.sent, call.family === 'spot')
      call.charge(typeof weight === 'number' ? weight : weight(values))
      return answer(values, call)
    },
  }
}

/** A signed route: key, what is missing, time and signature (see ApiAuth), then the other parameters, weight, and the answer. */
export function signedRoute<const P extends Params>(
  auth: ApiAuth,
  { method, path, scope, weight }: { readonly method: Method; readonly path: string; readonly scope: KeyScope; readonly weight: Weight<P> },
  params: P,
  answer: (values: Values<P>, user: ApiUser, call: Call) => unknown,
): Route {
  const names = Object.keys(params).filter((name) => params[name]?.isMandatory)
  return {
    method,
    path,
    async handle(call) {
      const user = await auth.signed(call, { scope, mandatory: names })
      const values = valuesOf(params, call.sent, call.family === 'spot')
      call.charge(typeof weight === 'number' ? weight : weight(values))
      return answer(values, user, call)
    },
  }
}
