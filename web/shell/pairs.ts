/** Which screens of a wide window are beside which list. The address stays that of the phone. */
import type { Path } from '../app/routes.ts'

export type Pair = {
  readonly list: Path
  readonly detail: Path
  /** The entry of the list that leads there. */
  readonly entry: Path
  /** Whether the list leads straight there, so that the screen needs no button back. */
  readonly isFirst: boolean
}

/** Pages of the account, by the entry of the menu that leads to them. */
const pages = {
  '/setting': ['/setting'],
  '/lang': ['/lang'],
  '/safety': ['/safety', '/activity', '/deletion'],
  '/addresslist': ['/addresslist', '/addaddress'],
  '/limits': ['/limits'],
  '/organization': ['/organization'],
  '/apikeys': ['/apikeys', '/webhooks'],
  '/join': ['/join'],
  '/about': ['/about', '/features', '/fees', '/contact', '/announcements', '/changes'],
} as const satisfies { readonly [Entry in Path]?: readonly Path[] }

const pairs: ReadonlyMap<string, Pair> = new Map<string, Pair>([
  // A tap on a market shows it at the right; `symbol` of the address says which.
  ['/market', { list: '/market', detail: '/contractkline', entry: '/contractkline', isFirst: true }],
  // A menu alone would leave the rest of the window empty.
  ['/me', { list: '/me', detail: '/setting', entry: '/setting', isFirst: true }],
  ...(Object.entries(pages) as [Path, readonly Path[]][]).flatMap(([entry, own]) =>
    own.map((detail): [string, Pair] => [detail, { list: '/me', detail, entry, isFirst: detail === entry }]),
  ),
])

export function pairOf(path: string): Pair | undefined {
  return pairs.get(path)
}
