import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join, resolve } from 'node:path'
import fastifySwagger from '@fastify/swagger'
import { createJsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { App } from '../app.ts'

/** Groups of the app's routes by their tag, in the order of the pages. */
const groups = {
  market: 'Markets',
  spot: 'Spot',
  perp: 'Futures',
  margin: 'Margin',
  lend: 'Lending',
  option: 'Second',
  proof: 'Proof',
  explanations: 'Explanations of fills',
  funds: 'Funds',
  convert: 'Conversions',
  daily: 'Days: profit and statements',
  algo: 'TWAP and scaled orders',
  referral: 'Referral',
  presale: 'Presales',
  firms: 'Firms',
  auth: 'Accounts, sessions and passwords',
  factors: 'Second factors and proofs',
  safety: 'Addresses, payment password, freezes and deletion',
  regain: 'Access without the second factors',
  me: 'The user’s account',
  papers: 'Identity check',
  limits: 'Own limits and pauses',
  keys: 'API keys',
  webhooks: 'Webhooks',
  deposits: 'Deposits from chains',
  withdrawals: 'Withdrawals to chains',
  'withdrawal addresses': 'Withdrawal addresses',
  notices: 'Notices and push messages',
  news: 'Announcements and changes of terms',
  support: 'Tickets, and the chat in them',
} as const

/** Collects the schemas of every route that is registered afterwards. */
export async function collectSchemas(app: App, version: string, cookieName: string): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Candor app API',
        version,
        description:
          'The API of the Candor apps: JSON, a session cookie, decimal text for money, milliseconds for time. Every error is {code, message, field?, retryAfter?, requestId}.',
      },
      components: { securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: cookieName } } },
      tags: Object.entries(groups).map(([name, description]) => ({ name, description })),
    },
    transform: (given) => {
      const { route, schema } = given
      const secured = route.config?.auth === 'session' && schema ? { ...schema, security: [{ session: [] }] } : schema
      return createJsonSchemaTransform({})({ ...given, schema: secured })
    },
    transformObject: jsonSchemaTransformObject,
  })
}

const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

const client = resolve(import.meta.dirname, '..', '..', '..', 'client')
const types = { html: 'text/html', css: 'text/css', ts: 'text/javascript' } as const
/**
 * The documentation page, its scripts, and the part of the client for programs with which the page signs. Browsers get TypeScript
 * with its types removed.
 */
const pages: Readonly<Record<string, string>> = {
  '/docs': 'docs/index.html',
  '/docs/page.css': 'docs/page.css',
  ...Object.fromEntries(
    ['docs/page.ts', 'docs/operation.ts', 'docs/try.ts', 'docs/samples.ts', 'docs/schema.ts', 'docs/dom.ts', 'program/sign.ts'].map(
      (file) => [`/docs/${file}`, file],
    ),
  ),
}

/**
 * Serves `/openapi.json` (the app's API) and `/openapi-api.json` (the API for programs), and `/docs` for people. All files come
 * from this server.
 *
 * programs  makes the description of the API for programs
 */
export function documentRoutes(app: App, programs: () => object): void {
  const hidden = { schema: { hide: true } as object }
  const text = new Map<string, string>()
  const once = (name: string, make: () => string): string => {
    const made = text.get(name) ?? make()
    text.set(name, made)
    return made
  }
  const documents = { '/openapi.json': () => app.swagger(), '/openapi-api.json': programs }
  for (const [path, make] of Object.entries(documents)) {
    app.get(path, hidden, (_request, reply) =>
      reply
        .header('content-type', 'application/json; charset=utf-8')
        .header('cache-control', 'no-cache')
        .send(once(path, () => JSON.stringify(make()))),
    )
  }
  for (const [path, file] of Object.entries(pages)) {
    app.get(path, hidden, (_request, reply) =>
      reply
        .header('content-security-policy', docsPolicy)
        .header('content-type', `${types[file.split('.').at(-1) as keyof typeof types]}; charset=utf-8`)
        .header('cache-control', 'no-cache')
        .send(once(path, () => read(file))),
    )
  }
}

function read(file: string): string {
  const source = readFileSync(join(client, file), 'utf8')
  return file.endsWith('.ts') ? stripTypeScriptTypes(source) : source
}
