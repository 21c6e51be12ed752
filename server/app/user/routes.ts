import type { Identity } from '../../identity/identity.ts'
import type { App } from '../app.ts'
import { authRoutes, sessionRoutes } from './auth-routes.ts'
import type { Cookies } from './cookies.ts'
import { factorRoutes, stepRoutes } from './factor-routes.ts'
import { gateRoutes } from './gate-routes.ts'
import { keyRoutes } from './key-routes.ts'
import { chartRoutes, preferenceRoutes } from './preference-routes.ts'
import { meOf, profileRoutes, type UserContext } from './profile-routes.ts'
import { safetyRoutes } from './safety-routes.ts'

/** All routes about the user, below `/app/v1`: `/auth/*`, `/me`, `/keys`, `/preferences/*`, `/charts/*`. */
export function userRoutes(app: App, context: UserContext, identity: Identity, cookies: Cookies): void {
  const me = meOf(identity, context)
  authRoutes(app, identity, cookies, me)
  stepRoutes(app, identity, cookies, me)
  sessionRoutes(app, identity, cookies)
  factorRoutes(app, identity, cookies)
  safetyRoutes(app, identity, cookies)
  profileRoutes(app, identity, cookies, context, me)
  preferenceRoutes(app, identity.preferences, context.listing)
  chartRoutes(app, identity.chartLayouts, context.listing)
  gateRoutes(app, identity, cookies, me)
  keyRoutes(app, identity, cookies)
}
