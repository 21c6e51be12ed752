/** Checks that links in pages lead to existing files and headings, and that paths named in pages exist. */
import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { files, root, text } from './files.ts'

const link = /\[[^\]]*\]\(([^)\s]+)\)/g
const path = /`((?:core|server|client|web|console|simulator|tools|docs)\/[\w./-]*[\w/])`/g
/** Pages about the past: their paths may be gone. */
const history = /^(docs\/decisions\/\d|CHANGELOG\.md$)/

export function pageFaults(): readonly string[] {
  return files(/^(docs\/.*|client\/[^/]*|[A-Z]+)\.md$/).flatMap((page) => faultsOf(page, text(page)))
}

/** One sentence for each link or path in a page that leads nowhere. */
export function faultsOf(page: string, content: string): readonly string[] {
  const prose = content.replace(/```[\s\S]*?```/g, '')
  const links = [...prose.matchAll(link)].flatMap(([, target = '']) =>
    isReached(page, content, target) ? [] : [`${page} links to ${target}`],
  )
  const named = history.test(page) ? [] : [...prose.matchAll(path)].map((match) => match[1] as string)
  const paths = named.flatMap((one) => (existsSync(join(root, one)) || one.endsWith('/dist') ? [] : [`${page} names ${one}`]))
  return [...links, ...paths].map((fault) => `${fault}, which does not exist`)
}

function isReached(page: string, content: string, target: string): boolean {
  if (/^(https?:|mailto:)/.test(target)) return true
  const [file = '', heading] = target.split('#')
  if (file === '') return headingsOf(content).includes(heading ?? '')
  const place = normalize(join(dirname(page), file))
  if (!existsSync(join(root, place))) return false
  return heading === undefined || (place.endsWith('.md') && headingsOf(text(place)).includes(heading))
}

/** The anchors of a page's headings. */
function headingsOf(page: string): readonly string[] {
  return [...page.replace(/```[\s\S]*?```/g, '').matchAll(/^#{1,6}\s+(.*)$/gm)].map(([, words = '']) =>
    words
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  )
}
