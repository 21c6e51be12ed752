import { type Locale, type LocaleCode, locales } from '@candor/core/protocol/locales.ts'
import { commonHeaders } from '../../http/headers.ts'
import type { App } from '../app.ts'
import { type LandingPath, landingPaths, landingTexts } from './landing-texts.ts'

const policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
/** Size of the pictures in `web/public/share`. */
const picture = { width: 1200, height: 630 } as const

/**
 * Pages that others link to: title, description and picture for previews, and the way on. The paths of the app are behind a `#`, which
 * nobody who makes a preview ever asks for; browsers are sent on to them at once.
 *
 * publicUrl  the address that people use. Default: the host of the request
 */
export function landingRoutes(app: App, publicUrl: string | undefined): void {
  for (const path of landingPaths)
    app.get(path, { schema: { hide: true } as object }, (request, reply) => {
      const { lang } = request.query as { readonly lang?: unknown }
      const code = languageOf(lang, request.headers['accept-language'])
      return reply
        .headers(commonHeaders)
        .header('content-type', 'text/html; charset=utf-8')
        .header('content-security-policy', policy)
        .header('cache-control', 'no-cache')
        .header('vary', 'accept-language')
        .send(landingPage(path, code, publicUrl ?? `http://${request.headers.host ?? ''}`))
    })
}

/** The language of a link, or the first one of the browser's that the app has. */
export function languageOf(asked: unknown, accepted = ''): LocaleCode {
  const named = locales.find(({ code }) => code === asked)
  if (named !== undefined) return named.code
  for (const part of accepted.toLowerCase().split(',')) {
    const tag = part.split(';', 1)[0]!.trim()
    if (/^zh\b/.test(tag)) return /hans|cn|sg/.test(tag) ? 'hk-hans' : 'hk'
    const found = locales.find((one) => one.tag === tag.split('-', 1)[0])
    if (found !== undefined) return found.code
  }
  return 'en'
}

/** The page's HTML. `origin`: address of the exchange without a slash at its end. */
export function landingPage(path: LandingPath, lang: LocaleCode, origin: string): string {
  const { open, pages } = landingTexts[lang]
  const { title, lead } = pages[path]
  const { tag } = locales.find(({ code }) => code === lang) as Locale
  const base = origin.replace(/\/$/, '')
  const properties = {
    ...{ 'og:type': 'website', 'og:site_name': 'Candor', 'og:title': title, 'og:description': lead, 'og:url': `${base}${path}` },
    ...{ 'og:locale': tag.replace('-', '_'), 'og:image': `${base}/share${path}.png`, 'og:image:type': 'image/png' },
    ...{ 'og:image:width': String(picture.width), 'og:image:height': String(picture.height), 'og:image:alt': `Candor · ${title}` },
  }
  const others = locales.map((one) => `<link rel="alternate" hreflang="${one.tag}" href="${escaped(`${base}${path}?lang=${one.code}`)}">`)
  return `<!doctype html>
<html lang="${tag}">
<head>
<meta charset="utf-8">
<title>${escaped(title)} · Candor</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<meta name="description" content="${escaped(lead)}">
<link rel="canonical" href="${escaped(base + path)}">
${others.join('\n')}
${Object.entries(properties)
  .map(([name, content]) => `<meta property="${name}" content="${escaped(content)}">`)
  .join('\n')}
<meta name="twitter:card" content="summary_large_image">
<meta http-equiv="refresh" content="0; url=/#${path}">
</head>
<body>
<h1>${escaped(title)}</h1>
<p>${escaped(lead)}</p>
<p><a href="/#${path}">${escaped(open)}</a></p>
</body>
</html>
`
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] as string)
}
