// Runs inline before the first paint: sets theme, up/down colours, language and height from this browser's storage.
// The build replaces `MODULES` with the files of each language and route, so that they load in parallel with the entry, and
// `LOCALES` with the locale and tag of each language, and `SIZES` with the percents of the text sizes.
;(() => {
  const root = document.documentElement
  const read = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }
  let settings = {}
  try {
    settings = JSON.parse(read('settings') || '{}') || {}
  } catch {}
  const locales = LOCALES
  const scripts = locales[read('lang')] || locales.en
  const [locale, tag] = scripts[settings.chinese] || scripts['']
  const isLight = settings.theme === 'light' || (settings.theme !== 'dark' && matchMedia('(prefers-color-scheme: light)').matches)
  root.dataset.theme = isLight ? 'light' : 'dark'
  // As `app/appearance.ts` does.
  root.dataset.updown = settings.updown || (read('lang') === 'hk' ? 'neutral' : 'green')
  if (settings.reduceMotion) root.dataset.motion = 'reduced'
  // As `app/appearance.ts` does: a visitor sees the size that was last shown here.
  const { owner, value } = (settings.kept && settings.kept.layout) || {}
  let uid = null
  try {
    uid = JSON.parse(read('session')).uid
  } catch {}
  const percent = owner === null || uid === null || owner === uid ? SIZES[value && value.textSize] : 100
  if (percent && percent !== 100) root.style.fontSize = `${percent}%`
  root.lang = tag
  root.style.setProperty('--vh', `${innerHeight / 100}px`)
  document.querySelector('meta[name=theme-color]').content = isLight ? '#f6f7f9' : '#0a0c10'
  const modules = MODULES
  const place = location.hash.replace(/^#?\/?/, '/').split('?')[0]
  const path = place === '/deal' ? '/contract' : place
  const areas = modules.texts[path] || []
  for (const name of [locale, path, ...areas.map((area) => `${locale}/${area}`)]) {
    for (const href of modules[name] || []) {
      const link = document.createElement('link')
      link.rel = 'modulepreload'
      link.href = href
      document.head.append(link)
    }
  }
  // Requests that every screen needs, and what a customer's screen shows first, go out together with the code. `app/client.ts` takes
  // these answers.
  const own = {
    '/': ['balances'],
    '/property': ['balances'],
    '/propertyRecord': ['records?limit=50'],
    '/me': ['auth/safety', 'auth/factors'],
  }
  const early = (globalThis.early = {})
  const asked = ['config', 'tickers?sparkline=1', ...(uid === null ? [] : ['me', ...(own[path] || [])])]
  for (const address of asked.map((name) => `/app/v1/${name}`)) {
    early[address] = fetch(address, { headers: { accept: 'application/json' }, signal: AbortSignal.timeout(15_000) })
    early[address].catch(() => {})
  }
  // The first formatter of a page makes the browser look up all languages it knows: done here, while the code is on its way.
  new Intl.NumberFormat(tag).format(1)
})()
