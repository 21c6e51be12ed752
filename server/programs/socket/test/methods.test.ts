import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ListenKeys } from '../listen-keys.ts'
import type { Context } from '../../context.ts'
import { OrderCounts } from '../../order-counts.ts'
import { apiRoutes } from '../../routes.ts'
import { listenKeyRoutes } from '../listen-key-routes.ts'
import { methodNames, methodsOf } from '../methods.ts'

test('API-WS-010: every name of the WebSocket API leads to a route, alone and with its version before it', () => {
  const orderCounts = { spot: new OrderCounts(), futures: new OrderCounts() }
  const context = { data: { listing: {} }, now: Date.now, orderCounts, chains: {} } as unknown as Context
  const routes = [...apiRoutes(context), ...listenKeyRoutes(context, {} as ListenKeys)]
  for (const family of ['spot', 'futures'] as const) {
    const methods = methodsOf(routes, family)
    for (const [name, place] of Object.entries(methodNames[family])) {
      const route = methods.get(name)
      assert.ok(route, `${name} leads nowhere: ${place}`)
      assert.equal(`${route.method} ${route.path}`, place)
      if (!name.includes('/')) assert.equal(methods.get(`${family === 'spot' ? 'v3' : 'v1'}/${name}`), route)
    }
  }
})
