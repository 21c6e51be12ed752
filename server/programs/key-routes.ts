import { type Route, signedRoute } from './route.ts'

/** A program's questions about its own key. */
export function keyRoutes(): readonly Route[] {
  return [
    signedRoute({ method: 'GET', path: '/sapi/v1/account/apiRestrictions', scope: 'read', weight: 1 }, {}, (_values, owner) => {
      const canTrade = owner.scopes.has('trade')
      return {
        ipRestrict: owner.isBound,
        createTime: owner.createdAt,
        enableReading: true,
        enableWithdrawals: owner.scopes.has('withdraw'),
        enableInternalTransfer: canTrade,
        enableMargin: canTrade,
        enableFutures: canTrade,
        permitsUniversalTransfer: canTrade,
        enableVanillaOptions: false,
        enablePortfolioMarginTrading: false,
        enableSpotAndMarginTrading: canTrade,
        ...(owner.expiresAt === null ? {} : { tradingAuthorityExpirationTime: owner.expiresAt }),
      }
    }),
  ]
}
