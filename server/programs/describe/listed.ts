import { apiRoutes } from '../routes.ts'
import type { Route } from '../route.ts'
import { listenKeyRoutes } from '../socket/listen-key-routes.ts'

/** Stands for any part of an exchange while routes are listed but never called. */
const nothing: any = new Proxy(function nobody() {}, {
  get: (_target, name) => {
    if (name === Symbol.toPrimitive) return () => ''
    if (name === Symbol.iterator) return function* none() {}
    return nothing
  },
  apply: () => nothing,
})

/** All routes of the programs' API without an exchange behind them: their declarations only. */
export function listedRoutes(): readonly Route[] {
  return [...apiRoutes(nothing), ...listenKeyRoutes(nothing, nothing)]
}
