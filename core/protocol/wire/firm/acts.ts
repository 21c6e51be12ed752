import type { FirmRight } from './firm.ts'

/** The header that names the firm's account for which a request acts, by its UID. Sockets: the parameter `account`. */
export const actingHeader = 'x-candor-account'
export const actingParameter = 'account'

/**
 * What a route is for a member who acts for an account of a firm. A right: members with it use the route for that account. `own`: it is
 * about the person, whatever they act for, so clients leave the header off. `never`: the route exists for people's own accounts alone.
 * The server refuses the header at both, and at every route that is missing here.
 */
export type Acts = FirmRight | 'own' | 'never'

/** Routes below `/app/v1` that need a login, by method and path. */
const routes: { readonly [A in Acts]: readonly string[] } = {
  read: [
    ...['GET /balances', 'GET /records', 'GET /records/sums', 'GET /transfer/preview', 'GET /profit', 'GET /costs'],
    ...['spot', 'perp'].flatMap((kind) => [
      ...[`GET /${kind}/orders/open`, `GET /${kind}/orders/history`, `GET /${kind}/orders/:id`, `GET /${kind}/fills`],
    ]),
    ...['GET /algo/orders', 'GET /algo/orders/history', 'GET /algo/orders/:id'],
    ...['GET /perp/account', 'GET /perp/positions/closed', 'GET /perp/funding', 'GET /perp/liquidations/:positionId'],
    ...['GET /margin/accounts', 'GET /margin/loans', 'GET /margin/liquidations', 'GET /lend/claims'],
    ...['GET /convert/standing', 'GET /convert/conversions', 'GET /convert/conversions/:id'],
    ...['GET /daily/profit', 'GET /daily/statement', 'GET /daily/statement/file'],
    ...['GET /presales/subscriptions', 'GET /presales/:number/subscription'],
    ...['GET /deposits', 'GET /withdrawals', 'GET /withdrawals/standing', 'GET /withdrawal-addresses'],
    ...['GET /proof/receipts', 'GET /proof/receipts/:seq', 'GET /proof/receipts.ndjson', 'GET /proof/liabilities'],
    // To ask why a result is as it is changes nothing.
    ...['POST /explanations', 'GET /explanations/:id'],
  ],
  trade: [
    ...['POST /spot/orders', 'POST /spot/orders/oco', 'POST /perp/orders', 'POST /perp/reverse'],
    ...['spot', 'perp'].flatMap((kind) => [`PATCH /${kind}/orders/:id`, `DELETE /${kind}/orders/:id`, `DELETE /${kind}/orders`]),
    ...['POST /algo/orders', 'DELETE /algo/orders/:id'],
    ...['POST /perp/leverage', 'POST /perp/margin-mode', 'POST /perp/hedge-mode', 'POST /perp/margin'],
    ...['POST /transfer', 'POST /margin/borrow', 'POST /margin/repay'],
    ...['POST /lend/supply', 'POST /lend/withdraw', 'DELETE /lend/withdraw'],
    ...['POST /convert/quotes', 'POST /convert/quotes/:id/accept'],
    'POST /sandbox/faucet',
  ],
  treasury: ['GET /deposits/address', 'POST /sandbox/deposits', 'POST /debts/repay', 'POST /presales/:number/subscriptions'],
  approve: [],
  manage: [
    ...['GET /keys', 'POST /keys', 'PATCH /keys/:id', 'DELETE /keys/:id'],
    ...['GET /keys/:id/signal', 'POST /keys/:id/signal', 'PATCH /keys/:id/signal', 'POST /keys/:id/signal/try'],
  ],
  never: [
    ...['POST /withdrawals/prepare', 'POST /withdrawals', 'DELETE /withdrawals/:id'],
    ...['POST /withdrawal-addresses', 'PATCH /withdrawal-addresses/:id', 'DELETE /withdrawal-addresses/:id'],
    ...['GET /convert/shelves', 'POST /convert/hedge'],
    ...['GET /option/knowledge', 'POST /option/knowledge', 'GET /option/me', 'POST /option/limits', 'POST /option/orders'],
    ...['GET /option/orders/open', 'GET /option/orders/history', 'GET /option/orders/:id'],
    ...['GET /referral', 'GET /referral/earnings', 'GET /activity', 'GET /activity/file'],
    ...['GET /webhooks', 'POST /webhooks', 'PATCH /webhooks/:id', 'DELETE /webhooks/:id', 'POST /webhooks/:id/secret'],
    ...['POST /webhooks/:id/challenge', 'GET /webhooks/:id/deliveries', 'POST /webhooks/:id/test', 'POST /webhooks/:id/replay'],
    'POST /webhooks/:id/deliveries/:sequence/replay',
  ],
  own: ['GET /deletion', 'POST /deletion', 'POST /sandbox/certify'],
}

/** First segments of paths of which every route is about the person. */
const ownRooms = ['me', 'auth', 'papers', 'notices', 'alerts', 'preferences', 'charts', 'support', 'firms', 'limits']

const known: ReadonlyMap<string, Acts> = new Map(
  Object.entries(routes).flatMap(([acts, names]) => names.map((name) => [name, acts as Acts] as const)),
)

/** What a route is, by its method and pattern below `/app/v1`; undefined when nobody has decided it. */
export function actsOfRoute(method: string, pattern: string): Acts | undefined {
  return known.get(`${method} ${pattern}`) ?? (ownRooms.includes(pattern.split('/', 2)[1] ?? '') ? 'own' : undefined)
}

/** The same for a path with its ids, as a client knows it. Undefined: the route is open to everybody, or there is none. */
export function actsOfPath(method: string, path: string): Acts | undefined {
  const exact = actsOfRoute(method, path)
  if (exact !== undefined) return exact
  const segments = `${method} ${path}`.split('/')
  for (const [pattern, acts] of known) {
    const parts = pattern.split('/')
    if (parts.length === segments.length && parts.every((part, at) => part === segments[at] || part.startsWith(':'))) return acts
  }
  return undefined
}
