import { createHash } from 'node:crypto'
import type { Received } from './inbox.ts'
import { escapeHtml, formatTime } from './render.ts'
import type { Texts } from './text.ts'

const style = `:root{color-scheme:light dark;--ground:#f5f6f8;--card:#fff;--ink:#14171c;--soft:#5a6270;--line:#d7dbe0;--accent:#0b57d0}
@media (prefers-color-scheme:dark){:root{--ground:#0e1116;--card:#171b22;--ink:#e8ebf0;--soft:#9aa4b2;--line:#2a303a;--accent:#8ab4f8}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:640px;margin:0 auto;padding:16px}
h1{font-size:22px;margin:8px 0 4px}
.note,.meta{color:var(--soft);font-size:14px;margin:0 0 12px;overflow-wrap:anywhere}
form{display:flex;gap:8px;flex-wrap:wrap;margin:16px 0}
input{flex:1 1 200px;min-width:0;min-height:44px;padding:8px 12px;border:1px solid var(--line);border-radius:8px;background:var(--card);color:inherit;font:inherit}
button,.refresh{min-height:44px;padding:8px 16px;border:1px solid var(--line);border-radius:8px;background:var(--card);color:var(--accent);font:inherit;font-weight:600;text-decoration:none;display:inline-flex;align-items:center}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
article{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:16px;margin:0 0 12px}
h2{font-size:17px;margin:0 0 4px;overflow-wrap:anywhere}
article p{margin:8px 0 0;white-space:pre-line;overflow-wrap:anywhere}
hr{border:0;border-top:1px solid var(--line);margin:12px 0}
.code{font:700 32px/1.2 ui-monospace,monospace;letter-spacing:4px;user-select:all}`

/** Content security policy: this page runs no script, loads nothing and talks only to itself. */
export const inboxPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** All outside text is escaped. Codes are large enough to tap with a thumb. */
export function inboxPage({ inbox: texts, locale }: Texts, messages: readonly Received[], to: string, lang: string): string {
  const query = new URLSearchParams({ ...(to === '' ? {} : { to }), ...(lang === '' ? {} : { lang }) }).toString()
  const kept = lang === '' ? '' : `<input type="hidden" name="lang" value="${escapeHtml(lang)}">`
  const list =
    messages.length === 0
      ? `<p class="note">${escapeHtml(texts.empty)}</p>`
      : messages.map((message) => card(message, texts, locale)).join('\n')
  return `<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(texts.title)}</title><style>${style}</style></head>
<body><main>
<h1>${escapeHtml(texts.title)}</h1>
<p class="note">${escapeHtml(texts.note)}</p>
<form method="get" action="/inbox" role="search">
<input name="to" value="${escapeHtml(to)}" placeholder="${escapeHtml(texts.filter)}" aria-label="${escapeHtml(texts.filter)}" autocomplete="off" autocapitalize="none">
${kept}<button>${escapeHtml(texts.show)}</button>
<a class="refresh" href="/inbox${query === '' ? '' : `?${escapeHtml(query)}`}">${escapeHtml(texts.refresh)}</a>
</form>
${list}
</main></body></html>
`
}

function card(message: Received, texts: Texts['inbox'], locale: string): string {
  const heading = message.subject === '' ? 'SMS' : message.subject
  const recipient = texts.recipient.replace('{to}', () => message.to)
  const paragraphs = message.text.split(/\n{2,}/).map((text) => {
    if (text === '--') return '<hr>'
    const isCode = /^[0-9]{6}$/.test(text.trim())
    return `<p${isCode ? ' class="code"' : ''}>${escapeHtml(text.trim())}</p>`
  })
  return `<article>
<h2>${escapeHtml(heading)}</h2>
<p class="meta">${escapeHtml(recipient)} · <time datetime="${new Date(message.receivedAt).toISOString()}">${escapeHtml(formatTime(message.receivedAt, locale))}</time></p>
${paragraphs.join('\n')}
</article>`
}
