/** Finds parts of a page by role and name, as a screen reader names them. Runs in the page, so it uses nothing from outside. */
export type Role =
  | 'alert'
  | 'article'
  | 'button'
  | 'checkbox'
  | 'dialog'
  | 'field'
  | 'heading'
  | 'item'
  | 'link'
  | 'panel'
  | 'radio'
  | 'region'
  | 'switch'
  | 'tab'
  | 'text'

export type What = {
  readonly role: Role
  /** The accessible name; of `text` and `alert`, what is written there. Default: any */
  readonly name?: string
  /** Whether the name only begins with this, or has it somewhere. Default: it is the whole name */
  readonly by?: 'start' | 'part'
  readonly nth?: number
  readonly inside?: What
}

export type Found = {
  readonly count: number
  readonly text: string
  readonly value: string
  readonly isDisabled: boolean
  /** The middle of the first one, and whether a finger would meet it there: in the window and uncovered. */
  readonly x: number
  readonly y: number
  readonly isHit: boolean
}

/** `scrolls`: whether the first one is brought into the window. */
export function look(wanted: What, scrolls: boolean): Found {
  const selectors: Readonly<Record<Role, string>> = {
    alert: '[role=alert]',
    article: 'article,[role=article]',
    button: 'button:not([role]),[role=button],summary',
    checkbox: 'input[type=checkbox]:not([role]),[role=checkbox]',
    dialog: 'dialog[open],[role=dialog]',
    field: 'input:not([type=checkbox],[type=radio],[type=hidden]),textarea,select',
    heading: 'h1,h2,h3,h4,[role=heading]',
    item: 'li,[role=listitem]',
    link: 'a[href]',
    panel: '[role=tabpanel]',
    radio: 'input[type=radio],[role=radio]',
    region: 'section[aria-label],section[aria-labelledby],[role=region]',
    switch: '[role=switch]',
    tab: '[role=tab]',
    text: 'body *',
  }
  const clean = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
  const said = (node: Node): string => {
    if (!(node instanceof Element)) return node.textContent ?? ''
    if (node.getAttribute('aria-hidden') === 'true') return ''
    const own = node.getAttribute('aria-label') ?? node.getAttribute('alt')
    if (own !== null) return own
    const isBlock = !getComputedStyle(node).display.startsWith('inline')
    const inner = [...node.childNodes].map(said).join('')
    return isBlock ? ` ${inner} ` : inner
  }
  const nameOf = (element: Element): string => {
    const by = element.getAttribute('aria-labelledby')
    if (by !== null)
      return clean(
        by
          .split(' ')
          .map((id) => document.getElementById(id)?.textContent ?? '')
          .join(' '),
      )
    const own = element.getAttribute('aria-label')
    if (own !== null) return clean(own)
    const labels = [...((element as HTMLInputElement).labels ?? [])]
    return clean(labels.length > 0 ? labels.map(said).join(' ') : said(element))
  }
  // What is behind an open dialog can't be reached.
  const modal = [...document.querySelectorAll('dialog:modal')].at(-1)
  const isThere = (element: Element, role: Role): boolean => {
    if (!element.checkVisibility({ visibilityProperty: true }) || element.closest('[aria-hidden=true]') !== null) return false
    return role === 'text' || modal === undefined || modal.contains(element) || element.closest(':popover-open') !== null
  }
  const isNamed = (element: Element, { role, name, by }: What): boolean => {
    if (name === undefined) return true
    const [own, sought] = [role === 'text' || role === 'alert' ? clean(element.textContent ?? '') : nameOf(element), clean(name)]
    return by === 'part' ? own.includes(sought) : by === 'start' ? own.startsWith(sought) : own === sought
  }
  const all = (what: What): readonly Element[] => {
    const roots: readonly ParentNode[] = what.inside === undefined ? [document] : all(what.inside)
    const found = roots.flatMap((root) => [...root.querySelectorAll(selectors[what.role])])
    const named = found.filter((element) => isThere(element, what.role) && isNamed(element, what))
    const inner = what.role === 'text' ? named.filter((one) => !named.some((other) => other !== one && one.contains(other))) : named
    return what.nth === undefined ? inner : inner.slice(what.nth, what.nth + 1)
  }
  const found = all(wanted)
  const first = found[0] as HTMLInputElement | undefined
  if (first === undefined) return { count: 0, text: '', value: '', isDisabled: false, x: 0, y: 0, isHit: false }
  // A box that is drawn by its label is as large as a point.
  const shown = first.getBoundingClientRect().width < 4 ? (first.labels?.[0] ?? first) : first
  if (scrolls) shown.scrollIntoView({ block: 'center', behavior: 'instant' })
  const box = shown.getBoundingClientRect()
  const [x, y] = [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)]
  const met = document.elementFromPoint(x, y)
  const isIn = met !== null && x >= 0 && y >= 0 && x < innerWidth && y < innerHeight
  const isHit = isIn && [shown, ...(first.labels ?? [])].some((one) => one.contains(met))
  return {
    count: found.length,
    text: clean(first.textContent ?? ''),
    value: first.value ?? '',
    isDisabled: first.disabled === true,
    ...{ x, y, isHit },
  }
}

/** Whether a sheet is on its way. Runs in the page. */
export function slides(): boolean {
  return document
    .getAnimations()
    .some(
      ({ effect, playState }) => playState === 'running' && effect instanceof KeyframeEffect && effect.target instanceof HTMLDialogElement,
    )
}
