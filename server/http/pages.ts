import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { takes } from './compress.ts'
import { sendRefusal } from './errors.ts'
import { askPolicy, commonHeaders, filePolicy, pagePolicy, readInlineHashes } from './headers.ts'

type Page = {
  readonly type: string
  readonly etag: string
  readonly cache: string
  readonly plain: Buffer
  readonly br: Buffer | undefined
  readonly gz: Buffer | undefined
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}

/** The page that asks a node of the reader's choice. */
const askName = 'proof/ask.html'

/**
 * Serves a built app from memory. It is read once, so no request reaches the file system and no path can leave the folder. `.br`
 * and `.gz` siblings are sent as the compressed form of their file.
 *
 * prefix    where the folder is mounted, with both slashes ('/' or '/console/')
 * hasPaths  whether the app has paths of its own below the prefix: each path without a dot then gets its page. `v1` below the prefix is
 *           for data, and never a page
 */
export function servePages(app: FastifyInstance, prefix: string, folder: string, { hasPaths = false } = {}): void {
  const policy = pagePolicy(readInlineHashes(folder))
  const pages = readPages(folder)
  const ask = pages.get(askName)
  const ownPolicy = ask && askPolicy(ask.plain.toString())

  const serve = (name: string) => (request: FastifyRequest, reply: FastifyReply) => {
    const page = pages.get(name)
    if (!page) return sendRefusal(reply, 'NOT_FOUND')
    // A page without an origin may have no opener policy of its own: browsers refuse both together.
    if (name === askName && ownPolicy !== undefined)
      return sendPage(request, reply.header('cross-origin-opener-policy', 'unsafe-none'), page, ownPolicy)
    return sendPage(request, reply, page, policy)
  }
  if (!pages.has('index.html')) {
    app.get(prefix, { schema: { hide: true } as object }, (_request, reply) => sendRefusal(reply, 'UNAVAILABLE'))
    return
  }
  app.get(prefix, { schema: { hide: true } as object }, serve('index.html'))
  // One route for each folder: a route for each file makes a start longer by a second.
  const folders = new Set([...pages.keys()].filter((name) => name.includes('/')).map((name) => name.split('/', 1)[0]!))
  for (const name of pages.keys()) {
    if (!name.includes('/')) app.get(prefix + encodeURI(name), { schema: { hide: true } as object }, serve(name))
  }
  for (const name of folders) {
    app.get(`${prefix}${encodeURI(name)}/*`, { schema: { hide: true } as object }, (request, reply) =>
      serve(`${name}/${(request.params as { readonly '*': string })['*']}`)(request, reply),
    )
  }
  if (!hasPaths) return
  app.get(prefix.slice(0, -1), { schema: { hide: true } as object }, (_request, reply) => reply.redirect(prefix, 308))
  const page = serve('index.html')
  app.get(`${prefix}*`, { schema: { hide: true } as object }, (request, reply) => {
    const path = request.url.split('?', 1)[0]!.slice(prefix.length)
    return /^v1(\/|$)|\./.test(path) ? sendRefusal(reply, 'NOT_FOUND') : page(request, reply)
  })
}

function readPages(folder: string): Map<string, Page> {
  let names: string[]
  try {
    names = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(folder.length + 1)
          .replaceAll('\\', '/'),
      )
  } catch {
    return new Map()
  }
  const all = new Set(names)
  const read = (name: string) => (all.has(name) ? readFileSync(join(folder, name)) : undefined)
  const pages = new Map<string, Page>()
  for (const name of names) {
    const type = types[extname(name)]
    if (!type || name === 'csp.json' || name.startsWith('.')) continue
    const plain = readFileSync(join(folder, name))
    pages.set(name, {
      type,
      etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
      // Only files whose name changes with their content may be cached for ever.
      cache: name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      plain,
      br: read(`${name}.br`),
      gz: read(`${name}.gz`),
    })
  }
  return pages
}

function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page, policy: string): FastifyReply {
  const own = reply.getHeader('cross-origin-opener-policy')
  reply.headers(commonHeaders).header('content-type', page.type).header('cache-control', page.cache)
  reply.header('etag', page.etag).header('vary', 'accept-encoding')
  if (own !== undefined) reply.header('cross-origin-opener-policy', own)
  if (page.type.startsWith('text/html')) {
    reply.header('content-security-policy', policy).header('permissions-policy', 'camera=(self), geolocation=(), microphone=()')
  } else reply.header('content-security-policy', filePolicy)
  if (request.headers['if-none-match'] === page.etag) return reply.code(304).send()
  const accepted = request.headers['accept-encoding']
  if (page.br && takes(accepted, 'br')) return reply.header('content-encoding', 'br').send(page.br)
  if (page.gz && takes(accepted, 'gzip')) return reply.header('content-encoding', 'gzip').send(page.gz)
  return reply.send(page.plain)
}
