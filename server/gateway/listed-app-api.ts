import Fastify from 'fastify'
import type { App } from './app.ts'
import type { Context } from './context.ts'
import { fundsRoutes } from './routes/funds/routes.ts'
import { lendRoutes } from './routes/lend/routes.ts'
import { marginRoutes } from './routes/margin/routes.ts'
import { marketRoutes } from './routes/market/routes.ts'
import { optionRoutes } from './routes/option/routes.ts'
import { perpRoutes } from './routes/perp/routes.ts'
import { proofRoutes } from './routes/proof/routes.ts'
import { spotRoutes } from './routes/spot/routes.ts'
import { recentRoutes } from './routes/user/recent-routes.ts'
import { userRoutes } from './routes/user/routes.ts'
import { webhookRoutes } from './routes/user/webhook-routes.ts'
import { collectSchemas } from './system/documents.ts'

/** The app's API as OpenAPI, of its routes without an exchange behind them. */
export async function listedAppApi(): Promise<object> {
  const app = Fastify() as unknown as App
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => () => '')
  await collectSchemas(app, '', 'candor')
  const context = new Proxy({}, { get: () => undefined }) as Context
  const nothing = new Proxy({}, { get: () => undefined }) as never
  await app.register(
    async (scope) => {
      const api = scope as unknown as App
      marketRoutes(api, context)
      spotRoutes(api, context)
      perpRoutes(api, context)
      marginRoutes(api, context)
      lendRoutes(api, context)
      optionRoutes(api, context)
      proofRoutes(api, context)
      fundsRoutes(api, context)
      userRoutes(api, context, nothing, nothing)
      webhookRoutes(api, nothing, nothing)
      recentRoutes(api, nothing, nothing, nothing)
    },
    { prefix: '/app/v1' },
  )
  await app.ready()
  return app.swagger()
}
