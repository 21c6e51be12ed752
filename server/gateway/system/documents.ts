import { brotliCompressSync, constants } from 'node:zlib'
import fastifySwagger from '@fastify/swagger'
import Fastify from 'fastify'
import { createJsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { App } from '../app.ts'
import { sendRefusal } from '../http/errors.ts'

/** Collects the schemas of every route that is registered after it. */
export async function collectSchemas(app: App, version: string, cookieName: string): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Candor app API',
        version,
        description:
          'What the Candor apps speak: JSON, a session cookie, decimal strings for money, milliseconds for time. Every error is {code, message, field?, retryAfter?, requestId}.',
      },
      components: { securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: cookieName } } },
      tags: ['market', 'spot', 'perp', 'margin', 'lend', 'option', 'proof', 'funds', 'auth', 'me', 'keys'].map((name) => ({ name })),
    },
    transform: ({ schema, url, route, ...rest }) => {
      const secured = route.config?.auth === 'session' && schema ? { ...schema, security: [{ session: [] }] } : schema
      return createJsonSchemaTransform({})({ schema: secured, url, route, ...rest } as never)
    },
    transformObject: jsonSchemaTransformObject,
  })
}

const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const page = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Candor app API</title><meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body>
<script id="api-reference" data-url="/openapi.json" data-configuration="{&quot;withDefaultFonts&quot;:false,&quot;telemetry&quot;:false,&quot;hideClientButton&quot;:true,&quot;agent&quot;:{&quot;disabled&quot;:true},&quot;mcp&quot;:{&quot;disabled&quot;:true},&quot;showDeveloperTools&quot;:&quot;never&quot;}"></script>
<script src="/docs/reference.js"></script>
</body>
</html>
`

/** `/openapi.json` for programs, `/docs` for people: everything from here, nothing from elsewhere. */
export function documentRoutes(app: App): void {
  const hidden = { schema: { hide: true } as object }
  let document: string | undefined
  app.get('/openapi.json', hidden, (_request, reply) => {
    document ??= JSON.stringify(app.swagger())
    return reply.header('content-type', 'application/json; charset=utf-8').header('cache-control', 'no-cache').send(document)
  })
  app.get('/docs', hidden, (_request, reply) =>
    reply
      .header('content-security-policy', docsPolicy)
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(page),
  )
  let script: Promise<{ plain: string; br: Buffer } | undefined> | undefined
  app.get('/docs/reference.js', hidden, async (request, reply) => {
    script ??= readReference()
    const found = await script
    if (!found) return sendRefusal(reply as never, 'UNAVAILABLE')
    reply
      .header('content-type', 'text/javascript; charset=utf-8')
      .header('cache-control', 'public, max-age=86400')
      .header('vary', 'accept-encoding')
    if (!/\bbr\b/.test(String(request.headers['accept-encoding'] ?? ''))) return reply.send(found.plain)
    return reply.header('content-encoding', 'br').send(found.br)
  })
}

/** The reader's script out of its package, on first demand: four megabytes that most processes never need. */
async function readReference(): Promise<{ plain: string; br: Buffer } | undefined> {
  const { default: reference } = await import('@scalar/fastify-api-reference')
  const shelf = Fastify()
  await shelf.register(reference as never, { routePrefix: '/docs', configuration: { url: '/openapi.json' } } as never)
  const { statusCode, body } = await shelf.inject('/docs/js/scalar.js')
  await shelf.close()
  if (statusCode !== 200) return undefined
  return { plain: body, br: brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }) }
}
