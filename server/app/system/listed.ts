import Fastify from 'fastify'
import type { App } from '../app.ts'
import { appRoutes } from '../routes.ts'
import { collectSchemas } from './documents.ts'

/** Parts of no exchange: routes are listed but never called. */
const nothing = new Proxy({}, { get: () => undefined })
const parts = {
  context: nothing,
  identity: nothing,
  webhooks: nothing,
  book: nothing,
  chains: nothing,
  papers: nothing,
  regains: nothing,
  own: nothing,
  notices: nothing,
  push: nothing,
  tickets: nothing,
  firms: nothing,
  alerts: nothing,
  cookies: nothing,
} as Parameters<typeof appRoutes>[1]

/** The app's API as OpenAPI, from its routes without an exchange behind them. */
export async function listedAppApi(): Promise<object> {
  const app = Fastify() as unknown as App
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => () => '')
  await collectSchemas(app, '', 'candor')
  await appRoutes(app, parts)
  await app.ready()
  return app.swagger()
}
