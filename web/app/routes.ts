/**
 * Every path of the app with the folder of its screen. Paths use the words of the specification, folders those of the code. A
 * screen is `screens/<folder>/screen.tsx`, which exports `Screen`.
 */
import type { ComponentType } from 'react'
import { type LaterArea, loadArea } from './texts.ts'

export const routes = {
  '/': 'home',
  '/login': 'login',
  '/register': 'register',
  '/password': 'password',
  '/market': 'market',
  '/daily': 'daily',
  '/alerts': 'alerts',
  '/spot': 'spot',
  '/contract': 'perp',
  '/lever': 'margin',
  '/Second': 'option',
  '/contractkline': 'chart',
  '/entrust': 'orders',
  '/optionentrust': 'option-orders',
  '/property': 'assets',
  '/exchange': 'convert',
  '/sellList': 'presales',
  '/sellDetail': 'presale',
  '/Sellrecord': 'presale-records',
  '/transfer': 'transfer',
  '/recharge': 'deposit',
  '/withdrawel': 'withdraw',
  '/lend': 'lend',
  '/propertyRecord': 'ledger',
  '/me': 'me',
  '/proof': 'proof',
  '/join': 'referral',
  '/safety': 'safety',
  '/activity': 'activity',
  '/limits': 'limits',
  '/deletion': 'deletion',
  '/freeze': 'freeze',
  '/reverify': 'reverify',
  '/kyc': 'papers',
  '/organization': 'firms',
  '/apikeys': 'apikeys',
  '/webhooks': 'webhooks',
  '/addresslist': 'addresses',
  '/addaddress': 'new-address',
  '/notices': 'notices',
  '/support': 'support',
  '/setting': 'setting',
  '/lang': 'lang',
  '/about': 'about',
  '/features': 'features',
  '/fees': 'fees',
  '/help': 'help',
  '/contact': 'contact',
  '/changes': 'changes',
  '/announcements': 'announcements',
} as const

export type Path = keyof typeof routes

/** Texts that a screen needs for its first paint and that other screens don't need. */
const areas: { readonly [Name in Path]?: readonly LaterArea[] } = {
  '/': ['home'],
  '/login': ['auth'],
  '/register': ['auth', 'gates'],
  '/password': ['auth', 'me'],
  '/market': ['markets'],
  '/daily': ['daily', 'home', 'accounts'],
  '/alerts': ['alerts'],
  '/contract': ['perp'],
  '/lever': ['margin'],
  '/property': ['assets'],
  '/exchange': ['convert'],
  '/sellList': ['presale'],
  '/sellDetail': ['presale'],
  '/Sellrecord': ['presale'],
  '/transfer': ['margin', 'accounts', 'assets'],
  '/recharge': ['chains'],
  '/withdrawel': ['chains', 'addresses'],
  '/lend': ['margin', 'lend'],
  '/entrust': ['perp', 'orders'],
  '/contractkline': ['chart', 'perp'],
  '/me': ['me'],
  '/proof': ['verify'],
  '/join': ['referral'],
  '/safety': ['safety', 'me'],
  '/activity': ['activity', 'safety'],
  '/limits': ['limits'],
  '/deletion': ['deletion', 'accounts'],
  '/freeze': ['safety'],
  '/reverify': ['reverify', 'papers', 'auth', 'gates'],
  '/kyc': ['papers', 'gates'],
  '/organization': ['firm'],
  '/apikeys': ['apikeys', 'webhooks'],
  '/webhooks': ['webhooks'],
  '/addresslist': ['addresses'],
  '/addaddress': ['addresses'],
  '/notices': ['notices', 'chains'],
  '/support': ['support'],
  '/setting': ['setting'],
  '/lang': ['setting'],
  '/about': ['about', 'site'],
  '/features': ['site'],
  '/fees': ['site'],
  '/help': ['terms'],
  '/contact': ['site'],
  '/changes': ['about'],
  '/announcements': ['about'],
  '/Second': ['option'],
  '/optionentrust': ['option', 'settled'],
  '/propertyRecord': ['records', 'orders', 'accounts', 'chains'],
}

/** Texts that a screen needs after its first paint: for panels below the fold, sheets and lists. */
const furtherAreas: ReadonlyMap<string, readonly LaterArea[]> = new Map<Path, readonly LaterArea[]>([
  ['/spot', ['orders', 'assets', 'setting', 'costs']],
  ['/contract', ['positions', 'orders', 'setting']],
  ['/lever', ['orders', 'loans', 'accounts', 'setting']],
  ['/Second', ['settled', 'admission', 'orders']],
  ['/contractkline', ['positions', 'orders', 'alerts', 'setting']],
  ['/entrust', ['positions', 'closed', 'accounts']],
  ['/optionentrust', ['orders']],
  ['/safety', ['proof', 'auth']],
  ['/limits', ['proof', 'auth']],
  ['/deletion', ['proof', 'auth']],
  ['/apikeys', ['auth']],
  ['/webhooks', ['auth']],
  ['/support', ['safety']],
  ['/addaddress', ['proof', 'auth', 'refusals']],
])

/** The trade tab opens with the perp desk. */
export const redirects: Readonly<Record<string, Path>> = { '/deal': '/contract' }

export const withTabBar: readonly string[] = ['/', '/deal', '/contract', '/lever', '/Second', '/spot', '/property', '/me', '/market']

export type ScreenModule = { readonly Screen: ComponentType }

let screenOf: (folder: string) => Promise<ScreenModule> = () => Promise.reject(new Error('no screens are there yet'))

/** Sets the function that loads screens. Only the shell knows the screens; links name a path. */
export function loadScreensWith(load: (folder: string) => Promise<ScreenModule>): void {
  screenOf = load
}

const loaded = new Map<string, ComponentType>()

/** The screen of a path, if it and its texts are loaded. */
export function loadedScreen(path: string): ComponentType | undefined {
  return loaded.get(path)
}

/** Loads a screen and its texts: on the touch that will open it, or when idle. */
export async function load(path: string): Promise<ComponentType> {
  const isKnown = Object.hasOwn(routes, path)
  const folder = isKnown ? routes[path as Path] : 'not-found'
  const needed = isKnown ? (areas[path as Path] ?? []) : []
  const [{ Screen }] = await Promise.all([screenOf(folder), ...needed.map(loadArea)])
  loaded.set(path, Screen)
  return Screen
}

/** Loads the further texts of a path. Texts that fail to load are fetched again at their first use. */
export async function loadFurther(path: Path): Promise<void> {
  await Promise.all((furtherAreas.get(path) ?? []).map(loadArea)).catch(() => undefined)
}

export function prefetch(path: string): void {
  const target = redirects[path] ?? path
  load(target)
    .then(() => loadFurther(target as Path))
    .catch(() => undefined)
}
