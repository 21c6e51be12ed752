import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actsOfPath, actsOfRoute } from '@candor/core/protocol/wire/firm/acts.ts'
import { listedAppApi } from '../../system/listed.ts'

type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly security?: readonly object[] }>>>> }

/** Routes below `/app/v1` that need a login: `GET /spot/orders/:id`. */
async function loginRoutes(): Promise<readonly { readonly method: string; readonly path: string }[]> {
  const { paths } = (await listedAppApi()) as Document
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { security }]) =>
      security === undefined
        ? []
        : [{ method: method.toUpperCase(), path: path.slice('/app/v1'.length).replace(/\{([A-Za-z]+)\}/g, ':$1') }],
    ),
  )
}

test('FIRM-ACT-004: each route with a login is decided for members of firms', async () => {
  const routes = await loginRoutes()
  assert.ok(routes.length > 100)
  const undecided = routes.filter(({ method, path }) => actsOfRoute(method, path) === undefined)
  assert.deepEqual(undecided, [])
})

test('FIRM-ACT-004: what is decided is a route, and reads need no more than a right to read', async () => {
  const routes = await loginRoutes()
  for (const { method, path } of routes) {
    const acts = actsOfRoute(method, path)
    // The explanations of a result are asked for, which changes nothing.
    if (acts === 'read') assert.equal(method, path === '/explanations' ? 'POST' : 'GET', path)
    if (acts === 'trade') assert.notEqual(method, 'GET', path)
  }
  const names = new Set(routes.map(({ method, path }) => `${method} ${path}`))
  for (const name of decidedNames()) assert.ok(names.has(name) || isSandbox(name), `${name} is no route`)
})

const isSandbox = (name: string): boolean => name.includes('/sandbox/')

/** Each decision of the table that is not about a whole room. */
function decidedNames(): readonly string[] {
  return ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].flatMap((method) =>
    ['/balances', '/spot/orders', '/perp/orders', '/keys', '/withdrawals', '/lend/withdraw', '/transfer', '/debts/repay']
      .filter((path) => actsOfRoute(method, path) !== undefined)
      .map((path) => `${method} ${path}`),
  )
}

test('FIRM-ACT-004: clients find the decision by the path with its ids', () => {
  for (const [method, path, acts] of [
    ['GET', '/balances', 'read'],
    ['GET', '/spot/orders/open', 'read'],
    ['DELETE', '/spot/orders/17', 'trade'],
    ['PATCH', '/perp/orders/17', 'trade'],
    ['GET', '/presales/subscriptions', 'read'],
    ['GET', '/explanations/7', 'read'],
    ['GET', '/presales/7', undefined],
    ['GET', '/tickers', undefined],
    ['GET', '/auth/sessions', 'own'],
    ['DELETE', '/auth/sessions/17', 'own'],
    ['PUT', '/preferences/favourites', 'own'],
    ['POST', '/option/orders', 'never'],
    ['POST', '/withdrawals', 'never'],
    ['DELETE', '/keys/17', 'manage'],
  ] as const)
    assert.equal(actsOfPath(method, path), acts, `${method} ${path}`)
})
