import { orderAllowances, type OrderCounts } from './order-counts.ts'
import type { Family } from '../live/program-names.ts'
import { type Route, signedRoute } from './route.ts'

/** How much of its order limits a program's account has used, separately for spot and contracts. */
export function limitRoutes(counts: Readonly<Record<Family, OrderCounts>>): readonly Route[] {
  const route = (family: Family, path: string, weight: number) =>
    signedRoute({ method: 'GET', path, scope: 'read', weight }, {}, (_values, owner, { at }) => {
      const allowance = orderAllowances[owner.class]
      const { tenSeconds, day } = counts[family].read(owner.user, at)
      return [
        { rateLimitType: 'ORDERS', interval: 'SECOND', intervalNum: 10, limit: allowance.tenSeconds, count: tenSeconds },
        { rateLimitType: 'ORDERS', interval: 'DAY', intervalNum: 1, limit: allowance.day, count: day },
      ]
    })
  return [route('spot', '/api/v3/rateLimit/order', 40), route('futures', '/fapi/v1/rateLimit/order', 1)]
}
